import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createProject,
  type ScriptedAnswer,
  type ScriptedModelServer,
  startScriptedModel,
  type TemporaryProject,
} from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cliCommand, runCli, startCli } from './fixtures/run-cli.ts';

const files = {
  'tools/add/index.ts': `
    import { defineAgentTool } from 'baigong';
    import { z } from 'zod';
    export default defineAgentTool({
      description: 'Adds two numbers. Use for sums.',
      summary: 'adds',
      inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
      requiresApproval: 'never',
      execute: ({ a, b }) => ({ sum: a + b }),
    });`,
  'tools/whisper/index.ts': `
    import { defineAgentTool } from 'baigong';
    export default defineAgentTool({
      description: 'Hidden from models.', hidden: true, requiresApproval: 'never', execute: () => 'psst',
    });`,
  'tools/clear/index.ts': `
    import { defineAgentTool } from 'baigong';
    export default defineAgentTool({
      description: 'Shows control characters.', requiresApproval: 'never', execute: () => '\\u001b[2Jgone\\u202e',
    });`,
  'tools/hang/index.ts': `
    import { writeFileSync } from 'node:fs';
    import { defineAgentTool } from 'baigong';
    export default defineAgentTool({
      description: 'Hangs.', requiresApproval: 'never', timeoutMs: 60000,
      execute() { writeFileSync('hanging', String(process.pid)); return new Promise(() => setInterval(() => {}, 1000)); },
    });`,
} as const;

let project: TemporaryProject;
const servers: ScriptedModelServer[] = [];

