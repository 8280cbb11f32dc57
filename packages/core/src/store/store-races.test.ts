import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { createSqliteStore } from './create-sqlite-store.ts';
import { approvalAsk, BY, goTo } from './fixtures/durable-steps.ts';

const program = fileURLToPath(new URL('./fixtures/race-process.ts', import.meta.url));
const RACERS = 4;

let folder: string;
let file: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  file = join(folder, 'store.db');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true });
});

/** Lets several processes do the same at the same time; what each of them was told. */
async function race(id: string, command: string): Promise<readonly unknown[]> {
  const args = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning', program, file, id, command];
  const racers = Array.from({ length: RACERS }, () => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    children.add(child);
    return { child, lines: createInterface(child.stdout ?? process.stdin)[Symbol.asyncIterator]() };
  });
  for (const { lines } of racers) expect((await lines.next()).value).toBe('ready');
  for (const { child } of racers) child.stdin?.write('go\n');
  const results = await Promise.all(racers.map(async ({ lines }) => JSON.parse(String((await lines.next()).value))));
  for (const { child } of racers) {
    child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
  }
  return results;
}

async function prepare(way: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await createSqliteStore({ file });
  Object.defineProperty(store, 'holder', { value: '1:2:gone' });
  await way(store);
  await store.close();
}

const kinds = (results: readonly unknown[]) => results.map((result) => (result as { kind: string }).kind).sort();

test.each([
  ['parked', 'turn.park', 'parked'],
  ['left by a process that is gone', 'turn.begin', 'running'],
] as const)('a turn that is %s is claimed by exactly one of several processes', async (_what, way, from) => {
  await prepare((store) => goTo(store, way));
  const results = await race('t', 'claim');
  expect(kinds(results)).toEqual(['claimed', 'gone', 'gone', 'gone']);
  expect(results).toContainEqual({ kind: 'claimed', epoch: 2, from });
});

test('an ask is approved by exactly one of several processes', async () => {
  await prepare((store) => goTo(store, 'ask.open'));
  const results = await race(approvalAsk('t').id, 'approve');
  expect([...results].sort()).toEqual(['counted', 'late', 'late', 'late']);
});

test('an approval starts one call once, whoever tries', async () => {
  await prepare(async (store) => {
    await goTo(store, 'call.await');
    await store.answerAsk(approvalAsk('t').id, { kind: 'approved', by: BY, at: 2 });
  });
  const results = await race('t', 'start');
  expect([...results].sort()).toEqual(['FAILED', 'FAILED', 'FAILED', 'committed']);
  const store = await createSqliteStore({ file });
  expect(await store.calls('t')).toMatchObject([{ state: 'started', attempts: 1 }]);
  await store.close();
});

test('a reply is handed to exactly one of several processes', async () => {
  await prepare((store) => goTo(store, 'turn.end'));
  expect([...(await race('t', 'answer-reply'))].sort()).toEqual([false, false, false, true]);
});

test('a message of a platform becomes exactly one turn', async () => {
  await prepare(async () => undefined);
  const results = await race('m', 'take-in');
  expect(kinds(results)).toEqual(['running', 'seen', 'seen', 'seen']);
  const store = await createSqliteStore({ file });
  expect(await store.turns(undefined, 9)).toHaveLength(1);
  await store.close();
});
