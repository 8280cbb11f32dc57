import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createProject } from '@baigong/testing';
import { expect, it } from 'vitest';
import { noteTools } from './fixtures/note-tools.ts';
import { createRuntime } from './index.ts';

it.each(['memory', 'sqlite'])('the end of a turn that was only just begun can be waited for: %s', async (kind) => {
  await using folder = await createProject();
  const store = kind === 'memory' ? 'memory' : { file: join(folder.root, 'state.db') };
  const runtime = await createRuntime({ store, environment: {} });
  const turn = runtime.run({ text: 'hello' });
  expect(await runtime.ended(turn.id)).toMatchObject({ turnId: turn.id, status: 'done' });
  await expect(runtime.ended('turn_nobody_knows')).rejects.toMatchObject({ code: 'UNKNOWN_TURN' });
  await runtime.close();
});

it('a program that only waits for the end of a turn lives until then', async () => {
  await using folder = await createProject();
  const file = join(folder.root, 'state.db');
  const open = (takeUp: boolean) =>
    createRuntime({
      store: { file },
      environment: {},
      tools: noteTools,
      takeUp,
      settings: { approval: { unattended: 'wait' } },
    });
  const first = await open(true);
  const { status, turnId, asks = [] } = await first.run({ text: '/tool note' }).result;
  expect(status).toBe('parked');
  await first.close();
  const script = join(import.meta.dirname, 'fixtures/wait-for-end-script.ts');
  const child = spawn(process.execPath, [...process.execArgv, script, file, turnId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  child.stdout.on('data', (piece) => {
    said += piece;
    if (said.includes('waits')) resolve();
  });
  const exited = new Promise((done) => child.once('exit', done));
  await Promise.race([waits, exited]);
  const second = await open(false);
  const { status: answered } = await second.answer(asks[0]?.code ?? '', { approve: true });
  expect(answered).toBe('counted');
  await second.close();
  expect(await exited).toBe(0);
  expect(said).toBe('waits\ndone\n');
});