beforeAll(async () => {
  project = await createProject(files);
});
afterAll(() => project.remove());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function scripted(answers: readonly ScriptedAnswer[]): Promise<Record<string, string>> {
  const server = await startScriptedModel({ answers });
  servers.push(server);
  return { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted' };
}

const at = (...rest: string[]) => ['--project', project.root, ...rest];

describe('baigong -p', () => {
  it('answers one message with the model of the environment; standard output holds the answer only', async () => {
    const environment = await scripted([{ calls: [{ name: 'add', input: { a: 2 } }] }, { text: 'It is 3.' }]);
    const { code, stdout, stderr } = await runCli(at('-p', 'add 2 and 1'), { environment, input: 'and a file\n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 3.\n' });
    expect(stderr).toContain('add');
    expect(servers[0]?.requests[0]?.messages[0]?.text).toBe('add 2 and 1\n\nand a file\n');
  });

  it('gives one JSON object, or one event a line', async () => {
    const answers = [{ calls: [{ name: 'add', input: { a: 2 } }] }, { text: 'It is 3.' }];
    const environment = await scripted([...answers, ...answers]);
    const whole = await runCli(at('-p', 'go', '--output', 'json'), { environment });
    expect(JSON.parse(whole.stdout)).toMatchObject({
      status: 'done',
      text: 'It is 3.',
      steps: 2,
      calls: [{ name: 'add', outcome: { status: 'success', result: { sum: 3 } } }],
    });
    const stream = await runCli(at('-p', 'go', '--output', 'stream-json'), { environment });
    const events = stream.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', status: 'done' });
  });

  it('goes on with a session after a restart', async () => {
    const environment = await scripted([
      { calls: [{ name: 'add', input: { a: 2 } }] },
      { text: 'It is 3.' },
      { text: 'As said.' },
    ]);
    await runCli(at('--session', 'trip', '-p', 'add'), { environment });
    const second = await runCli(at('--session', 'trip', '-p', 'again?'), { environment });
    expect(second).toMatchObject({ code: 0, stdout: 'As said.\n' });
    const seen = servers[0]?.requests[2]?.messages;
    expect(seen?.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(seen?.[2]?.results[0]?.text).toBe('{"sum":3}');
    expect((await stat(join(project.root, '.baigong'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(project.root, '.baigong', 'baigong.db'))).mode & 0o777).toBe(0o600);
  });

  it('ends with code 4 and one sentence when the model cannot be used', async () => {
    const environment = await scripted([{ error: { status: 401 } }]);
    const { code, stdout, stderr } = await runCli(at('-p', 'hi'), { environment });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('scripted');
  });

  it('refuses an empty message with code 2', async () => {
    expect(await runCli(at('-p', '  '))).toMatchObject({ code: 2, stdout: '' });
  });

  it('goes on with a turn that was cut off by kill -9 before the next one, and does not run its call again', async () => {
    const environment = await scripted([
      { calls: [{ name: 'hang' }, { name: 'add', input: { a: 1 } }] },
      { when: { lastUser: 'hang' }, text: 'It may have hung.' },
      { text: 'I know.' },
    ]);
    const child = startCli(at('--session', 'cut', '-p', 'hang'), environment);
    child.stdin?.end();
    const ended = new Promise((resolve) => child.on('close', resolve));
    const hanging = join(project.root, 'hanging');
    await expect.poll(() => readFile(hanging, 'utf8').catch(() => ''), { timeout: 20_000 }).not.toBe('');
    child.kill('SIGKILL');
    await ended;
    const tool = Number(await readFile(hanging, 'utf8'));
    await expect.poll(() => isAlive(tool), { timeout: 10_000 }).toBe(false);

    const again = await runCli(at('--session', 'cut', '-p', 'what happened?'), { environment });
    expect(again).toMatchObject({ code: 0, stdout: 'I know.\n' });
    const results = servers[0]?.requests[1]?.messages.find((message) => message.role === 'tool')?.results;
    expect(results?.map((one) => JSON.parse(one.text))).toMatchObject([
      { error_type: 'OUTCOME_UNKNOWN', effect: 'unknown' },
      { sum: 2 },
    ]);
    expect(servers[0]?.requests[2]?.messages.map(({ text }) => text)).toContain('It may have hung.');
    expect(await readFile(hanging, 'utf8')).toBe(String(tool));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('baigong chat', () => {
  it('answers piped input line by line with the offline model, then exits', async () => {
    const input = '/tool add a=2\n\n/tool add a=2 b=5\r\n/tools\nhello\n/tool nope\n/exit\nnever\n';
    const { code, stdout, stderr } = await runCli(at(), { input });
    expect(code).toBe(0);
    const sums = [...stdout.matchAll(/"sum":\s*(\d+)/g)].map((match) => match[1]);
    expect(sums).toEqual(['3', '7']);
    expect(stdout).toContain('/tool');
    expect(stdout).not.toContain('never');
    expect(stderr).toContain('adds');
  });

  it.each([
    ['nothing', ''],
    ['empty lines', '\n\r\n \n'],
    [
      'control characters',
      `${String.fromCharCode(...Array.from({ length: 9 }, (_, code) => code + 1))}\u001b[2J\u0000\n`,
    ],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x80, 0x0a])],
    ['1 MB in one line', `${'x'.repeat(1_000_000)}\n`],
    ['a /tool line of 1 MB', `/tool add a=${'9'.repeat(1_000_000)}\n`],
  ])('is not harmed by %s', async (_what, input) => {
    const result = await runCli(at(), { input });
    expect(result.code).toBe(0);
    expect(result.stderr).not.toContain('fault of its own');
  });

  it('leaves a line out that is too long, says so, and answers the next', async () => {
    const { code, stdout, stderr } = await runCli(at(), { input: `${'x'.repeat(1_048_577)}\n/tool add a=1\n` });
    expect(code).toBe(2);
    expect(stderr).toContain('1048576');
    expect(stdout).toMatch(/"sum":\s*2/);
  });

  it('speaks Chinese where the environment does', async () => {
    const { stdout } = await runCli(at(), { input: '你好\n', environment: { LANG: 'zh_CN.UTF-8' } });
    expect(stdout).toMatch(/离线/);
  });
});

describe('baigong tools', () => {
  it('lists, also as JSON', async () => {
    const text = await runCli(at('tools', 'list'));
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^add +\d+ {2}process {2}g1 {2}tools\/add\/index\.ts +adds$/m);
    const json = await runCli(at('tools', 'list', '--output', 'json'));
    expect(JSON.parse(json.stdout).map((tool: { name: string }) => tool.name)).toEqual([
      'add',
      'ask_user',
      'clear',
      'hang',
      'whisper',
    ]);
  });

  it('shows one tool, and suggests nothing where there is none', async () => {
    const shown = await runCli(at('tools', 'show', 'add', '--output', 'json'));
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'add', source: { file: 'tools/add/index.ts' } });
    expect((await runCli(at('tools', 'show', 'add'))).stdout).toContain('sha256:');
    expect(await runCli(at('tools', 'show', '__proto__'))).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['a call', ['add', '{"a":2}'], 0, { status: 'success', result: { sum: 3 } }],
    ['a hidden tool', ['whisper'], 0, { status: 'success', result: 'psst' }],
    ['faulty arguments', ['add', '{"a":"x"}'], 5, { status: 'error', error_type: 'INVALID_ARGUMENTS' }],
    ['no JSON', ['add', '{a:2}'], 5, { status: 'error', error_type: 'INVALID_ARGUMENTS' }],
    ['no such tool', ['ad', '{}'], 5, { status: 'error', error_type: 'UNKNOWN_TOOL' }],
  ] as const)('calls: %s', async (_what, rest, code, outcome) => {
    const result = await runCli(at('tools', 'call', ...rest, '--output', 'json'));
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stdout)).toMatchObject(outcome);
  });

  it('reads the arguments from standard input', async () => {
    const result = await runCli(at('tools', 'call', 'add', '-'), { input: '{"a":40,"b":2}' });
    expect(result).toMatchObject({ code: 0 });
    expect(JSON.parse(result.stdout)).toEqual({ sum: 42 });
  });

  it('reports every fault of a project in one run, with file and field, and ends with code 3', async () => {
    await using faulty = await createProject({
      'tools/broken/index.ts': 'export default {{{',
      'tools/mute/index.ts':
        "import { defineAgentTool } from 'baigong'; export default defineAgentTool({ execute: () => 1 } as never);",
      'tools/twice/index.ts': files['tools/add/index.ts'],
      'tools/twice/index.js': 'export default 1;',
      'tools/thrower/index.ts': "throw new Error('at load');",
    });
    for (const command of [['tools', 'list'], ['doctor'], ['-p', 'hi'], ['chat']]) {
      const { code, stdout, stderr } = await runCli(['--project', faulty.root, ...command]);
      expect(code).toBe(3);
      const said = stdout + stderr;
      expect(said).toMatch(/tools\/broken\/index\.ts:1:/);
      expect(said).toMatch(/tools\/mute\/index\.ts › description/);
      expect(said).toMatch(/tools\/twice/);
      expect(said).toMatch(/tools\/thrower\/index\.ts/);
    }
  });
});

