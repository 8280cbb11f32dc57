import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startScriptedModel } from '@baigong/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskProject } from './fixtures/ask-project.ts';
import { runCli, startCli } from './fixtures/run-cli.ts';
import { Terminal } from './fixtures/terminal.ts';

let project: AskProject;
beforeEach(async () => {
  project = await AskProject.create();
});
afterEach(() => project.remove());

const at = (...words: readonly string[]) => project.at(...words);
const sent = () => project.sent();
const CARD = 'Approve? [y/N]';

/** The code on the card that the terminal shows. */
async function codeOn(terminal: Terminal): Promise<string> {
  await terminal.shows(CARD);
  const code = /\/approve ([2-9A-Z]{6})/.exec(terminal.screen)?.[1];
  if (code === undefined) throw new Error(terminal.screen);
  return code;
}

function endOf(child: ReturnType<typeof startCli>): Promise<unknown> {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
}

describe('what was typed before a card was shown', () => {
  it.each([
    ['at its end', 'y'],
    ['at its beginning', 'y\u0001'],
    ['within it', 'yes\u001b[D\u001b[D'],
  ])('is no answer in a chat, with the cursor %s', async (_where, keys) => {
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=first ms=1500\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('first\n');
    terminal.type(`/tool send to=bob\r${keys}`);
    await codeOn(terminal);
    terminal.type('\r');
    await terminal.shows('APPROVAL_DENIED');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('first\n');
  });

  it.each([
    ['a message', ['-p', '/tool send to=bob'], 'y\r', 0],
    ['a call', ['tools', 'call', 'send', '{"to":"bob"}'], 'y\r', 5],
    ['half a line', ['tools', 'call', 'send', '{"to":"bob"}'], 'y', 5],
  ])('is no answer to %s', async (_what, words, keys, code) => {
    const terminal = new Terminal(at(...words));
    terminal.type(keys);
    await codeOn(terminal);
    terminal.type('\r');
    expect(await terminal.ended).toBe(code);
    expect(terminal.screen).toContain('APPROVAL_DENIED');
    expect(sent()).toBe('');
  });

  it('is no answer to what is approved in another process', async () => {
    const code = await project.parked('/tool send to=bob');
    const terminal = new Terminal(at('approvals', 'approve', code));
    terminal.type('y\r');
    await terminal.shows(CARD);
    terminal.type('\r');
    expect(await terminal.ended).toBe(8);
    expect(terminal.screen).toContain('Nothing was done');
    expect((await runCli(at('approvals'))).stdout).toContain(code);
  });

  it('is no answer to the second of two cards', async () => {
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
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('a\n');
  });
});

