import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from './fixtures/run-cli.ts';
import { Terminal } from './fixtures/terminal.ts';

/** Notes in a file that it ran: the file outlives whatever process dies. */
const send = (level: string, more = '') => `
  import { appendFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { defineAgentTool } from 'baigong';
  export default defineAgentTool<{ to: string; ms?: number }>({
    description: 'Sends a note to somebody.',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'string' }, ms: { type: 'integer' } },
      required: ['to'],
    },
    requiresApproval: '${level}', ${more}
    async execute({ to, ms = 0 }) {
      appendFileSync('sent.txt', to + '\\n');
      await setTimeout(ms);
      return 'sent to ' + to;
    },
  });`;

let project: TemporaryProject;
beforeEach(async () => {
  project = await createProject({
    'tools/send/index.ts': send('always'),
    'tools/wait/index.ts': send('never'),
    'tools/order/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({
        description: 'Orders tea.', requiresApproval: 'never', annotations: { idempotentHint: true },
        inputSchema: { type: 'object', properties: {} },
        async execute(_input, { question }) {
          if (question === undefined) return 'nobody there';
          return 'one ' + (await question({ text: 'Which tea?', options: ['green', 'black'] })) + ' tea';
        },
      });`,
  });
});
afterEach(() => project.remove());

const at = (...words: readonly string[]) => ['--project', project.root, ...words];
const sent = () => {
  const file = join(project.root, 'sent.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** The code on the card that the terminal shows. */
async function codeOn(terminal: Terminal): Promise<string> {
  await terminal.shows('Approve? [y/N]');
  const code = /\/approve ([2-9A-Z]{6})/.exec(terminal.screen)?.[1];
  if (code === undefined) throw new Error(terminal.screen);
  return code;
}

async function chat(...words: readonly string[]): Promise<Terminal> {
  const terminal = new Terminal(at('chat', '--session', 's', ...words));
  await terminal.shows('/help');
  return terminal;
}

/** A command at a terminal of its own; what it showed. */
async function atTerminal(
  ...words: readonly string[]
): Promise<{ readonly screen: string; readonly code: number | null }> {
  const terminal = new Terminal(at(...words));
  const code = await terminal.ended;
  return { screen: terminal.screen, code };
}

describe('a terminal chat', () => {
  it.each([
    ['y', 'bob\n'],
    ['是', 'bob\n'],
    ['', ''],
    ['n', ''],
  ])('shows the card and does what is said to it: %j', async (said, effect) => {
    const terminal = await chat();
    terminal.type('/tool send to=bob\r');
    await codeOn(terminal);
    expect(terminal.screen).toContain('to: "bob"');
    expect(sent()).toBe('');
    terminal.type(`${said}\r`);
    await terminal.shows(effect === '' ? 'APPROVAL_DENIED' : 'sent to bob');
    terminal.type('/exit\r');
    await terminal.ended;
    expect(sent()).toBe(effect);
  });

  it('takes neither what was typed ahead nor anything else for a yes', async () => {
    const terminal = await chat();
    terminal.type('/tool wait to=first ms=1500\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('first\n');
    terminal.type('/tool send to=bob\ry\r');
    await codeOn(terminal);
    terminal.type('sure, why not\r');
    await terminal.shows('Please answer y');
    expect(sent()).toBe('first\n');
    terminal.type('\r');
    await terminal.shows('APPROVAL_DENIED');
    terminal.type('/exit\r');
    await terminal.ended;
    expect(sent()).toBe('first\n');
  });

  it('answers by /approve and /deny while a turn waits, and lists what waits', async () => {
    const terminal = await chat('--set', 'turn.parkAfterMs=100');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    await terminal.shows('The turn waits');
    terminal.type('/tool wait to=meanwhile\r');
    await terminal.shows('sent to meanwhile');
    terminal.forget();
    terminal.type('/approvals\r');
    await terminal.shows(code);
    terminal.type(`/approve ${code.toLowerCase()}\r`);
    await terminal.shows('Reply to an earlier message');
    await terminal.shows('sent to bob');
    terminal.type('/approve\r');
    await terminal.shows('Nothing waits');
    terminal.type('/exit\r');
    await terminal.ended;
    expect(sent()).toBe('meanwhile\nbob\n');
  });

  it('asks what a tool asks, with its options', async () => {
    const terminal = await chat();
    terminal.type('/tool order\r');
    await terminal.shows('Which tea?');
    terminal.type('red\r');
    await terminal.shows('one of the options');
    terminal.type('2\r');
    await terminal.shows('one black tea');
    terminal.type('/exit\r');
    await terminal.ended;
  });

  it.each([
    ['Esc', '\u001b'],
    ['/cancel', '/cancel\r'],
  ])('cancels what runs by %s', async (_name, keys) => {
    const terminal = await chat();
    terminal.type('/tool wait to=slow ms=60000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('slow\n');
    terminal.type(keys);
    await terminal.shows('CANCELLED');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
  });
});

describe('two terminals', () => {
  it.each([
    ['approves', ['approve'], 'y\r', 'is approved', 'bob\n', 'sent to bob'],
    ['approves without a look', ['approve', '--yes'], undefined, 'is approved', 'bob\n', 'sent to bob'],
    ['denies', ['deny', '--reason', 'wrong one'], undefined, 'is denied', '', 'APPROVAL_DENIED'],
  ] as const)('one asks and is killed, the other %s, a third process finishes the turn', async (...row) => {
    const [, words, typed, told, effect, end] = row;
    const first = await chat();
    first.type('/tool send to=bob\r');
    const code = await codeOn(first);
    first.kill('SIGKILL');
    await first.ended;
    expect(sent()).toBe('');
    expect((await runCli(at('approvals', 'list'))).stdout).toContain(code);
    const second = new Terminal(at('approvals', ...words, code));
    if (typed !== undefined) {
      await second.shows('Approve? [y/N]');
      expect(second.screen).toContain('to: "bob"');
      second.type(typed);
    }
    expect(await second.ended).toBe(0);
    expect(second.screen).toContain(told);
    expect(sent()).toBe('');
    const third = await runCli(at('resume'));
    expect(third).toMatchObject({ code: 0 });
    expect(`${third.stdout}${third.stderr}`).toContain(end);
    expect(sent()).toBe(effect);
    // Everything is over: nothing of it comes again.
    const fourth = await runCli(at('resume'));
    expect(fourth.stderr).toContain('Nothing can go on');
    expect(fourth.stdout).toBe('');
    expect(sent()).toBe(effect);
    expect((await runCli(at('approvals'))).stderr).toContain('Nothing waits');
  });

  it('the next chat of the session asks again what a dead one asked, and shows the reply', async () => {
    const first = await chat();
    first.type('/tool send to=bob\r');
    const code = await codeOn(first);
    first.kill('SIGKILL');
    await first.ended;
    const next = await chat();
    expect(await codeOn(next)).toBe(code);
    next.type(`/approve ${code}\r`);
    await next.shows('sent to bob');
    next.type('/exit\r');
    expect(await next.ended).toBe(0);
    expect(sent()).toBe('bob\n');
  });

  it('says in both languages when an answer comes too late, or to nothing', async () => {
    const terminal = await chat();
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    expect(await atTerminal('approvals', 'deny', code)).toMatchObject({ code: 0 });
    await terminal.shows('answered elsewhere');
    // Without a question: there is nothing to be sure of any more.
    expect(await atTerminal('approvals', 'approve', code)).toMatchObject({
      code: 8,
      screen: expect.stringContaining('too late'),
    });
    expect((await atTerminal('--lang', 'zh', 'approvals', 'approve', '--yes', code)).screen).toContain('为时已晚');
    expect(await atTerminal('approvals', 'approve', '--yes', 'NOTHING')).toMatchObject({ code: 2 });
    terminal.type('/exit\r');
    await terminal.ended;
  });
});

describe('without a terminal', () => {
  it('what needs a person is refused at once, with the way to allow it', async () => {
    const { code, stderr, stdout } = await runCli(at('-p', '/tool send to=bob'));
    expect(code).toBe(0);
    expect(stderr).toContain('NEEDS_HUMAN');
    expect(stdout).toContain('approval.unattended');
    expect(await runCli(at('tools', 'call', 'send', '{"to":"bob"}'))).toMatchObject({ code: 5 });
    expect(sent()).toBe('');
  });

  it.each([
    ['a message', ['-p', '/tool send to=bob']],
    ['a call', ['tools', 'call', 'send', '{"to":"bob"}']],
  ])('%s can wait instead, and goes on when it is approved', async (_what, words) => {
    const wait = ['--set', 'approval.unattended=wait'];
    const parked = await runCli(at(...wait, ...words));
    expect(parked.code).toBe(7);
    const code = /approvals approve ([2-9A-Z]{6})/.exec(parked.stderr)?.[1] ?? '';
    expect(code).not.toBe('');
    expect(await atTerminal('approvals', 'approve', '--yes', code)).toMatchObject({ code: 0 });
    expect(await runCli(at('resume'))).toMatchObject({ code: 0, stdout: expect.stringContaining('sent to bob') });
    expect(sent()).toBe('bob\n');
  });

  it.each([
    ['text', { stdout: '', stderr: expect.stringContaining('APPROVAL_DENIED') }],
    ['json', { stdout: expect.stringContaining('"error_type":"APPROVAL_DENIED"') }],
  ])('what came of a call that waited is told as %s, also if it was denied', async (format, expected) => {
    const wait = ['--set', 'approval.unattended=wait'];
    const parked = await runCli(at(...wait, 'tools', 'call', 'send', '{"to":"bob"}'));
    const code = /approvals approve ([2-9A-Z]{6})/.exec(parked.stderr)?.[1] ?? '';
    expect(await atTerminal('approvals', 'deny', code)).toMatchObject({ code: 0 });
    expect(await runCli(at('--output', format, 'resume'))).toMatchObject({ code: 5, ...expected });
  });

  it.each([
    ['no terminal', {}, 'terminal'],
    ['a tool of an agent', { BAIGONG_CALL: '1' }, 'inside a tool'],
  ])('nobody approves: %s', async (_what, environment, said) => {
    const wait = ['--set', 'approval.unattended=wait', '-p', '/tool send to=bob'];
    const code = /approvals approve ([2-9A-Z]{6})/.exec((await runCli(at(...wait))).stderr)?.[1] ?? '';
    const refused = await runCli(at('approvals', 'approve', '--yes', code), { input: 'y\n', environment });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    expect(JSON.parse((await runCli(at('--output', 'json', 'approvals', 'list'))).stdout)).toMatchObject([
      { code, state: 'open' },
    ]);
  });

  it('shows the whole of what is asked, and cancels it by the id of its turn', async () => {
    const note = `bob\u202e${'x'.repeat(2_000)}`;
    const wait = ['--set', 'approval.unattended=wait', 'tools', 'call', 'send', JSON.stringify({ to: note })];
    const code = /approvals approve ([2-9A-Z]{6})/.exec((await runCli(at(...wait))).stderr)?.[1] ?? '';
    const { stdout } = await runCli(at('approvals', 'show', code));
    expect(stdout).toContain(`bob\\u{202e}${'x'.repeat(2_000)}`);
    expect(stdout).not.toContain('\u202e');
    expect(await runCli(at('turns', 'cancel', 'last'))).toMatchObject({ code: 0 });
    expect((await runCli(at('turns', 'list'))).stdout).toContain('cancelled');
    expect((await runCli(at('approvals', 'list'))).stdout).toBe('');
  });

  it('the mode is chosen on the command line', async () => {
    expect((await runCli(at('--approval-mode', 'auto', '-p', '/tool send to=bob'))).stdout).toContain('sent to bob');
    const denied = await runCli(at('--approval-mode', 'deny', '-p', '/tool send to=eve'));
    expect(`${denied.stdout}${denied.stderr}`).toContain('APPROVAL_DENIED');
    expect(sent()).toBe('bob\n');
  });
});

describe('a program that is told to end', () => {
  it('lets a running turn end, and leaves in order', async () => {
    const terminal = await chat();
    terminal.type('/tool wait to=bob ms=1500\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    terminal.kill('SIGTERM');
    await terminal.ended;
    expect((await runCli(at('turns', 'list'))).stdout).toMatch(/ done /);
  });

  it('parks what waits, which the next one goes on with', async () => {
    await using server = await startScriptedModel({ answers: [{ hang: true }, { text: 'Here I am.' }] });
    const environment = {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'scripted',
      BAIGONG_MODEL: 'openai/scripted',
    };
    const child = startCli(at('chat', '--session', 's'), environment);
    child.stdin?.write('hello\n');
    await server.waitForRequests(1);
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    const next = await runCli(at('resume'), { environment });
    expect(next).toMatchObject({ code: 0, stdout: 'Here I am.\n' });
    expect((await runCli(at('turns', 'list'))).stdout).toMatch(/ done /);
  });
});
