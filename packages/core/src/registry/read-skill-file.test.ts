import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderText } from '../contracts/texts/render-text.ts';
import { readSkillFile } from './read-skill-file.ts';

const file = 'skills/a/SKILL.md';
const read = (source: string) => readSkillFile(source, file, 'a');
const skill = (front: string, body = 'Steps\n') => `---\n${front}\n---\n${body}`;
const good = 'name: a\ndescription: Does it.';

describe('readSkillFile', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['plain', skill(good), { name: 'a', description: 'Does it.' }, 'Steps\n'],
    [
      'a byte order mark and CRLF',
      `\ufeff${skill(good).replaceAll('\n', '\r\n')}`,
      { name: 'a', description: 'Does it.' },
      'Steps\n',
    ],
    ['blanks behind the lines', `--- \t\n${good}\n---  \nSteps`, { name: 'a', description: 'Does it.' }, 'Steps'],
    ['an end without a line break', `---\n${good}\n---`, { name: 'a', description: 'Does it.' }, ''],
    ['rules in the body', skill(good, 'A\n---\nB'), { name: 'a', description: 'Does it.' }, 'A\n---\nB'],
    [
      'lists, unknown keys and nested maps',
      skill(`${good}\ntools:\n  - memory_upsert\nmetadata:\n  owner: '1'\n__proto__: x`),
      JSON.parse(
        '{"name":"a","description":"Does it.","tools":["memory_upsert"],"metadata":{"owner":"1"},"__proto__":"x"}',
      ),
      'Steps\n',
    ],
    [
      'numbers where texts belong, and others that no number holds',
      skill('name: a\ndescription: 42\nversion: 1.10\nid: 12345678901234567890\nn: 5\nnot: .nan\nnothing:'),
      { name: 'a', description: '42', version: '1.10', id: '12345678901234567890', n: 5, not: 'NaN', nothing: null },
      'Steps\n',
    ],
    ['anchors', skill(`${good}\nx: &x [1]\ny: *x`), { name: 'a', description: 'Does it.', x: [1], y: [1] }, 'Steps\n'],
  ])('reads %s', async (_what, source, fields, body) => {
    const content = await read(source);
    expect(content.problems).toEqual([]);
    expect(content.text).toBe(body);
    expect(JSON.stringify(content.fields)).toBe(JSON.stringify(fields));
  });

  it.each<[string, string, string]>([
    ['name: a\ndescription: Use when: needed', 'Use when: needed', ':3'],
    [
      'name: a\ndescription: Use when: needed,\n  and "only": then\n\nversion: 1',
      'Use when: needed, and "only": then',
      ':3',
    ],
    ['description: @someone: it\nname: a', '@someone: it', ':2'],
    ['name: a\ndescription: ends with:', 'ends with:', ':3'],
  ])('takes a value with a colon for a text: %j', async (front, description, place) => {
    const { fields, problems } = await read(skill(front));
    expect(fields?.description).toBe(description);
    expect(fields?.name).toBe('a');
    expect(problems).toMatchObject([{ code: 'UNQUOTED_VALUE', file: `${file}${place}`, fatal: false }]);
  });

  it.each<[string, string, object[]]>([
    ['no front matter', '# A\n', [{ code: 'MISSING_FRONT_MATTER', file: `${file}:1`, found: '"# A"', fatal: true }]],
    ['nothing', '', [{ code: 'MISSING_FRONT_MATTER', file: `${file}:1`, fatal: true }]],
    ['an open one', `---\n${good}\n`, [{ code: 'OPEN_FRONT_MATTER', file: `${file}:1`, fatal: true }]],
    ['an empty one', '---\n---\nx', [{ code: 'INVALID_FRONT_MATTER', file: `${file}:2:1`, fatal: true }]],
    ['a list', skill('- a'), [{ code: 'INVALID_FRONT_MATTER', file: `${file}:2:1`, found: '- a', fatal: true }]],
    [
      'no YAML',
      skill('name: a\ntools: [a\ndescription: x'),
      [{ code: 'INVALID_FRONT_MATTER', file: expect.stringMatching(/^skills\/a\/SKILL\.md:\d+:\d+$/), fatal: true }],
    ],
    ['no description', skill('name: a'), [{ code: 'MISSING_FIELD', file, field: 'description', fatal: true }]],
    ['a blank one', skill('name: a\ndescription: " "'), [{ code: 'MISSING_FIELD', found: '" "', fatal: true }]],
    [
      'another name',
      skill('name: b\ndescription: x'),
      [{ code: 'NAME_DIFFERS', field: 'name', found: '"b"', expected: '"a"', fatal: false }],
    ],
    ['a key twice', skill(`${good}\nname: a`), [{ code: 'REPEATED_KEY', field: 'name', fatal: false }]],
  ])('says what is wrong with %s', async (_what, source, problems) => {
    const content = await read(source);
    expect(content.problems).toMatchObject(problems);
    for (const { message, hint } of content.problems) {
      for (const one of hint === undefined ? [message] : [message, hint]) {
        expect(renderText(one, 'zh')).not.toMatch(/\{[a-zA-Z]+\}/);
      }
    }
  });

  it.each<[string, string]>([
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((to, index) => `${to}: &${to} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`).join('\n')}`,
    ],
    ['a circle', 'a: &a [*a]'],
    ['an alias of nothing', 'a: *b'],
    ['depth', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['depth of 40', `a: ${'['.repeat(40)}${']'.repeat(40)}`],
    ['depth by lines', `a: ${'- '.repeat(20_000)}`],
    ['length', `a: ${'x'.repeat(70_000)}`],
  ])('refuses %s', async (_what, front) => {
    const { fields, problems } = await read(skill(front));
    expect(fields).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'INVALID_FRONT_MATTER', fatal: true }]);
  });

  it('never throws, and gives fields or a reason', async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        'name: a',
        'description: b: c',
        '---',
        '- x',
        '  y: z',
        '&a',
        '*a',
        'k: |',
        '"',
        '\t',
        '? x',
        '<<: 1',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const { fields, problems } = await read(`---\n${lines.join('\n')}\n---\n`);
        expect(fields !== undefined || problems.some((problem) => problem.fatal)).toBe(true);
        if (fields !== undefined) expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
      }),
    );
  });
});
