import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'fixtures/print-loaded-packages-script.ts');

it.each([
  ['nothing is said', undefined, [], []],
  ['a variable says something', undefined, ['BAIGONG_LOCALE=zh'], ['ajv']],
  ['a file in YAML says something', 'locale: zh\n', [], ['ajv', 'yaml']],
])('loads packages when %s', async (_what, content, variables, packages) => {
  const root = await mkdtemp(join(tmpdir(), 'baigong-config-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  if (content !== undefined) await writeFile(join(root, 'baigong.config.yml'), content);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=baigong-source',
    '--disable-warning=ExperimentalWarning',
    SCRIPT,
    root,
    ...variables,
  ]);
  expect(JSON.parse(stdout)).toEqual(packages);
});
