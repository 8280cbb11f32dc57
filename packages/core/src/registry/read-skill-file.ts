import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { parseFrontMatter } from './parse-front-matter.ts';
import type { FileContent } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/** UTF-16 units of front matter. Those of real skills have some hundred. */
const LONGEST_FRONT = 64 * 1024;

/**
 * Reads a `SKILL.md`: YAML front matter as `fields`, unknown keys included, and the Markdown below as `text`, with
 * `\n` at the end of each line. `file` is shown in problems; `folder` is the name of the skill's folder. Front matter
 * that is missing or cannot be read leaves `fields` away.
 *
 * @example
 * await readSkillFile('---\nname: a\ndescription: Does it.\n---\nSteps', 'skills/a/SKILL.md', 'a')
 * // { fields: { name: 'a', description: 'Does it.' }, text: 'Steps', problems: [] }
 */
export async function readSkillFile(source: string, file: string, folder: string): Promise<FileContent> {
  const whole = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const parts = splitFrontMatter(whole);
  if (typeof parts === 'string') {
    const problem = scanProblem({
      code: parts === 'open' ? 'OPEN_FRONT_MATTER' : 'MISSING_FRONT_MATTER',
      file,
      place: ':1',
      found: showValue(whole.split('\n', 1)[0]),
      expected: '---',
      message: parts === 'open' ? 'scan.open-front-matter' : 'scan.missing-front-matter',
      hint: 'scan.front-matter-hint',
      values: { name: folder },
    });
    return { problems: [problem] };
  }
  const { front, body } = parts;
  if (front.length > LONGEST_FRONT) {
    const problem = scanProblem({
      code: 'INVALID_FRONT_MATTER',
      file,
      place: ':1',
      found: String(front.length),
      expected: `≤ ${LONGEST_FRONT}`,
      message: 'scan.long-front-matter',
      hint: 'scan.long-front-matter-hint',
      values: { limit: LONGEST_FRONT },
    });
    return { text: body, problems: [problem] };
  }

  const { fields, fault, quoted, repeated } = await parseFrontMatter(front);
  if (fields === undefined) {
    const line = (fault?.line ?? 1) + 1;
    const problem = scanProblem({
      code: 'INVALID_FRONT_MATTER',
      file,
      place: `:${line}:${fault?.column ?? 1}`,
      found: showText((whole.split('\n', line)[line - 1] ?? '').trim().slice(0, 80)),
      expected: 'YAML',
      message: fault?.reason === undefined ? 'scan.front-matter-no-map' : 'scan.invalid-front-matter',
      hint: fault?.reason === undefined ? 'scan.front-matter-hint' : 'scan.invalid-front-matter-hint',
      values: { name: folder, reason: (fault?.reason ?? '').replaceAll('\n', ' ') },
    });
    return { text: body, problems: [problem] };
  }

  const problems: Problem[] = [];
  if (quoted !== undefined) {
    problems.push(
      scanProblem({
        code: 'UNQUOTED_VALUE',
        file,
        place: `:${quoted + 1}`,
        found: showText((whole.split('\n', quoted + 1)[quoted] ?? '').slice(0, 80)),
        message: 'scan.unquoted-value',
        hint: 'scan.unquoted-value-hint',
        fatal: false,
      }),
    );
  }
  for (const field of repeated) {
    problems.push(
      scanProblem({
        code: 'REPEATED_KEY',
        file,
        field,
        message: 'scan.repeated-key',
        hint: 'scan.repeated-key-hint',
        values: { name: field },
        fatal: false,
      }),
    );
  }
  const own = new Map(Object.entries(fields));
  const name = own.get('name');
  const description = own.get('description');
  if (typeof description !== 'string' || description.trim() === '') {
    problems.push(
      scanProblem({
        code: 'MISSING_FIELD',
        file,
        field: 'description',
        found: showValue(description),
        expected: 'string.trim().length ≥ 1',
        message: 'scan.missing-description',
        hint: 'scan.missing-description-hint',
      }),
    );
  }
  if (name !== folder) {
    problems.push(
      scanProblem({
        code: 'NAME_DIFFERS',
        file,
        field: 'name',
        found: showValue(name),
        expected: showValue(folder),
        message: 'scan.name-differs',
        hint: 'scan.name-differs-hint',
        values: { name: folder, found: showValue(name) },
        fatal: false,
      }),
    );
  }
  return { fields, text: body, problems };
}

function splitFrontMatter(text: string): { readonly front: string; readonly body: string } | 'missing' | 'open' {
  const start = /^---[ \t]*\n/.exec(text)?.[0].length;
  if (start === undefined) return 'missing';
  const end = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m;
  const rest = text.slice(start);
  const match = end.exec(rest);
  if (match === null) return 'open';
  return { front: rest.slice(0, match.index), body: rest.slice(match.index + match[0].length) };
}
