import { parseExactJson } from '../contracts/exact-json.ts';
import type { JsonObject } from '../contracts/json.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../contracts/json-depth.ts';
import { showValue } from '../contracts/show-value.ts';
import { findNamedFile } from './find-named-file.ts';
import { jsonFaultPlace } from './json-fault-place.ts';
import type { FoundCapability } from './project-scan.ts';
import type { FileContent, FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/** The texts of an agent, by their names in `texts`. */
const TEXTS = ['system', 'boundaries', 'conventions'] as const;

/**
 * Reads the four files of `agents/<name>/`, all of which must be there and not be blank: `agent.json` as `fields`, the
 * others as `texts`. Each one that cannot be read is a problem. `entries` is what stands in the folder.
 */
export async function readAgentFolder(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<Pick<FoundCapability, 'file' | 'fields' | 'texts'>> {
  const json = await readPart(files, folder, entries, 'agent.json', (text, file) => parseAgent(text, file));
  const texts: [string, string][] = [];
  for (const name of TEXTS) {
    const part = await readPart(files, folder, entries, `${name}.md`, (text, file) => ({
      problems: text.trim() === '' ? [blank(file)] : [],
      ...(text.trim() === '' ? {} : { text }),
    }));
    if (part.content.text !== undefined) texts.push([name, part.content.text]);
  }
  const { fields } = json.content;
  return { file: json.path, ...(fields === undefined ? {} : { fields }), texts: Object.fromEntries(texts) };
}

async function readPart(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  name: string,
  parse: (text: string, file: string) => FileContent | Promise<FileContent>,
): Promise<{ readonly path: string; readonly content: FileContent }> {
  const path = `${folder}/${name}`;
  const found = findNamedFile(files, folder, entries, name);
  if (found === 'stray') return { path, content: { problems: [] } };
  if (found === 'missing') {
    const other =
      name === 'agent.json'
        ? entries.find((entry) => /^agent\.(?:jsonc|json5|ya?ml|[mc]?[jt]s)$/i.test(entry.name))
        : undefined;
    const problem = scanProblem({
      code: 'MISSING_FILE',
      file: files.show(path),
      ...(other === undefined ? {} : { found: other.name }),
      expected: name,
      message: 'scan.missing-agent-file',
      hint: other === undefined ? 'scan.missing-agent-file-hint' : 'scan.agent-json-hint',
      values: { folder: files.show(folder), found: other?.name ?? '' },
    });
    files.state.problems.push(problem);
    return { path, content: { problems: [] } };
  }
  const content = await files.read(found.path, (text) => parse(text, files.show(found.path)));
  files.state.problems.push(...content.problems);
  return { path: found.path, content };
}

async function parseAgent(text: string, file: string): Promise<FileContent> {
  if (text.trim() === '') return { problems: [blank(file)] };
  const expected = 'agent.json: { … }';
  const fault = (found: string, reason: string, place = ''): FileContent => ({
    problems: [
      scanProblem({
        code: 'INVALID_AGENT_FILE',
        file,
        place,
        found,
        expected,
        message: 'scan.invalid-agent-file',
        hint: 'scan.invalid-agent-file-hint',
        values: { reason },
      }),
    ],
  });
  if (jsonDepth(text) > MAX_JSON_DEPTH) return fault(`depth ${jsonDepth(text)}`, `depth > ${MAX_JSON_DEPTH}`);
  try {
    const { value } = parseExactJson(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return fault(showValue(value), expected);
    return { fields: value as JsonObject, problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { place, line } = await jsonFaultPlace(text);
    return fault(showValue(line), reason, place);
  }
}

function blank(file: string) {
  return scanProblem({
    code: 'EMPTY_FILE',
    file,
    found: '""',
    expected: 'text.trim().length ≥ 1',
    message: 'scan.empty-agent-file',
    hint: 'scan.empty-agent-file-hint',
  });
}