describe('baigong turns', () => {
  it('shows what is recorded of a turn', async () => {
    await using fresh = await createProject(files);
    const there = ['--project', fresh.root];
    expect(await runCli([...there, 'turns', 'list'])).toMatchObject({ code: 0, stdout: '' });
    await runCli([...there, '-p', '/tool add a=2']);
    const list = JSON.parse((await runCli([...there, 'turns', 'list', '--output', 'json'])).stdout);
    expect(list).toMatchObject([{ status: 'done' }]);
    const shown = JSON.parse((await runCli([...there, 'turns', 'show', 'last', '--output', 'json'])).stdout);
    expect(shown.record.map((entry: { kind: string }) => entry.kind)).toContain('call-start');
    expect(shown.messages.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    const text = (await runCli([...there, 'turns', 'show', list[0].id])).stdout;
    for (const part of ['user: /tool add a=2', '→ add {"a":2}', '"sum":3', 'call-end', 'offline'])
      expect(text).toContain(part);
    expect(await runCli([...there, 'turns', 'show', 'nothing'])).toMatchObject({ code: 2 });
  });
});

describe('a program that waits for its input', () => {
  it.each([
    ['chat', [], 0],
    ['-p', ['-p', 'hi'], 143],
    ['tools call -', ['tools', 'call', 'add', '-'], 143],
  ])('%s ends when it is told to', async (_what, arguments_, code) => {
    const child = startCli(at(...arguments_));
    const ended = new Promise((resolve) => child.on('close', resolve));
    // The input stays open. What is written is more than any pipe holds: when it is gone, the program reads.
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
    await new Promise((resolve) => child.stdin?.write(`${' '.repeat(8_000_000)}\n`, resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(code);
    expect(said).not.toContain('fault of its own');
  });
});

describe('standard output', () => {
  it('gets a character whole that the model sent in two halves', async () => {
    const half = (delta: string) => `data: {"choices":[{"index":0,"delta":{"content":"${delta}"}}]}\n\n`;
    const environment = await scripted([
      {
        rawEvents: [
          half('A\\ud83d'),
          half('\\ude00'),
          'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        ],
      },
    ]);
    expect((await runCli(at('-p', 'hi'), { environment })).stdout).toBe('A😀\n');
  });

  it('that cannot be written ends the program with a sentence, not a stack', async () => {
    const command = cliCommand(at('tools', 'list'))
      .map((word) => `'${word}'`)
      .join(' ');
    const { stderr, code } = await promisify(execFile)('/bin/sh', ['-c', `${command} > /dev/full`]).catch(
      (error) => error,
    );
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('--continue', () => {
  it('goes on with the newest conversation, which a direct call is not', async () => {
    await using fresh = await createProject(files);
    const there = ['--project', fresh.root];
    expect(await runCli([...there, '--continue', '-p', 'x'])).toMatchObject({ code: 2 });
    await runCli([...there, '--session', 'first', '-p', '/tool add a=1']);
    await runCli([...there, 'tools', 'call', 'add', '{"a":1}']);
    const result = await runCli([...there, '--continue', '-p', '/tool add a=2', '--output', 'json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ session: 'first' });
  });
});

describe('what an author wrote', () => {
  it('cannot look like a line of ours, in problems and in tools show', async () => {
    await using hostile = await createProject({
      'tools/bad/index.ts': "throw new Error('first\\nerror tools/forged/index.ts  \\u202e\\u001b[2J');",
    });
    const { stderr, code } = await runCli(['--project', hostile.root, 'tools', 'list']);
    expect(code).toBe(3);
    expect(stderr).not.toMatch(/^error tools\/forged/m);
    expect(stderr).not.toMatch(/[\u202e\u001b]/);
    await using odd = await createProject({
      'tools/odd/index.ts': `
        import { defineAgentTool } from 'baigong';
        export default defineAgentTool({
          description: 'Odd.', platforms: ['qq'], scopes: ['group'], permissions: ['role(trusted)'], requiresApproval: 'never',
          inputSchema: { type: 'object', properties: { a: { type: 'string', description: '\\u202e\\u009b' } } },
          execute: () => 1,
        });`,
    });
    const shown = (await runCli(['--project', odd.root, 'tools', 'show', 'odd'])).stdout;
    expect(shown).not.toMatch(/[\u202e\u009b]/);
    for (const part of ['platforms: qq', 'scopes: group', 'permissions: role(trusted)']) expect(shown).toContain(part);
  });
});

describe('baigong doctor', () => {
  it('finds everything in order, and names the model', async () => {
    const offline = await runCli(at('doctor', '--output', 'json'));
    expect(offline.code).toBe(0);
    expect(JSON.parse(offline.stdout)).toMatchObject({ ok: true, problems: [] });
    const environment = await scripted([]);
    const online = await runCli(at('doctor', '--model', 'openai/some-model'), { environment });
    expect(online.stdout).toContain('openai/some-model');
    expect(servers[0]?.requests).toEqual([]);
  });

  it('says what is wrong with model and state, each with its code', async () => {
    expect((await runCli(at('doctor', '--model', 'nowhere/x'))).code).toBe(4);
    await using file = await createProject({ '.baigong': 'a file where the folder should be' });
    expect((await runCli(['--project', file.root, 'doctor'])).code).toBe(6);
    await using other = await createProject({ '.baigong/baigong.db': 'this is no database, and stays as it is' });
    const state = await runCli(['--project', other.root, 'doctor']);
    expect(state.code).toBe(6);
    expect(await readFile(join(other.root, '.baigong/baigong.db'), 'utf8')).toContain('stays as it is');
    expect((await runCli(['--project', other.root, '-p', 'hi'])).code).toBe(6);
  });
});

describe('the command line', () => {
  it.each([
    [['--help'], 0],
    [['--version'], 0],
    [['--nonsense'], 2],
    [['tolls'], 2],
    [['tool', 'list'], 2],
    [['tools', 'call'], 2],
    [['--output', 'xml', 'tools', 'list'], 2],
    [['--session', 'a', '--continue', '-p', 'x'], 2],
    [['--session', 'a\u0007', '-p', 'x'], 2],
    [['--project', '/nonexistent/folder', 'tools', 'list'], 3],
    [['--model', 'nowhere/x', '-p', 'hi'], 4],
  ])('%j ends with code %i', async (arguments_, code) => {
    const result = await runCli(['--project', project.root, ...arguments_]);
    expect(result.code).toBe(code);
    expect(code === 0 ? result.stdout : result.stderr).not.toBe('');
    expect(result.stderr).not.toContain('fault of its own');
  });
});