describe('a program that could not read when a card was shown', () => {
  /** Longer than it takes to type. */
  const aWhile = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('takes nothing for an answer that was typed before it was shown', async () => {
    await project.write({
      'tools/later/index.ts': `
        import { appendFileSync } from 'node:fs';
        import { setTimeout } from 'node:timers/promises';
        import { defineAgentTool } from 'baigong';
        export default defineAgentTool({
          description: 'Sends later.', requiresApproval: 'never', inputSchema: { type: 'object', properties: {} },
          async execute(_input, { invoke }) {
            appendFileSync('sent.txt', 'later\\n');
            await setTimeout(1_500);
            return invoke('send', { to: 'bob' });
          },
        });`,
    });
    const terminal = await project.chat('s');
    terminal.type('/tool later\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('later\n');
    terminal.kill('SIGSTOP');
    await aWhile(2_000);
    terminal.type('y\r');
    await aWhile(300);
    terminal.kill('SIGCONT');
    await codeOn(terminal);
    terminal.type('\r');
    await terminal.shows('APPROVAL_DENIED');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('later\n');
  });

  it.each([
    ['a chat', ['chat']],
    ['a message', ['-p', 'send both']],
  ])('takes a second yes of %s to the first card for none to the second', async (_what, words) => {
    const calls = ['a', 'b'].map((to) => ({ name: 'send', input: { to } }));
    await using server = await startScriptedModel({ answers: [{ calls }, { text: 'Over.' }] });
    const environment = {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'scripted',
      BAIGONG_MODEL: 'openai/scripted',
    };
    const terminal = new Terminal(at(...words), environment);
    if (words[0] === 'chat') {
      await terminal.shows('/help');
      terminal.type('send both\r');
    }
    await terminal.shows(CARD);
    const database = new DatabaseSync(join(project.root, '.baigong', 'baigong.db'));
    database.exec('BEGIN IMMEDIATE');
    terminal.forget();
    terminal.type('y\r');
    await aWhile(500);
    terminal.type('y\r');
    await aWhile(500);
    database.exec('ROLLBACK');
    database.close();
    await terminal.shows(CARD);
    terminal.type('n\r');
    await terminal.shows('Over.');
    if (words[0] === 'chat') terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('a\n');
  });
});

describe('a terminal whose person is asked', () => {
  it('shows nothing between the card and its question', async () => {
    const code = await project.parked('/tool send to=bob');
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=ann ms=2000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('ann\n');
    terminal.type(`/approve ${code}\r`);
    await codeOn(terminal);
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ done /);
    expect(terminal.screen).not.toContain('sent to ann');
    terminal.type('n\r');
    await terminal.shows('sent to ann');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('ann\n');
  });

  it.each([
    ['in a chat', ['chat', '--session', 's']],
    ['by the command', ['approvals', 'approve']],
    ['by the command that is sure', ['approvals', 'approve', '--yes']],
  ])('approves nothing %s that shows no card, since its standard error goes elsewhere', async (_where, words) => {
    const code = await project.parked('/tool send to=bob');
    const isChat = words[0] === 'chat';
    const errorsTo = join(project.root, 'errors.txt');
    const terminal = new Terminal(at(...words, ...(isChat ? [] : [code])), {}, { errorsTo });
    const said = () => (existsSync(errorsTo) ? readFileSync(errorsTo, 'utf8') : '');
    if (isChat) {
      await expect.poll(said, { timeout: 20_000 }).toContain('/help');
      terminal.type(`/approve ${code}\r`);
      await expect.poll(said, { timeout: 20_000 }).toContain('authenticated');
      terminal.type('/exit\r');
    }
    expect(await terminal.ended).toBe(isChat ? 0 : 2);
    expect(said()).toContain(isChat ? 'authenticated' : 'a terminal that shows the card');
    expect((await runCli(at('approvals'))).stdout).toContain(code);
    expect(sent()).toBe('');
  });

  it.each([
    ['a message', ['-p', '/tool send to=bob']],
    ['a call', ['tools', 'call', 'send', '{"to":"bob"}']],
  ])('approves %s right there', async (_what, words) => {
    const terminal = new Terminal(at(...words));
    await codeOn(terminal);
    expect(sent()).toBe('');
    terminal.type('y\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen).toContain('sent to bob');
    expect(sent()).toBe('bob\n');
  });

  it.each([
    ['a message', ['-p', '/tool send to=bob']],
    ['a call', ['tools', 'call', 'send', '{"to":"bob"}']],
  ])('puts %s aside when the person leaves by Ctrl-D', async (_what, words) => {
    const terminal = new Terminal(at(...words));
    const code = await codeOn(terminal);
    terminal.type('\u0004');
    expect(await terminal.ended).toBe(7);
    expect(terminal.screen).toContain(`approvals approve ${code}`);
    expect((await runCli(at('approvals'))).stdout).toContain(code);
    expect(sent()).toBe('');
  });

  it('cancels by Ctrl-C', async () => {
    const terminal = new Terminal(at('tools', 'call', 'send', '{"to":"bob"}'));
    await codeOn(terminal);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect((await runCli(at('approvals'))).stdout).toBe('');
    expect(sent()).toBe('');
  });

  it('is told of its own answers once, and never as of those of others', async () => {
    const terminal = await project.chat('s');
    for (const answer of ['y\r', '/approve\r', 'n\r', '/deny\r']) {
      terminal.forget();
      terminal.type('/tool send to=bob\r');
      await codeOn(terminal);
      terminal.forget();
      terminal.type(answer);
      await terminal.shows(/^(y|.approve)/.test(answer) ? 'sent to bob' : 'APPROVAL_DENIED');
      expect(terminal.screen).not.toContain('elsewhere');
    }
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('bob\nbob\n');
  });

  it('keeps what is being typed when a reply comes that another process approved', async () => {
    const terminal = await project.chat('s', '--set', 'turn.parkAfterMs=100');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    await terminal.shows('The turn waits');
    terminal.type('/tool wait to=ty');
    await new Terminal(at('approvals', 'approve', '--yes', code)).ended;
    await terminal.shows('sent to bob');
    terminal.type('ped\r');
    await terminal.shows('sent to typed');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('bob\ntyped\n');
  });

  it('shows a reply that another chat earned to the session that it is for, once', async () => {
    const first = await project.chat('s', '--set', 'turn.parkAfterMs=100');
    first.type('/tool send to=bob\r');
    const code = await codeOn(first);
    await first.shows('The turn waits');
    first.type('/exit\r');
    expect(await first.ended).toBe(0);
    const other = await project.chat('other');
    other.type(`/approve ${code}\r`);
    await other.shows('Approve? [y/N]');
    other.type('y\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ done /);
    other.type('/exit\r');
    expect(await other.ended).toBe(0);
    expect(other.screen).not.toContain('sent to bob');
    const next = await project.chat('s');
    await next.shows('sent to bob');
    next.type('/exit\r');
    expect(await next.ended).toBe(0);
    expect((await runCli(at('resume'))).stdout).toBe('');
  });

  it('takes an answer as it was written', async () => {
    const terminal = await project.chat('s', '--set', 'turn.parkAfterMs=100');
    terminal.type('/tool order\r');
    await terminal.shows('The turn waits');
    const code = /approvals answer ([2-9A-Z]{6})/.exec(terminal.screen)?.[1] ?? '';
    terminal.type(`/answer ${code} green,  very  hot\r`);
    await terminal.shows('heard "green,  very  hot"');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
  });

  it.each([
    ['a chat', ['chat']],
    ['a chat that is asked', ['-p', '/tool send to=eve']],
  ])('inside a tool of an agent is no person: %s', async (_what, words) => {
    const code = await project.parked('/tool send to=bob');
    const terminal = new Terminal(at(...words), { BAIGONG_CALL: '1' });
    if (words[0] === 'chat') {
      await terminal.shows('/help');
      terminal.type(`/approve ${code}\r`);
      await terminal.shows('authenticated');
      terminal.type('/exit\r');
    } else await terminal.shows('NEEDS_HUMAN');
    await terminal.ended;
    expect(terminal.screen).not.toContain('BAIGONG_CALL');
    expect((await runCli(at('approvals'))).stdout).toContain(code);
    expect(sent()).toBe('');
  });
});

describe('a program that is told to end', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('lets a turn of a piped chat end: %s', async (signal) => {
    const child = startCli(at('chat', '--session', 's'));
    child.stdin?.write('/tool wait to=bob ms=1500\n');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(child);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(await project.newest()).toMatch(/ done /);
  });

  it('takes the hang-ups of a terminal and of its shell for one', async () => {
    const child = startCli(at('chat', '--session', 's'));
    child.stdin?.write('/tool wait to=bob ms=2500\n');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(child);
    child.kill('SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGHUP');
    expect(await ended).toBe(0);
    expect(await project.newest()).toMatch(/ done /);
  });

  it('cancels the turn of a piped chat by Ctrl-C', async () => {
    const child = startCli(at('chat', '--session', 's'));
    child.stdin?.write('/tool wait to=bob ms=30000\n');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(child);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await project.newest()).toMatch(/ cancelled /);
  });

  it('lets a turn end whose terminal was closed', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=bob ms=1500\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    terminal.hangUp();
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ done /);
    expect((await runCli(at('resume'))).stderr).toContain('Nothing can go on');
  });

  it('does not begin a chat when it is told to end before', async () => {
    const started = join(project.root, 'started.txt');
    await project.write({
      'baigong.config.ts': `
        import { writeFileSync } from 'node:fs';
        writeFileSync(${JSON.stringify(started)}, '');
        const end = Date.now() + 2_000;
        while (Date.now() < end);
        export default {};`,
    });
    const terminal = new Terminal(at('chat'));
    await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
    terminal.kill('SIGTERM');
    expect([0, 143]).toContain(await terminal.ended);
    expect(terminal.screen).not.toContain('/help');
  });

  it('puts aside what waits for a person, for a process that is started after all others ended', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    terminal.kill('SIGTERM');
    expect(await terminal.ended).toBe(0);
    expect(await project.newest()).toMatch(/ parked /);
    expect(await new Terminal(at('approvals', 'approve', '--yes', code)).ended).toBe(0);
    expect(sent()).toBe('');
    expect((await runCli(at('resume'))).stdout).toBe('sent to bob\n');
    expect(sent()).toBe('bob\n');
  });

  it('ends at once when it is told again', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=bob ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    // Signals that come too close count once.
    let code: number | null | undefined;
    void terminal.ended.then((ended) => {
      code = ended;
    });
    const again = (): typeof code => {
      terminal.kill('SIGTERM');
      return code;
    };
    await expect.poll(again, { timeout: 15_000, interval: 200 }).toBe(143);
    expect(await project.newest()).not.toMatch(/ done /);
  });

  it.each([
    ['a message', ['-p', '/tool wait to=bob ms=1500'], 'sent to bob\n'],
    ['a call', ['tools', 'call', 'wait', '{"to":"bob","ms":1500}'], 'sent to bob\n'],
  ])('gives the whole answer to %s that ends in time', async (_what, words, answer) => {
    const child = startCli(at(...words));
    child.stdin?.end();
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(child);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said).toBe(answer);
  });

  it('puts aside what was resumed and does not end in time', async () => {
    const code = await project.parked('/tool send to=bob ms=40000');
    expect(await new Terminal(at('approvals', 'approve', '--yes', code)).ended).toBe(0);
    const child = startCli(at('resume'));
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(child);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect((await runCli(at('resume'))).stdout).toContain('may have happened');
    expect(sent()).toBe('bob\n');
  });
});

