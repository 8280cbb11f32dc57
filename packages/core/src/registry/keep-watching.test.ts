import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeProject } from './fixtures/write-project.ts';
import { keepWatching } from './keep-watching.ts';

async function watched() {
  const parent = await writeProject({ 'project/a.txt': '' });
  const folder = join(parent, 'project');
  const told: string[] = [];
  const start = async () => {
    told.push('start');
    return async () => void told.push('stop');
  };
  const end = await keepWatching(folder, start, () => void told.push('back'));
  onTestFinished(end);
  return { parent, folder, told, end };
}

it.each([
  [
    'was moved away and came back',
    async (folder: string, parent: string) => {
      await rename(folder, join(parent, 'elsewhere'));
      await rename(join(parent, 'elsewhere'), folder);
    },
  ],
  [
    'was replaced',
    async (folder: string) => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
    },
  ],
] as const)('starts anew when the folder %s', async (_what, change) => {
  const { parent, folder, told } = await watched();
  await change(folder, parent);
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['start', 'stop', 'start', 'back']);
});

it('leaves alone what only changed inside, and ends what it started', async () => {
  const { parent, folder, told, end } = await watched();
  await writeFile(join(folder, 'b.txt'), '');
  await rm(join(folder, 'a.txt'));
  await rename(folder, join(parent, 'elsewhere'));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(told).toEqual(['start']);
  await end();
  expect(told).toEqual(['start', 'stop']);
});
