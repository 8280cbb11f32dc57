import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { readRegularFile } from '../registry/read-regular-file.ts';
import type { ConfigTrial } from './check-in-child.ts';
import type { RawLayer } from './layer.ts';
import { MAX_CONFIG_FILE_BYTES } from './max-config-file-bytes.ts';
import { type EvaluateConfig, readConfigCode } from './read-config-code.ts';
import { readConfigText } from './read-config-text.ts';

/** Where a configuration file is looked for. */
export interface ConfigPlace {
  readonly level: 'project' | 'home';
  readonly folder: string;
  /** What stands before the file's name in problems. */
  readonly shownFolder: string;
  /** Without folder; the first one that is there counts. */
  readonly names: readonly string[];
}

export interface ReadConfigFile {
  /** Absent when there is no file, or nothing that could be checked. */
  readonly raw?: RawLayer;
  /** Absolute: what was read, and what would count if it appeared. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** Finds and reads the configuration file of one folder. */
export async function readConfigFile(
  place: ConfigPlace,
  signal: AbortSignal,
  evaluate: EvaluateConfig | ConfigTrial,
): Promise<ReadConfigFile> {
  const { level, folder, shownFolder, names } = place;
  const files = names.map((name) => join(folder, name));
  const isThere = await Promise.all(files.map(exists));
  const present = names.filter((_, index) => isThere[index]);
  const [name] = present;
  if (name === undefined) return { files, problems: [] };

  const shown = `${shownFolder}${name}`;
  const problems: Problem[] = present.length === 1 ? [] : [severalFiles(present.map((one) => `${shownFolder}${one}`))];
  const base = { level, name: shown, folder, hasReferences: true } as const;
  if (/\.(json|ya?ml)$/.test(name)) {
    let content: string;
    try {
      content = await readRegularFile(join(folder, name), MAX_CONFIG_FILE_BYTES);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'EIO';
      return { files, problems: [...problems, unreadableFile(shown, reason)] };
    }
    const read = await readConfigText(shown, content);
    problems.push(...read.problems);
    return Object.hasOwn(read, 'value')
      ? { raw: { ...base, value: read.value, lineOf: read.lineOf }, files, problems }
      : { files, problems };
  }
  const read = await readConfigCode(folder, name, signal, evaluate);
  problems.push(...read.problems);
  const reached = [...new Set([...files, ...read.files])];
  return Object.hasOwn(read, 'value')
    ? { raw: { ...base, value: read.value }, files: reached, problems }
    : { files: reached, problems };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // What may be there and cannot be looked at is said when it is read.
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

function severalFiles(names: readonly string[]): Problem {
  const [file = ''] = names;
  const files = names.join(', ');
  return {
    code: 'SEVERAL_FILES',
    file,
    found: files,
    message: text('config.several-files', { files }),
    hint: text('config.several-files-hint', { file }),
    fatal: true,
  };
}

function unreadableFile(file: string, reason: string): Problem {
  return {
    code: 'UNREADABLE_FILE',
    file,
    found: reason,
    message: text('config.unreadable-file', { file, reason }),
    hint: text('config.unreadable-file-hint'),
    fatal: true,
  };
}
