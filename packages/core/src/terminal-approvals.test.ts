import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../cli/src/fixtures/run-cli.ts';
import { Terminal } from '../../cli/src/fixtures/terminal.ts';

/** Notes in a file that it ran: the file outlives whatever process dies. */
const sender = (level: string) => `
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
    requiresApproval: '${level}', timeoutMs: 60_000,
    async execute({ to, ms = 0 }) {
      appendFileSync('sent.txt', to + '\\n');
      await setTimeout(ms);
      return 'sent to ' + to;
    },
  });`;

const CARD = 'Approve? [y/N]';

let project: TemporaryProject;
beforeEach(async () => {
  project = await createProject({ 'tools/send/index.ts': sender('always'), 'tools/wait/index.ts': sender('never') });
});
afterEach(() => project.remove());

const at = (...words: readonly string[]) => ['--project', project.root, ...words];
const sent = () => {
  const file = join(project.root, 'sent.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
/** The newest turn, as `turns list` shows it. */
const newest = async () => (await runCli(at('turns', 'list', '--limit', '1'))).stdout;

/** The code on the card that the terminal shows. */
async function codeOn(terminal: Terminal): Promise<string> {
  await terminal.shows(CARD);
  const code = /\/approve ([2-9A-Z]{6})/.exec(terminal.screen)?.[1];
  if (code === undefined) throw new Error(terminal.screen);
  return code;
}

async function chat(session: string, ...words: readonly string[]): Promise<Terminal> {
  const terminal = new Terminal(at('chat', '--session', session, ...words));
  await terminal.shows('/help');
  return terminal;
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type('/exit\r');
  expect(await terminal.ended).toBe(0);
}

describe('a person at a terminal', () => {
  it.each([
    ['a message', 'y', ['-p', '/tool send to=bob'], 0, 'bob\n'],
    ['a call', 'y', ['tools', 'call', 'send', '{"to":"bob"}'], 0, 'bob\n'],
    ['a call', '', ['tools', 'call', 'send', '{"to":"bob"}'], 5, ''],
  ])('is asked by %s right there, and answers %j', async (_what, said, words, code, effect) => {
    const terminal = new Terminal(at(...words));
    await codeOn(terminal);
    expect(sent()).toBe('');
    terminal.type(`${said}\r`);
    expect(await terminal.ended).toBe(code);
    expect(sent()).toBe(effect);
  });

  it('cancels what asks by Ctrl-C', async () => {
    const terminal = new Terminal(at('tools', 'call', 'send', '{"to":"bob"}'));
    await codeOn(terminal);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect((await runCli(at('approvals'))).stdout).toBe('');
    expect(sent()).toBe('');
  });

  it('answers two cards one after another, and a second line to the first is none to the second', async () => {
    const calls = ['a', 'b'].map((to) => ({ name: 'send', input: { to } }));
    await using server = await startScriptedModel({ answers: [{ calls }, { text: 'Over.' }] });
    const terminal = new Terminal(at('chat'), {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'scripted',
      BAIGONG_MODEL: 'openai/scripted',
    });
    await terminal.shows('/help');
    terminal.type('send both\r');
    await terminal.shows(CARD);
    terminal.forget();
    terminal.type('y\ry\r');
    await terminal.shows(CARD);
    terminal.type('n\r');
    await terminal.shows('Over.');
    await leave(terminal);
    expect(sent()).toBe('a\n');
  });

  it('is not told of own answers as of those of others', async () => {
    const terminal = await chat('s');
    for (const answer of ['y', '/approve', 'n', '/deny']) {
      terminal.forget();
      terminal.type('/tool send to=bob\r');
      await codeOn(terminal);
      terminal.forget();
      terminal.type(`${answer}\r`);
      await terminal.shows(answer === 'y' || answer === '/approve' ? 'sent to bob' : 'APPROVAL_DENIED');
      expect(terminal.screen).not.toContain('elsewhere');
    }
    await leave(terminal);
    expect(sent()).toBe('bob\nbob\n');
  });

  it('keeps what is being typed when a reply comes that another process approved', async () => {
    const terminal = await chat('s', '--set', 'turn.parkAfterMs=100');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    await terminal.shows('The turn waits');
    terminal.type('/tool wait to=ty');
    await new Terminal(at('approvals', 'approve', '--yes', code)).ended;
    await terminal.shows('sent to bob');
    terminal.type('ped\r');
    await terminal.shows('sent to typed');
    await leave(terminal);
    expect(sent()).toBe('bob\ntyped\n');
  });
});

describe('a reply', () => {
  it('that another chat earned is shown in the session that it is for, once', async () => {
    const first = await chat('s', '--set', 'turn.parkAfterMs=100');
    first.type('/tool send to=bob\r');
    const code = await codeOn(first);
    await first.shows('The turn waits');
    await leave(first);
    const other = await chat('other');
    other.type(`/approve ${code}\r`);
    await other.shows('Approve? [y/N]');
    other.type('y\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    await expect.poll(newest, { timeout: 20_000 }).toMatch(/ done /);
    await leave(other);
    expect(other.screen).not.toContain('sent to bob');
    const next = await chat('s');
    await next.shows('sent to bob');
    await leave(next);
    expect((await runCli(at('resume'))).stdout).toBe('');
  });
});

describe('a chat that is told to end', () => {
  it('puts aside what waits for a person, for a process that is started when all others have ended', async () => {
    const terminal = await chat('s');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    terminal.kill('SIGTERM');
    expect(await terminal.ended).toBe(0);
    expect(await newest()).toMatch(/ parked /);
    expect(await new Terminal(at('approvals', 'approve', '--yes', code)).ended).toBe(0);
    expect(sent()).toBe('');
    expect((await runCli(at('resume'))).stdout).toBe('sent to bob\n');
    expect(sent()).toBe('bob\n');
  });

  it('ends at once when it is told again', async () => {
    const terminal = await chat('s');
    terminal.type('/tool wait to=bob ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    let code: number | null | undefined;
    void terminal.ended.then((ended) => {
      code = ended;
    });
    // Signals that come too close count once.
    const tellAgain = () => {
      terminal.kill('SIGTERM');
      return code;
    };
    await expect.poll(tellAgain, { timeout: 15_000, interval: 200 }).toBe(143);
    expect(await newest()).not.toMatch(/ done /);
  });
});
