import { expect, it } from 'vitest';
import type { Expected, ScriptProblem } from './script-problem.ts';
import { textsFor } from './texts.ts';

const expectations = {
  object: 0,
  list: 0,
  string: 0,
  boolean: 0,
  count: 0,
  'positive-count': 0,
  'switch-or-count': 0,
  status: 0,
  role: 0,
  'event-text': 0,
} satisfies Record<Expected, 0>;

const problems: ScriptProblem[] = [
  { path: '', code: 'not-json', reason: 'Unexpected token' },
  ...Object.keys(expectations).map((expected) => ({
    path: 'a',
    code: 'wrong-type' as const,
    expected: expected as Expected,
  })),
  { path: 'a', code: 'unknown-key', nearest: 'text', known: ['text'] },
  { path: 'a', code: 'unknown-key', nearest: undefined, known: ['text', 'calls'] },
  { path: 'a', code: 'missing' },
  { path: 'a', code: 'empty-list' },
  { path: 'a', code: 'bad-pattern', reason: 'Unterminated group' },
  { path: 'a', code: 'exclusive', keys: ['text', 'error'] },
  { path: 'a', code: 'says-nothing' },
  { path: 'a', code: 'unreachable', by: 0 },
];

it.each(['en', 'zh'] as const)('has different words for every mistake in %s', (language) => {
  const lines = textsFor(language).badScript('f.json', problems).split('\n').slice(1);
  expect(lines.length).toBe(problems.length);
  expect(new Set(lines).size).toBe(problems.length);
  for (const line of lines)
    expect(line).toMatch(
      language === 'zh' ? /^ {2}(a|文件)：.*\p{Script=Han}/u : /^ {2}(a|file): [^\p{Script=Han}]+$/u,
    );
});

it('counts one mistake as one', () => {
  expect(textsFor('en').badScript('f.json', problems.slice(0, 1))).toMatch(/^The script f\.json has 1 mistake:/);
});