describe('output for programs', () => {
  it.each([
    ['a message', ['-p', '/tool send to=bob']],
    ['a call', ['tools', 'call', 'send', '{"to":"bob"}']],
  ])('says that %s waits, and for what', async (_what, words) => {
    const { code, stdout } = await runCli(at('--output', 'json', '--set', 'approval.unattended=wait', ...words));
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'parked', asks: [{ state: 'open', card: { tool: 'send' } }] });
  });

  it('shows of a turn what it asked, and who wants it to end', async () => {
    await project.parked('/tool send to=bob');
    const json = await runCli(at('--output', 'json', 'turns', 'show', 'last'));
    expect(JSON.parse(json.stdout)).toMatchObject({ turn: { status: 'parked' }, asks: [{ state: 'open' }] });
    await runCli(at('turns', 'cancel', 'last'));
    expect((await runCli(at('turns', 'show', 'last'))).stdout).toMatch(/wanted to end since .*, by terminal:local:/);
  });
});

describe('what is typed while an answer is under way', () => {
  it('is cancelled with it by /cancel, and each by itself by Esc', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=slow ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('slow\n');
    terminal.type('/tool wait to=ahead\r');
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ queued /);
    terminal.type('/cancel\r');
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ cancelled /);
    terminal.type('/tool wait to=again ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('slow\nagain\n');
    terminal.type('/tool wait to=next\r');
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ queued /);
    terminal.type('\u001b');
    await terminal.shows('sent to next');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('slow\nagain\nnext\n');
  });

  it('is answered by the next process when this one is killed', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool wait to=slow ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('slow\n');
    terminal.type('/tool wait to=ahead\r');
    await expect.poll(() => project.newest(), { timeout: 20_000 }).toMatch(/ queued /);
    terminal.kill('SIGKILL');
    await terminal.ended;
    await runCli(at('resume'));
    expect(await project.newest()).toMatch(/ done /);
    expect(sent()).toBe('slow\nahead\n');
  });

  it('supersedes what runs, where that is configured', async () => {
    const terminal = await project.chat('s', '--set', 'session.overlap=supersede');
    terminal.type('/tool wait to=slow ms=30000\r');
    await expect.poll(sent, { timeout: 20_000 }).toBe('slow\n');
    terminal.type('/tool wait to=newer\r');
    await terminal.shows('sent to newer');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(sent()).toBe('slow\nnewer\n');
  });
});

