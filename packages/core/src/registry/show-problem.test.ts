import { expect, it } from 'vitest';
import { showProblem } from './show-problem.ts';

it('bounds and escapes every text', () => {
  const long = 'x\u001b\u202e'.repeat(100_000);
  const message = { key: 'plain', values: { text: long, count: 7 } };
  const problem = {
    code: 'CODE',
    file: `${long}:12:34`,
    field: long,
    found: long,
    expected: long,
    message,
    fatal: true,
  };
  const shown = showProblem({ ...problem, hint: message });
  const texts = [
    shown.file,
    shown.field,
    shown.found,
    shown.expected,
    shown.message.values?.text,
    shown.hint?.values?.text,
  ];
  for (const text of texts) {
    expect(String(text).length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^x\\u001b\\u202ex/);
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text).toContain('…');
  }
  expect(shown.file).toMatch(/…:12:34$/);
  expect(shown.message.values?.count).toBe(7);
});

it('leaves short texts and the lines of a message alone', () => {
  const problem = { code: 'CODE', message: { key: 'plain', values: { text: 'one\ntwo' } }, fatal: false };
  expect(showProblem(problem)).toEqual(problem);
});
