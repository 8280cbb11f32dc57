import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('answers a turn and a direct call inside a program of its own', async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=baigong-source', main]);
  expect(stdout).toMatch(/"sum":\s*3/);
  expect(stdout).toContain('turn: done (model: offline)');
  expect(stdout).toContain('call: { sum: 42 }');
});