describe('another session', () => {
  it.each(['', 'n'])('keeps what it asks when its card was only looked at and answered by %j', async (said) => {
    const code = await project.parked('/tool send to=bob');
    const terminal = await project.chat('s');
    terminal.type(`/approve ${code}\r`);
    await codeOn(terminal);
    terminal.type(`${said}\r`);
    await terminal.shows('Nothing was done');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect((await runCli(at('approvals'))).stdout).toContain(code);
  });
});

describe('the prompt of a chat', () => {
  it.each(['/approve', '/deny QQQQQQ', '/answer', '/cancel', '/approvals'])('comes back after %s', async (command) => {
    const terminal = await project.chat('s');
    terminal.forget();
    terminal.type(`${command}\r`);
    await expect
      .poll(() => terminal.screen, { timeout: 20_000 })
      .toMatch(/(Nothing|no approval|nothing to)[\s\S]*\n[^\n]*› [^\n]*$/);
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
  });

  it('is the question while somebody is asked, which /exit leaves open', async () => {
    const terminal = await project.chat('s');
    terminal.type('/tool send to=bob\r');
    const code = await codeOn(terminal);
    terminal.forget();
    terminal.type('/approvals\r');
    await expect
      .poll(() => terminal.screen, { timeout: 20_000 })
      .toMatch(new RegExp(`${code}[\\s\\S]*Approve\\? \\[y/N\\]`));
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect((await runCli(at('approvals'))).stdout).toContain(code);
    expect(sent()).toBe('');
  });
});

