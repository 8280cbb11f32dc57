import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProject, type ScriptedAnswer, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CallOptions,
  createRuntime,
  type Json,
  type Outcome,
  outcomeJson,
  type Principal,
  type Runtime,
  type RuntimeOptions,
} from './index.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const source = (execute: string, members = '') => `// @ts-nocheck
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { contentParts, defineAgentTool, defineToken, failure, InputError, InvokeError, success, UpstreamError } from 'baigong';
export default defineAgentTool({ description: 'Does it.', requiresApproval: 'never', ${members} async execute(input, context) { ${execute} } });
`;

/** The same tool twice: in this process, and in a child. */
const both = (name: string, execute: string) => ({
  [`tools/${name}-here/index.ts`]: source(execute, "isolation: 'inline',"),
  [`tools/${name}-there/index.ts`]: source(execute, "isolation: 'process',"),
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "contexts", "type": "module" }',
  'baigong.config.yml': 'execution:\n  maxChildren: 1\nconfig:\n  city: Oslo\n',
  ...both(
    'look',
    `
    const { config, origin, principal, policy, locale, timeZone, call, session, question, signal, $client } = context;
    await session.set('n', [1, { a: 'ü' }]);
    const kept = await session.get('n');
    await session.delete('n');
    const { turnId, callId, toolName, attempt, idempotencyKey } = call;
    return {
      members: Object.keys(context).sort(), config, origin, principal, policy, locale, timeZone,
      call: { attempt, named: toolName.replace(/-(here|there)$/, ''), inTurn: callId.startsWith(turnId), key: idempotencyKey.length },
      session: [session.id, kept, await session.get('n', 'gone'), (await session.get('n')) ?? null],
      question: typeof question, aborted: signal.aborted, client: typeof $client, history: await context.history(),
    };`,
  ),
  ...both(
    'tell',
    `context.progress({ done: 1 }); context.log.debug('d'); context.log.info('i ' + input.word); context.log.warn('w'); context.log.error('e');
     context.progress('half'); return 'told';`,
  ),
  ...both('key', 'return [context.call.idempotencyKey, context.call.callId];'),
  ...both('past', 'return (await context.history(input)).map(({ role, text }) => [role, text]);'),
  ...both('get', `return context.fetch(input.url).then(async (response) => [response.status, await response.text()]);`),
  ...both(
    'end',
    `switch (input.how) {
      case 'success': return success({ n: 1 });
      case 'thrown-success': throw success('deep');
      case 'failure': return failure({ error_type: 'RATE_LIMITED', message: 'used up', hint: 'Try tomorrow.', retryable: true });
      case 'thrown-failure': throw failure({ error_type: 'NOT_PERMITTED', message: 'not you' });
      case 'input': throw new InputError('no such city', { hint: 'Ask which one.' });
      case 'upstream': throw new UpstreamError('the service is down');
      case 'error': throw new Error('the pump is dry');
    }`,
  ),
  ...both(
    'picture',
    `return contentParts([{ type: 'text', text: 'A dot.' }, { type: 'image', mediaType: 'image/png', data: '${PIXEL}' }]);`,
  ),
  ...both(
    'wait',
    `writeFileSync(input.folder + '/begun', '');
     await new Promise((resolve) => { if (context.signal.aborted) resolve(); else context.signal.addEventListener('abort', resolve); });
     writeFileSync(input.folder + '/aborted', String(context.signal.reason?.name ?? context.signal.reason));
     return 'late';`,
  ),
  ...both(
    'invoke',
    `try { return await context.invoke(input.name, input.input); } catch (error) {
       if (!InvokeError.isInstance(error)) throw error;
       return { code: error.code, tool: error.toolName, reason: error.reason, hint: error.hint, effect: error.effect };
     }`,
  ),
  ...both(
    'climb',
    `try { context.principal.role = 'master'; } catch {}
     return context.invoke('masters').catch((error) => error.code);`,
  ),
  ...both('uncaught', 'return context.invoke(input.name, {});'),
  ...both(
    'down',
    "return input.left === 0 ? context.invoke('who') : context.invoke(['a', 'b', 'c', 'd', 'e', 'f'][input.left - 1] + '-down', { left: input.left - 1 });",
  ),
  ...Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => [
      `tools/${letter}-down/index.ts`,
      source(
        "return input.left === 0 ? context.invoke('who') : context.invoke(['a', 'b', 'c', 'd', 'e', 'f'][input.left - 1] + '-down', { left: input.left - 1 });",
      ),
    ]),
  ),
  'tools/who/index.ts': source(
    'return { id: context.principal.id, role: context.principal.role, origin: context.origin.kind, session: context.session.id };',
    'hidden: true,',
  ),
  'tools/strict/index.ts': source(
    'return input.n;',
    "inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },",
  ),
  'tools/masters/index.ts': source("return 'the vault is open';", "permissions: ['role(master)'],"),
  'tools/danger/index.ts': source(
    "writeFileSync('danger.txt', ''); return 1;",
    "risk: 'dangerous', riskCategory: 'member',",
  ),
  'tools/fails/index.ts': source("throw new Error('the pump is dry');"),
  'tools/ping/index.ts': source("return context.invoke('pong');"),
  'tools/pong/index.ts': source("return context.invoke('ping');"),
  // The name `near` from the inside outward: the skill's own, the plugin's, the root's.
  'tools/near/index.ts': source("return 'root';"),
  'plugins/maps/tools/near/index.ts': source("return 'maps';"),
  'plugins/maps/tools/ask/index.ts': source(
    "return [await context.invoke('near'), await context.invoke('who').then(({ role }) => role)];",
  ),
  'plugins/maps/skills/trip/SKILL.md': '---\nname: trip\ndescription: Plans.\n---\nPlan.\n',
  'plugins/maps/skills/trip/tools/near/index.ts': source("return 'trip';"),
  'plugins/maps/skills/trip/tools/ask/index.ts': source("return context.invoke('near');"),
  'tools/outside/index.ts': source("return [await context.invoke('near'), await context.invoke('maps__near')];"),
};

let project: TemporaryProject;
let runtime: Runtime;
const base = (): RuntimeOptions => ({
  project: project.root,
  store: 'memory',
  model: 'offline',
  environment: {},
  home: project.root,
});
beforeAll(async () => {
  project = await createProject(files);
  runtime = await createRuntime({ ...base(), timeZone: 'Asia/Shanghai' });
});
afterAll(async () => {
  await runtime.close();
  await project.remove();
});

const user: Principal = {
  id: 'a:b:u',
  userId: 'u',
  role: 'user',
  platformRoles: ['admin'],
  authentication: 'platform',
};

function resultOf(outcome: Outcome): unknown {
  return outcome.status === 'success' ? outcome.result.value : outcomeJson(outcome, 'en');
}
const call = async (name: string, input: Record<string, Json> = {}, options: CallOptions = {}) =>
  resultOf(await runtime.call(name, input, options));

it('is the same in this process and in a child, but for the client', async () => {
  const options = { principal: user, session: 'same', client: { kick: () => 1 } };
  const here = (await call('look-here', {}, options)) as Record<string, Json>;
  const there = (await call('look-there', {}, options)) as Record<string, Json>;
  expect(here).toMatchObject({
    config: { city: 'Oslo' },
    origin: { kind: 'api' },
    principal: user,
    policy: { role: 'user', attended: false },
    locale: 'en',
    timeZone: 'Asia/Shanghai',
    call: { attempt: 1, named: 'look', inTurn: true, key: 64 },
    session: ['same', [1, { a: 'ü' }], 'gone', null],
    question: 'undefined',
    aborted: false,
    history: [],
  });
  expect([here.client, there.client]).toEqual(['object', 'undefined']);
  expect({ ...there, client: '', members: '' }).toEqual({ ...here, client: '', members: '' });
});

describe.each(['here', 'there'])('a tool that runs %s', (where) => {
  it('tells progress to who waits, and writes its log to the record and not to its result', async () => {
    const told: Json[] = [];
    const session = `log-${where}`;
    expect(await call(`tell-${where}`, { word: 'x' }, { session, onProgress: (value) => told.push(value) })).toBe(
      'told',
    );
    expect(told).toEqual([{ done: 1 }, 'half']);
    const [turn] = await runtime.turns(session, 1);
    const logs = (await runtime.record(turn?.id ?? '')).filter(({ kind }) => kind.includes('log'));
    const text = JSON.stringify(logs);
    for (const [level, message] of [
      ['debug', 'd'],
      ['info', 'i x'],
      ['warn', 'w'],
      ['error', 'e'],
    ]) {
      expect(text).toContain(`"${level}"`);
      expect(text).toContain(`"${message}"`);
    }
  });

  it('has a key of its own for each call', async () => {
    const keys = (await Promise.all([1, 2, 3].map(() => call(`key-${where}`)))) as [string, string][];
    expect(new Set(keys.map(([key]) => key)).size).toBe(3);
    for (const [key] of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it('reads the turns before in history, oldest first, as plain texts', async () => {
    const answers: ScriptedAnswer[] = [
      { calls: [{ name: 'strict', input: { n: 4 } }] },
      { text: 'It is 4.' },
      { calls: [{ name: `past-${where}`, input: { limit: 20 } }] },
      { text: 'So it was.' },
    ];
    const server = await startScriptedModel({ answers });
    undo.push(() => server.close());
    const talks = await createRuntime({
      ...base(),
      model: 'openai-compatible/scripted',
      environment: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted' },
    });
    undo.push(() => talks.close());
    await talks.run({ text: 'four?', session: 's' }).result;
    await talks.run({ text: 'and before?', session: 's' }).result;
    const seen = JSON.parse(server.requests[3]?.messages.at(-1)?.results[0]?.text ?? '[]');
    expect(seen.slice(0, 4)).toEqual([
      ['user', 'four?'],
      ['tool', '4'],
      ['assistant', 'It is 4.'],
      ['user', 'and before?'],
    ]);
  });

  it('ends with what it said, by value or by throwing', async () => {
    const end = (how: string) => call(`end-${where}`, { how });
    expect(await end('success')).toEqual({ n: 1 });
    expect(await end('thrown-success')).toBe('deep');
    expect(await end('failure')).toMatchObject({
      error_type: 'RATE_LIMITED',
      message: 'used up',
      hint: 'Try tomorrow.',
      retryable: true,
    });
    expect(await end('thrown-failure')).toMatchObject({ error_type: 'NOT_PERMITTED', message: 'not you' });
    expect(await end('input')).toMatchObject({
      error_type: 'INVALID_ARGUMENTS',
      message: 'no such city',
      hint: 'Ask which one.',
    });
    expect(await end('upstream')).toMatchObject({ error_type: 'UPSTREAM_UNAVAILABLE', message: 'the service is down' });
    expect(await end('error')).toMatchObject({
      error_type: 'EXECUTION_ERROR',
      message: expect.stringContaining('the pump is dry'),
    });
  });

  it('reaches by fetch what the configuration allows, and nothing else of this machine', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const url = `http://${host}/here`;
    expect(await call(`get-${where}`, { url })).toMatchObject({ error_type: 'ACCESS_DENIED', retryable: false });
    expect(asked).toEqual([]);
    const open = await createRuntime({ ...base(), settings: { network: { allowHosts: [host] } } });
    undo.push(() => open.close());
    expect(resultOf(await open.call(`get-${where}`, { url }))).toEqual([200, 'hello']);
    expect(asked).toEqual(['/here']);
  });

  it('hears of the cancellation of its call', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'baigong-context-'));
    undo.push(() => rm(folder, { recursive: true }));
    const stop = new AbortController();
    const waits = call(`wait-${where}`, { folder }, { signal: stop.signal });
    await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 20_000 }).toBe(true);
    stop.abort();
    expect(await waits).toMatchObject({ error_type: 'CANCELLED' });
    await expect
      .poll(() => readFile(join(folder, 'aborted'), 'utf8').catch(() => ''), { timeout: 20_000 })
      .not.toBe('');
  });

  it.each(['openai', 'anthropic'] as const)(
    'hands content parts to a model as far as the %s format can hold them',
    async (format) => {
      const server = await startScriptedModel({
        answers: [{ calls: [{ name: `picture-${where}` }] }, { text: 'A dot.' }],
      });
      undo.push(() => server.close());
      const environment: Record<string, string> =
        format === 'openai'
          ? { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted' }
          : { ANTHROPIC_BASE_URL: server.baseUrl, ANTHROPIC_API_KEY: 'scripted' };
      const { model: _, ...rest } = base();
      const talks = await createRuntime({ ...rest, environment });
      undo.push(() => talks.close());
      expect(await talks.run({ text: 'draw' }).result).toMatchObject({ status: 'done', text: 'A dot.' });
      const sent = JSON.stringify(server.requests[1]?.body);
      expect(server.requests[1]?.format).toBe(format);
      expect(sent).toContain('A dot.');
      // This format takes texts only as results of tools; the model is told what was left out.
      if (format === 'openai') expect(sent).toContain('image/png, 70 B');
      expect(sent.includes(PIXEL)).toBe(format === 'anthropic');
    },
  );
});

