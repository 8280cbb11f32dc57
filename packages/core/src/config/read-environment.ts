import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { readRegularFile } from '../registry/read-regular-file.ts';
import { MAX_CONFIG_FILE_BYTES } from './max-config-file-bytes.ts';

/** The environment of the process laid over the project's `.env`. */
export interface ReadEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names that only `.env` sets. */
  readonly fromFile: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** Reads `.env`, if there is one. A variable that the process has counts before it, also an empty one. */
export async function readEnvironment(
  root: string | undefined,
  processEnvironment: Readonly<Record<string, string | undefined>>,
): Promise<ReadEnvironment> {
  const own = Object.entries(processEnvironment).filter(([, value]) => value !== undefined);
  if (root === undefined) {
    return { environment: Object.fromEntries(own), fromFile: new Set(), files: [], problems: [] };
  }
  const file = join(root, '.env');
  const problems: Problem[] = [];
  let said: [string, string | undefined][] = [];
  try {
    said = Object.entries(parseEnv(await readRegularFile(file, MAX_CONFIG_FILE_BYTES)));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'EIO';
    // A folder of that name belongs to something else.
    if (!['ENOENT', 'ENOTDIR', 'EINVAL'].includes(reason)) {
      problems.push({
        code: 'UNREADABLE_FILE',
        file: '.env',
        found: reason,
        message: text('config.unreadable-file', { file: '.env', reason }),
        hint: text('config.unreadable-file-hint'),
        fatal: true,
      });
    }
  }
  const names = new Set(own.map(([name]) => name));
  const added = said.filter(([name]) => !names.has(name));
  return {
    environment: Object.fromEntries([...added, ...own]),
    fromFile: new Set(added.map(([name]) => name)),
    files: [file],
    problems,
  };
}