describe('what a process had begun that is killed', () => {
  it('is said to have happened perhaps when its turn is cancelled', async () => {
    const killed = startCli(at('-p', '/tool wait to=bob ms=30000'));
    killed.stdin?.end();
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(killed);
    killed.kill('SIGKILL');
    await ended;
    const cancelled = await runCli(at('--output', 'json', 'turns', 'cancel', 'last'));
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ turnId: expect.stringContaining('turn'), cancelled: true });
    const { stdout, stderr } = await runCli(at('resume'));
    expect(stdout).toContain('May have happened: wait');
    expect(stdout).not.toContain('No tool');
    expect(stderr).not.toContain('Cancelled');
    const again = await runCli(at('--output', 'json', 'turns', 'cancel', 'last'));
    expect(again).toMatchObject({ code: 8, stdout: expect.stringContaining('"cancelled":false') });
  });

  it.each([
    ['for a message', ['-p', '/tool wait to=bob ms=30000']],
    ['for a call', ['tools', 'call', 'wait', '{"to":"bob","ms":30000}']],
  ])('%s is not done again unasked by a call in the same session', async (_what, words) => {
    const killed = startCli(at(...words, '--session', 's'));
    killed.stdin?.end();
    await expect.poll(sent, { timeout: 20_000 }).toBe('bob\n');
    const ended = endOf(killed);
    killed.kill('SIGKILL');
    await ended;
    for (const _time of [1, 2]) {
      const next = await runCli(at('tools', 'call', 'wait', '{"ms":30000,"to":"bob"}', '--session', 's'));
      expect(next).toMatchObject({ code: 5, stderr: expect.stringContaining('NEEDS_HUMAN') });
    }
    expect(sent()).toBe('bob\n');
  });
});
