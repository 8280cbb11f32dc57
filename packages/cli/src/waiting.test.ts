import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli, startCli } from './fixtures/run-cli.ts';
import { Terminal } from './fixtures/terminal.ts';

let project: TemporaryProject;
beforeEach(async () => {
  project = await createProject({
    'tools/send/index.ts': `
      import { appendFileSync } from 'node:fs';
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({
        description: 'Sends a note to somebody.', requiresApproval: 'always',
        inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
        execute({ to }) { appendFileSync('sent.txt', to + '\\n'); return 'sent to ' + to; },
      });`,
    'tools/inside/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({
        description: 'Sends from inside.', requiresApproval: 'never', inputSchema: { type: 'object', properties: {} },
        execute: (_input, { invoke }) => invoke('send', { to: 'bob' }),
      });`,
  });
});
afterEach(() => project.remove());

const wait = ['--set', 'approval.unattended=wait'];
const at = (...words: readonly string[]) => ['--project', project.root, ...words];
const sent = () => {
  const file = join(project.root, 'sent.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const codeIn = (text: string) => /approvals approve ([2-9A-Z]{6})/.exec(text)?.[1] ?? '';

async function atTerminal(...words: readonly string[]) {
  const terminal = new Terminal(at(...words));
  const code = await terminal.ended;
  return { screen: terminal.screen, code };
}

/** A program in the background; what it said on standard error so far. */
function start(...words: readonly string[]) {
  const child = startCli(at(...words));
  const said = { err: '', out: '' };
  child.stderr?.on('data', (piece) => {
    said.err += piece;
  });
  child.stdout?.on('data', (piece) => {
    said.out += piece;
  });
  child.stdin?.end();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, said, ended };
}

it.each([
  ['a message', ['-p', '/tool inside']],
  ['a call', ['tools', 'call', 'inside']],
])('%s whose code cannot be put aside says at once what it waits for, and goes on', async (_what, words) => {
  const { said, ended } = start(...wait, ...words);
  await expect.poll(() => codeIn(said.err), { timeout: 20_000 }).not.toBe('');
  expect(said.err).toContain('The program waits for an answer');
  expect(await atTerminal('approvals', 'approve', '--yes', codeIn(said.err))).toMatchObject({
    code: 0,
    screen: expect.stringContaining('baigong resume'),
  });
  expect(await ended).toBe(0);
  expect(said.out).toContain('sent to bob');
  expect(sent()).toBe('bob\n');
});

it('a call that is cut off leaves nothing to be answered that could do nothing', async () => {
  const { child, said, ended } = start(...wait, '-p', '/tool inside');
  await expect.poll(() => codeIn(said.err), { timeout: 20_000 }).not.toBe('');
  child.kill('SIGINT');
  await ended;
  expect((await runCli(at('approvals', 'list'))).stdout).toBe('');
  expect(sent()).toBe('');
});

it.each(['json', 'stream-json'])('the code stands on standard error whatever the output is: %s', async (format) => {
  const message = await runCli(at(...wait, '--output', format, '-p', '/tool send to=bob'));
  expect(message).toMatchObject({ code: 7, stderr: expect.stringMatching(/approvals approve [2-9A-Z]{6}/) });
  const call = await runCli(at(...wait, '--output', format, 'tools', 'call', 'send', '{"to":"bob"}'));
  expect(call).toMatchObject({ code: 7, stderr: expect.stringMatching(/approvals approve [2-9A-Z]{6}/) });
  for (const { stdout } of [message, call]) for (const line of stdout.trim().split('\n')) JSON.parse(line);
});

it('what waits again after it was resumed says so, why, and by the exit code', async () => {
  const parked = await runCli(at(...wait, '--set', 'approval.useByMs=1', '-p', '/tool send to=bob'));
  await atTerminal('approvals', 'approve', '--yes', codeIn(parked.stderr));
  const again = await runCli(at(...wait, 'resume'));
  expect(again).toMatchObject({ code: 7, stdout: '' });
  const { stdout } = await runCli(at('approvals', 'show', codeIn(again.stderr)));
  expect(stdout).toContain('approved before, but not used in time');
  expect(sent()).toBe('');
});

it('a chat shows what another session asks before it approves it, and says that it waits', async () => {
  const parked = await runCli(at(...wait, '-p', '/tool send to=bob'));
  const terminal = new Terminal(at('chat', '--session', 's'));
  await terminal.shows('/help');
  terminal.type('/approvals\r');
  await terminal.shows('In other sessions: 1');
  terminal.type(`/approve ${codeIn(parked.stderr).toLowerCase()}\r`);
  await terminal.shows('Approve? [y/N]');
  expect(terminal.screen).toContain('to: "bob"');
  expect(sent()).toBe('');
  terminal.type('y\r');
  await terminal.shows('is approved');
  await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
  terminal.type('/exit\r');
  expect(await terminal.ended).toBe(0);
});

it('says that nobody answered in time, not that somebody did', async () => {
  const terminal = new Terminal(at('chat', '--set', 'approval.answerByMs=1500'));
  await terminal.shows('/help');
  terminal.type('/tool send to=bob\r');
  await terminal.shows('Approve? [y/N]');
  await terminal.shows('nobody answered in time');
  await terminal.shows('APPROVAL_TIMEOUT');
  expect(terminal.screen).not.toContain('answered elsewhere');
  terminal.type('/exit\r');
  await terminal.ended;
});

it.each([
  ['deny', ['approvals', 'deny', 'NOTHING']],
  ['answer', ['approvals', 'answer', 'NOTHING', 'x']],
  ['approve', ['approvals', 'approve', 'NOTHING']],
  ['no command', ['approvals', 'frobnicate']],
])('what is not there is a fault of the command line: %s', async (_what, words) => {
  expect(await atTerminal(...words)).toMatchObject({ code: 2, screen: expect.stringMatching(/NOTHING|frobnicate/) });
});

it('speaks one language to the end', async () => {
  const zh = ['--lang', 'zh'];
  await runCli(at(...zh, ...wait, '-p', '/tool send to=bob'));
  expect((await runCli(at(...zh, 'approvals', 'list'))).stdout).toContain('待处理');
  await runCli(at('turns', 'cancel', 'last'));
  // The language of the person who began it, whoever goes on with it.
  const resumed = await runCli(at('resume'));
  expect(resumed.stdout).toBe('已取消。未执行：send (CANCELLED)。\n');
  // Once, on standard output only.
  expect(resumed.stderr).not.toContain('已取消');
});

it.each([
  ['a table is missing', 'DROP TABLE ask; DROP TABLE message'],
  ['rows are no JSON', "UPDATE ask SET body = '{'; UPDATE message SET body = '{'"],
])('a database in which %s is named as such, with its own exit code', async (_what, sql) => {
  const parked = await runCli(at(...wait, '-p', '/tool send to=bob'));
  const database = new DatabaseSync(join(project.root, '.baigong', 'baigong.db'));
  database.exec(sql);
  database.close();
  const code = codeIn(parked.stderr);
  for (const words of [['approvals'], ['approvals', 'show', code], ['turns', 'show', 'last']]) {
    const { code: end, stderr } = await runCli(at(...words));
    expect({ words, end }).toEqual({ words, end: 6 });
    expect(stderr).toContain('baigong.db');
    expect(stderr).not.toMatch(/fault of its own|\bat .*\.ts:/);
  }
});