describe.each(['here', 'there'])('context.invoke of a tool that runs %s', (where) => {
  const invoke = (name: string, input: Record<string, Json> = {}, options: CallOptions = {}) =>
    call(`invoke-${where}`, { name, input }, options);

  it('runs another tool, hidden ones too, for the same person in the same session', async () => {
    expect(await invoke('who', {}, { principal: user, session: 'mine' })).toEqual({
      id: 'a:b:u',
      role: 'user',
      origin: 'api',
      session: 'mine',
    });
  });

  it('takes it through arguments, admission and approval', async () => {
    expect(await invoke('strict', { n: 3 })).toBe(3);
    expect(await invoke('strict', { n: 'x' })).toMatchObject({ code: 'INVALID_ARGUMENTS', effect: 'none' });
    expect(await invoke('masters')).toBe('the vault is open');
    expect(await invoke('masters', {}, { principal: user })).toMatchObject({ code: 'UNKNOWN_TOOL', effect: 'none' });
    expect(await invoke('danger')).toMatchObject({ code: 'NEEDS_HUMAN', effect: 'none' });
    expect(existsSync(join(project.root, 'danger.txt'))).toBe(false);
    expect(await invoke('constructor')).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  it('gains nothing by changing the principal that it was told', async () => {
    expect(await call(`climb-${where}`, {}, { principal: user })).toBe('UNKNOWN_TOOL');
  });

  it('rejects with what the child came to, and ends the caller that does not catch it', async () => {
    expect(await invoke('fails')).toMatchObject({
      code: 'EXECUTION_ERROR',
      tool: 'fails',
      reason: expect.stringContaining('the pump is dry'),
    });
    expect(await call(`uncaught-${where}`, { name: 'fails' })).toMatchObject({
      error_type: 'EXECUTION_ERROR',
      message: expect.stringMatching(/fails.*the pump is dry/),
    });
  });

  it('goes five calls deep with a single child process, and no deeper', async () => {
    expect(await call(`down-${where}`, { left: 4 })).toMatchObject({ role: 'master' });
    expect(await call(`down-${where}`, { left: 5 })).toMatchObject({
      error_type: 'EXECUTION_ERROR',
      message: expect.stringContaining('5'),
    });
  });
});

it('refuses a tool that waits to be called again', async () => {
  expect(await call('ping')).toMatchObject({
    error_type: 'EXECUTION_ERROR',
    message: expect.stringContaining('NOT_PERMITTED'),
  });
});

it('looks names up from the writer outward', async () => {
  expect(await call('maps__ask')).toEqual(['maps', 'master']);
  expect(await call('outside')).toEqual(['root', 'maps']);
  const inner = runtime.table.tools.find(({ owner, localName }) => owner.skill === 'trip' && localName === 'ask');
  expect(await call(inner?.name ?? '')).toBe('trip');
});

it('lets many calls that invoke others run at once on one child process', async () => {
  const results = await Promise.all([1, 2, 3, 4].map((n) => call('invoke-there', { name: 'strict', input: { n } })));
  expect(results).toEqual([1, 2, 3, 4]);
});
