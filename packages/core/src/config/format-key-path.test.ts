import { expect, it } from 'vitest';
import { formatKeyPath } from './format-key-path.ts';
import { parseKeyPath } from './parse-key-path.ts';

it.each([
  [[], '$'],
  [['$'], '"$"'],
  [['turn', 'maxSteps'], 'turn.maxSteps'],
  [['plugins', '@zhin.js/tool', 'hosts', 0], 'plugins."@zhin.js/tool".hosts[0]'],
  [['config', ''], 'config.""'],
  [['config', 'a b'], 'config."a b"'],
  [['config', 'a\u202eb\u001b'], 'config."a\\u202eb\\u001b"'],
  [['config', '\u{e0001}'], 'config."\\udb40\\udc01"'],
  [['配置', 'é😀'], '配置.é😀'],
])('%j is written %s', (path, written) => {
  expect(formatKeyPath(path)).toBe(written);
  if (path.length > 0 && path.every((part) => typeof part === 'string')) expect(parseKeyPath(written)).toEqual(path);
});

it('keeps long names whole', () => {
  const path = ['config', `${'x'.repeat(2000)}.`];
  expect(parseKeyPath(formatKeyPath(path))).toEqual(path);
});
