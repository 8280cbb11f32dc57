import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, userPrompt, weatherTool } from './fixtures/ask.ts';
import { providerCases } from './fixtures/provider-cases.ts';

const cli = new URL('./scripted-model-cli.ts', import.meta.url).pathname;
const example = new URL('../examples/weather.json', import.meta.url).pathname;
const running = new Set<ChildProcess>();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripted-model-'));
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** The command as a person starts it; `output` grows, and `ended` gives the exit code. */
function start(args: string[], language = 'C') {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, LC_ALL: language, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf-8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf-8').on('data', (text: string) => (output.err += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => {
    running.delete(child);
    return code;
  });
  return { child, output, ended };
}

async function startListening(args: string[]) {
  const process = start(args);
  while (!process.output.out.includes('ANTHROPIC_API_KEY')) {
    const next = await Promise.race([once(process.child.stdout, 'data'), process.ended]);
    if (!Array.isArray(next)) throw new Error(`It ended with ${next}: ${process.output.err}`);
  }
  const baseUrl = /OPENAI_BASE_URL=(\S+)/.exec(process.output.out)?.[1] ?? '';
  return { ...process, baseUrl };
}

describe.concurrent('the command while it runs', () => {
  it('prints what to copy, and ends well on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { child, output, ended, baseUrl } = await startListening(['--port', '0']);
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
      expect(output.out).toBe(
        `The scripted model listens at ${baseUrl} (Ctrl+C ends it). Put one of these before a command:\n` +
          `OPENAI_BASE_URL=${baseUrl} OPENAI_API_KEY=scripted\n` +
          `ANTHROPIC_BASE_URL=${baseUrl} ANTHROPIC_API_KEY=scripted\n`,
      );
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(output.err).toBe('');
    }
  });

  it.each(providerCases)('plays the demo to $name', async ({ connect }) => {
    const { child, ended, baseUrl } = await startListening(['--port', '0']);
    const model = connect(baseUrl);
    const tools = [weatherTool];
    const told = await ask.stream(model, { prompt: userPrompt('你好'), tools });
    expect(told.text).toBe('我收到了 1 条消息，工具有：get_weather。');
    const prompt = userPrompt('get_weather {"city": "Oslo"}');
    const called = await ask.stream(model, { prompt, tools });
    expect(called.calls).toMatchObject([{ name: 'get_weather', input: '{"city": "Oslo"}' }]);
    const toolCall = { toolCallId: called.calls[0]?.id ?? '', toolName: 'get_weather' };
    const answered = await ask.stream(model, {
      tools,
      prompt: [
        ...prompt,
        { role: 'assistant', content: [{ type: 'tool-call', ...toolCall, input: { city: 'Oslo' } }] },
        { role: 'tool', content: [{ type: 'tool-result', ...toolCall, output: { type: 'text', value: 'rain' } }] },
      ],
    });
    expect(answered.text).toBe('The result of get_weather is “rain”.');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('plays the example script and records each request', async () => {
    const record = join(folder, 'requests.jsonl');
    await writeFile(record, '{"earlier":true}\n', { mode: 0o600 });
    const { child, output, ended, baseUrl } = await startListening([
      ...['--script', example],
      ...['--record', record],
      ...['--port', '0'],
    ]);
    const [openai, , anthropic] = providerCases;
    const tools = [weatherTool];
    for (const provider of [openai, anthropic]) {
      const outcome = await ask.stream(provider?.connect(baseUrl) ?? expect.fail(), {
        prompt: userPrompt('今天天气'),
        tools,
      });
      expect(outcome).toMatchObject({ text: '我查一下。', calls: [{ input: '{"city":"北京"}' }] });
    }
    const lines = (await readFile(record, 'utf-8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { earlier: true },
      {
        index: 0,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer scripted' },
        format: 'openai',
        answer: { kind: 'scripted', position: 0 },
        body: { messages: [{ content: '今天天气' }] },
        bodyText: expect.stringContaining('今天天气'),
      },
      { index: 1, path: '/v1/messages', format: 'anthropic' },
    ]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output.err).toBe('#0 POST /v1/chat/completions -> answer 0\n#1 POST /v1/messages -> answer 0\n');
  });

  it('ends at once although a model hangs, and keeps records private', async () => {
    const script = join(folder, 'hang.json');
    const record = join(folder, 'private.jsonl');
    await writeFile(script, '{"answers":[{"hang":true}]}');
    const { child, ended, baseUrl } = await startListening(['--script', script, '--record', record, '--port=0']);
    const asked = fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      body: '{"model":"any","messages":[{"role":"user","content":"x"}]}',
    });
    const rejected = expect(asked).rejects.toThrow('fetch failed');
    await once(child.stderr, 'data');
    expect((await stat(record)).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await rejected;
  });

  it('answers what a provider would refuse only when lenient', async () => {
    for (const [args, status] of [
      [[], 400],
      [['--lenient'], 200],
    ] as const) {
      const { child, ended, baseUrl } = await startListening(['--port', '0', ...args]);
      const body = '{"model":"any","messages":[]}';
      expect((await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).status).toBe(status);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });
});

describe.concurrent('the command that cannot start', () => {
  it.each([
    [['--prot', '1'], "The arguments cannot be used: Unknown option '--prot'"],
    [['file.json'], 'The arguments cannot be used: Unexpected argument'],
    [['--port', '65536'], '--port 65536 is no port'],
    [['--port', '1e3'], '--port 1e3 is no port'],
    [['--port', ''], '--port  is no port'],
    [['--script', '/nowhere/script.json'], 'The script /nowhere/script.json cannot be read: ENOENT'],
    [['--record', '/nowhere/requests.jsonl'], 'Requests cannot be recorded to /nowhere/requests.jsonl: ENOENT'],
  ])('%j', async (args, message) => {
    const { output, ended } = start(args);
    expect(await ended).toBe(2);
    expect(output.err).toContain(message);
    expect(output.err).not.toMatch(/\n\s+at /);
    expect(output.out).toBe('');
  });

  it('names the port that is taken', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { output, ended } = start(['--port', port]);
    expect(await ended).toBe(2);
    expect(output.err).toBe(
      `Port ${port} is taken by another program. End that program, or give another port with --port.\n`,
    );
    other.close();
  });

  it.each([
    [
      'C',
      `The script FILE has 3 mistakes:
  answers[0].txt: unknown key; did you mean "text"?
  answers[0]: says nothing; give text, calls, error, or another content (an empty answer is "text": "")
  answers[1].calls[0].name: is missing
`,
    ],
    [
      'zh_CN.UTF-8',
      `脚本 FILE 有 3 处错误：
  answers[0].txt：未知的键；是不是想写 "text"？
  answers[0]：没有内容；请给出 text、calls、error 等之一（空回答写作 "text": ""）
  answers[1].calls[0].name：缺少这一项
`,
    ],
  ])('names every mistake of a script, in the language %s', async (language, message) => {
    const script = join(folder, 'bad.json');
    await writeFile(script, '{"answers":[{"txt":"x"},{"calls":[{}]}]}');
    const { output, ended } = start(['--script', script], language);
    expect(await ended).toBe(2);
    expect(output.err).toBe(message.replace('FILE', script));
  });
});

it.each([
  ['C', 'Usage: npm run scripted-model'],
  ['zh_CN.UTF-8', '用法：npm run scripted-model'],
])('shows its help in %s', async (language, usage) => {
  const { output, ended } = start(['--help'], language);
  expect(await ended).toBe(0);
  expect(output.out).toContain(usage);
  for (const option of ['--script', '--port', '--record', '--lenient', '--help']) expect(output.out).toContain(option);
});
