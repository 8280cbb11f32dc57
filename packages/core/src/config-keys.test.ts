import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configKeys } from './config/index.ts';
import {
  CONFIG,
  type ConfiguredProject,
  type ConfiguredRuntime,
  callsForEver,
  configuredProject,
  scriptedProvider,
  startConfigured,
} from './fixtures/start-configured.ts';
import {
  BaigongError,
  type CallOptions,
  type CapabilityTable,
  defineAgentTool,
  type Json,
  type Locale,
  type Outcome,
  renderText,
  type StoredAsk,
} from './index.ts';

/** The source of a tool that may do as it likes. */
const tool = (execute: string, more = '') => `
  import { defineAgentTool } from 'baigong';
  export default defineAgentTool({
    description: 'For tests of the configuration.', requiresApproval: 'never', ${more}
    execute: ${execute},
  });`;

/** Without what the framework adds. */
const ownTools = ({ tools }: CapabilityTable) => tools.filter(({ source }) => source.via !== 'framework');

/** A tool of this process that does nothing. */
const nothing = defineAgentTool({ description: 'Does nothing.', requiresApproval: 'never', execute: () => 'nothing' });

async function resultOf(runtime: ConfiguredRuntime, name: string, input: { [name: string]: Json } = {}): Promise<Json> {
  const outcome = await runtime.call(name, input);
  if (outcome.status !== 'success') throw new Error(said(outcome));
  return 'value' in outcome.result ? outcome.result.value : null;
}

function said(outcome: Outcome, locale: Locale = 'en'): string {
  return outcome.status === 'error' ? `${outcome.code} ${renderText(outcome.message, locale)}` : outcome.status;
}

/** Starts a project whose configuration holds the key, and sees it named as one that does nothing. */
function hasNoEffectYet(key: string, yml: string): () => Promise<void> {
  return async () => {
    const runtime = await startConfigured(await configuredProject({ [CONFIG]: yml }));
    const warnings = runtime.problems.filter(({ code }) => code === 'NO_EFFECT_YET');
    expect(warnings).toMatchObject([{ field: expect.stringMatching(`^${key}`), fatal: false }]);
    const without = await startConfigured(await configuredProject({ [CONFIG]: '{}' }));
    expect(without.problems).toEqual([]);
  };
}

/** Roles and texts that the model got in its newest request. */
type Heard = readonly (readonly [string, string])[];

/** Three turns of one session; what the model got in the third. */
async function thirdRequest(yml: string, first = 'one', pause = async () => {}): Promise<Heard> {
  const { server, environment } = await scriptedProvider([{ text: 'uno' }, { text: 'due' }, { text: 'tre' }]);
  const runtime = await startConfigured(await configuredProject({ [CONFIG]: yml }), { environment });
  for (const text of [first, 'two', 'three']) {
    await runtime.run({ text, session: 's' }).result;
    await pause();
  }
  return server.requests[2]?.messages.map(({ role, text }) => [role, text] as const) ?? [];
}

/** Notes when it began and ended, and waits for another of its kind to begin, as long as it is told to. */
const meets = {
  'tools/meet/index.ts': `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    ${tool(
      `async ({ patienceMs }) => {
        appendFileSync('meetings', '+');
        for (let waited = 0; waited < patienceMs && readFileSync('meetings', 'utf8') === '+'; waited += 20) await sleep(20);
        appendFileSync('meetings', '-');
      }`,
      "timeoutMs: 60_000, inputSchema: { type: 'object', properties: { patienceMs: { type: 'number' } } },",
    )}`,
};

async function meetTwice(yml: string, patienceMs: number): Promise<string> {
  const project = await configuredProject({ ...meets, [CONFIG]: yml });
  const runtime = await startConfigured(project);
  const outcomes = await Promise.all([runtime.call('meet', { patienceMs }), runtime.call('meet', { patienceMs })]);
  expect(outcomes.map(({ status }) => status)).toEqual(['success', 'success']);
  return readFile(join(project.root, 'meetings'), 'utf8');
}

const maps = {
  'node_modules/baigong-plugin-maps/package.json': '{ "name": "baigong-plugin-maps", "type": "module" }',
  'node_modules/baigong-plugin-maps/tools/find/index.js': tool('(_input, { config }) => config'),
};
const FIND = 'maps__find';

/** How often five messages made sure that all is on disk; undefined where that cannot be counted. */
async function syncsOfChat(project: string): Promise<number | undefined> {
  if (spawnSync('strace', ['-V']).status !== 0) return undefined;
  const log = join(project, 'syncs');
  const program = fileURLToPath(new URL('./fixtures/five-messages-script.ts', import.meta.url));
  const node = [process.execPath, '--conditions=baigong-source', '--disable-warning=ExperimentalWarning', program];
  const strace = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log];
  await promisify(execFile)('strace', [...strace, ...node, project]);
  const count = Number(/messages (\d+)/.exec(await readFile(join(project, 'said'), 'utf8'))?.[1]);
  expect(count).toBe(5);
  return (await readFile(log, 'utf8')).split('\n').filter((line) => /f(data)?sync\(/.test(line)).length;
}

/** A tool of that level of approval. */
const pays = (level: string, more = '') => ({
  'tools/pay/index.ts': `
    import { defineAgentTool } from 'baigong';
    export default defineAgentTool({ description: 'Pays.', requiresApproval: '${level}', ${more} execute: () => 'paid' });`,
});

/** What a call comes to where nobody can be asked. */
async function payUnattended(level: string, yml: string): Promise<string> {
  const runtime = await startConfigured(await configuredProject({ ...pays(level), [CONFIG]: yml }));
  const outcome = await runtime.call('pay', {});
  return outcome.status === 'success' ? String(outcome.result.value) : said(outcome);
}

/** A call that waits for its approval. */
async function askedTo(project: ConfiguredProject, options: CallOptions = {}) {
  const runtime = await startConfigured(project);
  const asked = Promise.withResolvers<StoredAsk>();
  runtime.call('pay', {}, { attended: true, onAsk: asked.resolve, ...options }).catch(() => {});
  const ask = await asked.promise;
  return { runtime, ask, code: ask.code };
}

/** One test for each key: it sets the key in a file of a project, and sees from outside what that does. */
const tests: Readonly<Record<string, () => Promise<void>>> = {
  async locale() {
    const files = { 'tools/look/index.ts': tool('(_input, { locale }) => locale') };
    const runtime = await startConfigured(await configuredProject({ ...files, [CONFIG]: 'locale: zh' }));
    expect(await resultOf(runtime, 'look')).toBe('zh');
    expect((await runtime.run({ text: '42' }).result).text).toMatch(/离线/);
    const english = await startConfigured(await configuredProject(files));
    expect(await resultOf(english, 'look')).toBe('en');
  },
  async timeZone() {
    const files = { 'tools/look/index.ts': tool('(_input, { timeZone }) => timeZone') };
    const json = { 'baigong.config.json': '{ "timeZone": "Pacific/Kiritimati" }' };
    const runtime = await startConfigured(await configuredProject({ ...files, ...json }));
    expect(await resultOf(runtime, 'look')).toBe('Pacific/Kiritimati');
  },
  async 'ai.model'() {
    const { server, environment } = await scriptedProvider([{ text: 'hi' }]);
    const project = await configuredProject({ [CONFIG]: 'ai: { model: openai/my-own-model }' });
    const runtime = await startConfigured(project, { environment });
    await runtime.run({ text: 'hi' }).result;
    expect(server.requests[0]?.model).toBe('my-own-model');
  },
  async 'ai.providers.<name>.apiKey'() {
    const { server, environment } = await scriptedProvider([{ text: 'hi' }]);
    const project = await configuredProject({ [CONFIG]: 'ai: { providers: { openai: { apiKey: key-of-the-file } } }' });
    const runtime = await startConfigured(project, { environment });
    await runtime.run({ text: 'hi' }).result;
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-the-file');
  },
  async 'ai.providers.<name>.baseUrl'() {
    const { server } = await scriptedProvider([{ text: 'from the file' }]);
    const other = await scriptedProvider([{ text: 'from the environment' }]);
    const project = await configuredProject({
      'baigong.config.ts': `
        import { defineConfig } from 'baigong';
        export default defineConfig({ ai: { providers: { openai: { baseUrl: '${server.baseUrl}' } } } });`,
    });
    const runtime = await startConfigured(project, { environment: other.environment });
    expect((await runtime.run({ text: 'hi' }).result).text).toBe('from the file');
    expect(other.server.requests).toEqual([]);
  },
  'ai.mcpServers': hasNoEffectYet('ai.mcpServers', 'ai: { mcpServers: { files: { command: x } } }'),
  'ai.agents': hasNoEffectYet('ai.agents', 'ai: { agents: { writer: { model: x } } }'),
  'ai.agent.systemPromptMaxChars': hasNoEffectYet(
    'ai.agent.systemPromptMaxChars',
    'ai: { agent: { systemPromptMaxChars: 5 } }',
  ),
  'ai.agent.deferredTools.maxLoadedPerSession': hasNoEffectYet(
    'ai.agent.deferredTools',
    'ai: { agent: { deferredTools: { maxLoadedPerSession: 2 } } }',
  ),
  'ai.agent.deferredTools.discoverTopK': hasNoEffectYet(
    'ai.agent.deferredTools',
    'ai: { agent: { deferredTools: { discoverTopK: 2 } } }',
  ),
  'ai.agent.deferredTools.alwaysLoadedTools': hasNoEffectYet(
    'ai.agent.deferredTools',
    'ai: { agent: { deferredTools: { alwaysLoadedTools: [add] } } }',
  ),
  'ai.agent.deferredTools.alwaysLoadedMode': hasNoEffectYet(
    'ai.agent.deferredTools',
    'ai: { agent: { deferredTools: { alwaysLoadedMode: replace } } }',
  ),
  'ai.agent.deferredTools.mcpServers': hasNoEffectYet(
    'ai.agent.deferredTools',
    'ai: { agent: { deferredTools: { mcpServers: { files: [read] } } } }',
  ),
  async 'turn.maxSteps'() {
    const { environment } = await scriptedProvider([callsForEver('nothing')]);
    const project = await configuredProject({ [CONFIG]: 'turn: { maxSteps: 2 }' });
    const runtime = await startConfigured(project, { environment, tools: { nothing } });
    const result = await runtime.run({ text: 'go' }).result;
    expect(result).toMatchObject({ status: 'limit', error: { code: 'MAX_STEPS' }, steps: 2 });
  },
  async 'turn.timeoutMs'() {
    const { environment } = await scriptedProvider([{ hang: true }]);
    const project = await configuredProject({ [CONFIG]: 'turn: { timeoutMs: 321 }' });
    const runtime = await startConfigured(project, { environment });
    const { status, error } = await runtime.run({ text: 'go' }).result;
    expect({ status, code: error?.code }).toEqual({ status: 'limit', code: 'TURN_TIMEOUT' });
    expect(JSON.stringify(error?.message)).toContain('321');
  },
  async 'turn.historyTurns'() {
    expect(await thirdRequest('turn: { historyTurns: 1 }')).toEqual([
      ['user', 'two'],
      ['assistant', 'due'],
      ['user', 'three'],
    ]);
  },
  async 'turn.historyChars'() {
    const long = 'x'.repeat(5_000);
    expect(await thirdRequest('turn: { historyChars: 4000 }', long)).toEqual([
      ['user', 'two'],
      ['assistant', 'due'],
      ['user', 'three'],
    ]);
    expect((await thirdRequest('{}', long)).map(([, text]) => text)).toEqual([long, 'uno', 'two', 'due', 'three']);
  },
  async 'turn.parkAfterMs'() {
    const { server, environment } = await scriptedProvider([{ calls: [{ name: 'pay' }] }, { text: 'paid' }]);
    const project = await configuredProject({ ...pays('always'), [CONFIG]: 'turn: { parkAfterMs: 1 }' });
    const runtime = await startConfigured(project, { environment, takeUp: false });
    expect(await runtime.run({ text: 'pay', attended: true }).result).toMatchObject({ status: 'parked' });
    expect(server.requests).toHaveLength(1);
  },
  async 'approval.mode'() {
    expect(await payUnattended('always', 'approval: { mode: auto }')).toBe('paid');
    expect(await payUnattended('always', '{}')).toMatch(/NEEDS_HUMAN/);
  },
  async 'approval.unattended'() {
    const project = await configuredProject({ ...pays('always'), [CONFIG]: 'approval: { unattended: wait }' });
    const runtime = await startConfigured(project);
    const asked = Promise.withResolvers<string>();
    const outcome = runtime.call('pay', {}, { onAsk: ({ code }) => asked.resolve(code) });
    expect((await runtime.answer(await asked.promise, { approve: true })).status).toBe('counted');
    expect(await outcome).toMatchObject({ status: 'success' });
  },
  async 'approval.approvers'() {
    const project = await configuredProject({
      ...pays('always'),
      [CONFIG]: "approval: { approvers: ['role(trusted)'] }",
    });
    for (const [role, status] of [
      ['user', 'refused'],
      ['trusted', 'counted'],
    ] as const) {
      const { code, runtime } = await askedTo(project);
      const principal = {
        id: `x:y:${role}`,
        userId: role,
        role,
        platformRoles: [],
        authentication: 'platform',
      } as const;
      expect((await runtime.answer(code, { approve: false }, { principal })).status).toBe(status);
    }
    const unreadable = await configuredProject({ [CONFIG]: "approval: { approvers: ['role(boss)'] }" });
    await expect(startConfigured(unreadable)).rejects.toMatchObject({
      code: 'PROJECT_FAULTY',
      problems: [{ code: 'UNKNOWN_PERMISSION', file: expect.stringMatching(/^baigong\.config\.yml/), fatal: true }],
    });
    const later = await startConfigured(
      await configuredProject({ [CONFIG]: "approval: { approvers: ['group(42)'] }" }),
    );
    expect(later.problems).toMatchObject([{ code: 'ADMITS_NOBODY', field: 'approval.approvers[0]', fatal: false }]);
  },
  async 'approval.ownerSkips'() {
    expect(await payUnattended('always', 'approval: { ownerSkips: true }')).toBe('paid');
    expect(await payUnattended('human', 'approval: { ownerSkips: true }')).toMatch(/NEEDS_HUMAN/);
  },
  async 'approval.timeoutMs'() {
    const project = await configuredProject({ ...pays('always'), [CONFIG]: 'approval: { timeoutMs: 5000 }' });
    const { ask } = await askedTo(project, { origin: { kind: 'im', adapter: 'chat', endpoint: 'bot' } });
    expect(ask.answerBy - ask.openedAt).toBe(5000);
  },
  async 'approval.answerByMs'() {
    const project = await configuredProject({ ...pays('always'), [CONFIG]: 'approval: { answerByMs: 1 }' });
    const runtime = await startConfigured(project);
    expect(said(await runtime.call('pay', {}, { attended: true }))).toMatch(/APPROVAL_TIMEOUT/);
  },
  async 'approval.useByMs'() {
    const project = await configuredProject({ ...pays('always'), [CONFIG]: 'approval: { useByMs: 7 }' });
    expect((await askedTo(project)).ask).toMatchObject({ useForMs: 7 });
  },
  async 'approval.dangerousUseByMs'() {
    const files = { ...pays('never', "risk: 'dangerous',"), [CONFIG]: 'approval: { dangerousUseByMs: 7 }' };
    expect((await askedTo(await configuredProject(files))).ask).toMatchObject({ useForMs: 7, needsPerson: true });
  },
  async 'approval.reviewerModel'() {
    const { server, environment } = await scriptedProvider([{ text: '{"verdict":"approve"}' }]);
    const yml =
      'ai: { model: openai/answers }\napproval: { mode: reviewer, reviewerModel: openai/reviews, unattended: wait }';
    const runtime = await startConfigured(await configuredProject({ ...pays('always'), [CONFIG]: yml }), {
      environment,
    });
    expect(await resultOf(runtime, 'pay')).toBe('paid');
    expect(server.requests.map(({ model }) => model)).toEqual(['reviews']);
  },
  async 'record.enabled'() {
    for (const [yml, kinds] of [
      ['record: { enabled: false }', 0],
      ['{}', 4],
    ] as const) {
      const runtime = await startConfigured(await configuredProject({ [CONFIG]: yml }));
      const { turnId, status } = await runtime.run({ text: 'hi' }).result;
      expect(status).toBe('done');
      expect(await runtime.record(turnId)).toHaveLength(kinds);
      expect(await runtime.messages(turnId)).toHaveLength(2);
    }
  },
  async 'execution.timeoutMs'() {
    const files = { 'tools/endless/index.ts': tool('() => { for (;;); }') };
    const runtime = await startConfigured(
      await configuredProject({ ...files, [CONFIG]: 'execution: { timeoutMs: 654 }' }),
    );
    const outcome = await runtime.call('endless', {});
    expect(said(outcome)).toMatch(/^TIMEOUT .*654/);
  },
  async 'execution.maxOutputChars'() {
    const { server, environment } = await scriptedProvider([{ calls: [{ name: 'chatty' }] }, { text: 'ok' }]);
    const project = await configuredProject({
      'tools/chatty/index.ts': tool("() => '字'.repeat(1_000)"),
      [CONFIG]: 'execution: { maxOutputChars: 60 }',
    });
    const runtime = await startConfigured(project, { environment });
    await runtime.run({ text: 'go' }).result;
    const text = server.requests[1]?.messages.at(-1)?.results[0]?.text;
    expect(text).toMatch(/^字{40,60}[^字]/);
  },
  async 'execution.maxChildren'() {
    expect(await meetTwice('execution: { maxChildren: 1 }', 1_000)).toBe('+-+-');
    expect(await meetTwice('execution: { maxChildren: 2 }', 30_000)).toBe('++--');
  },
  async 'execution.environment'() {
    const files = { 'tools/look/index.ts': tool("() => process.env.COLOUR ?? 'none'") };
    const project = await configuredProject({ ...files, [CONFIG]: 'execution: { environment: { COLOUR: green } }' });
    expect(await resultOf(await startConfigured(project), 'look')).toBe('green');
    expect(await resultOf(await startConfigured(await configuredProject(files)), 'look')).toBe('none');
  },
  async 'session.idleMs'() {
    const pause = async () => {
      const from = Date.now();
      await expect.poll(() => Date.now() - from).toBeGreaterThan(5);
    };
    expect(await thirdRequest('session: { idleMs: 1 }', 'one', pause)).toEqual([['user', 'three']]);
    expect(await thirdRequest('session: { idleMs: 3600000 }', 'one', pause)).toHaveLength(5);
  },
  async 'session.overlap'() {
    const { server, environment } = await scriptedProvider([{ hang: true }, { text: 'second' }]);
    const project = await configuredProject({ [CONFIG]: 'session: { overlap: supersede }' });
    const runtime = await startConfigured(project, { environment });
    const first = runtime.run({ text: 'one', session: 's' });
    await server.waitForRequests(1);
    expect(await runtime.run({ text: 'two', session: 's' }).result).toMatchObject({ status: 'done', text: 'second' });
    expect(await first.result).toMatchObject({ status: 'cancelled' });
  },
  async 'state.durability'() {
    // What the disk is waited for is counted in store/open-database.test.ts; here, that the key reaches the store.
    const syncs: (number | undefined)[] = [];
    for (const durability of ['full', 'lazy'] as const) {
      const project = await configuredProject({ [CONFIG]: `state: { durability: ${durability} }` });
      syncs.push(await syncsOfChat(project.root));
    }
    const [full, lazy] = syncs;
    // The end of each of five turns; both open and close the file.
    if (full !== undefined && lazy !== undefined) expect(full - lazy).toBe(5);
  },
  async 'state.retentionMs'() {
    const project = await configuredProject({ ...pays('never'), [CONFIG]: 'state: { retentionMs: 1 }' });
    const first = await startConfigured(project, { store: { file: join(project.root, 'own.db') } });
    await first.call('pay', {}, { session: 's' });
    const [turn] = await first.turns('s');
    expect(await first.calls(turn?.id ?? '')).toHaveLength(1);
    await first.close();
    const next = await startConfigured(project, { store: { file: join(project.root, 'own.db') } });
    await expect.poll(() => next.calls(turn?.id ?? ''), { timeout: 10_000 }).toEqual([]);
    expect(await next.turn(turn?.id ?? '')).toMatchObject({ status: 'done' });
  },
  async 'state.folder'() {
    const project = await configuredProject({ [CONFIG]: 'state: { folder: else/where }' });
    const runtime = await startConfigured(project);
    await runtime.run({ text: 'hi' }).result;
    expect(existsSync(join(project.root, 'else/where/baigong.db'))).toBe(true);
    expect(existsSync(join(project.root, '.baigong'))).toBe(false);
  },
  async 'reload.watch'() {
    const project = await configuredProject({ [CONFIG]: 'reload: { watch: false }' });
    const still = await startConfigured(project, { watch: true });
    // The flag counts more than the file: this one sees what there was to see.
    const awake = await startConfigured(project, { watch: true, flags: new Map([['reload.watch', 'true']]) });
    for (const count of [1, 2]) {
      await project.write({ [`tools/new-${count}/index.ts`]: tool('() => 1') });
      await expect.poll(() => ownTools(awake.table).length, { timeout: 20_000 }).toBe(count);
    }
    expect([still.notices, ownTools(still.table)]).toEqual([[], []]);
    // Nothing had been loaded, or there would be nothing to load now.
    expect(await still.reload()).toMatchObject({ status: 'changed', generation: 2 });
  },
  async 'reload.quietMs'() {
    const project = await configuredProject({ [CONFIG]: 'reload: { quietMs: 4000 }' });
    const patient = await startConfigured(project, { watch: true });
    const hasty = await startConfigured(project, { watch: true, flags: new Map([['reload.quietMs', '1']]) });
    for (const count of [1, 2]) {
      await project.write({ [`tools/new-${count}/index.ts`]: tool('() => 1') });
      await expect.poll(() => ownTools(hasty.table).length, { timeout: 20_000 }).toBe(count);
    }
    await expect.poll(() => patient.notices.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(patient.notices).toMatchObject([{ type: 'reload', status: 'changed', generation: 2 }]);
    expect(ownTools(patient.table)).toHaveLength(2);
    expect(hasty.notices.length).toBeGreaterThan(1);
  },
  async 'network.allowHosts'() {
    const address = await pong();
    const project = await configuredProject({
      'tools/ask/index.ts': tool(`async (_input, { fetch }) => (await fetch('http://${address}/')).text()`),
      [CONFIG]: `network: { allowHosts: ["${address}"] }`,
    });
    expect(await resultOf(await startConfigured(project), 'ask')).toBe('pong');
    const closed = await startConfigured(project, { flags: new Map([['network.allowHosts', 'else.example']]) });
    expect(said(await closed.call('ask', {}))).toContain('127.0.0.1');
  },
  async 'network.allowFakeIp'() {
    const { root, home, write } = await configuredProject({
      'tools/ask/index.ts': tool(
        "async (_input, { fetch }) => (await fetch('http://name.example/')).status",
        'timeoutMs: 2_000,',
      ),
    });
    const script = join(import.meta.dirname, 'fixtures/call-behind-proxy-script.ts');
    const call = async () => {
      const arguments_ = ['--conditions=baigong-source', script, root, home];
      return JSON.parse((await promisify(execFile)(process.execPath, arguments_)).stdout);
    };
    expect(await call()).toMatchObject({ code: 'ACCESS_DENIED' });
    await write({ [CONFIG]: 'network: { allowFakeIp: true }' });
    // Whoever may answer at that address, or nobody: the way there is open.
    expect([undefined, 'UPSTREAM_UNAVAILABLE', 'TIMEOUT']).toContain((await call()).code);
  },
  async plugins() {
    const files = { ...maps, 'plugins/weather/tools/now/index.ts': tool('(_input, { config }) => config') };
    const start = async (yml: string) => startConfigured(await configuredProject({ ...files, [CONFIG]: yml }));
    const namesOf = ({ table }: ConfiguredRuntime) =>
      ownTools(table)
        .map(({ name }) => name)
        .sort();
    expect(namesOf(await start('{}'))).toEqual(['weather__now']);
    expect(namesOf(await start('plugins: [baigong-plugin-maps]'))).toEqual([FIND, 'weather__now']);
    expect(namesOf(await start('plugins: { baigong-plugin-maps: true, weather: false }'))).toEqual([FIND]);
    const configured = await start('plugins: { baigong-plugin-maps: { unit: km }, weather: { city: Oslo } }');
    expect(await resultOf(configured, FIND)).toEqual({ unit: 'km' });
    expect(await resultOf(configured, 'weather__now')).toEqual({ city: 'Oslo' });
  },
  async trusted() {
    const files = {
      ...maps,
      'node_modules/baigong-plugin-maps/tools/find/index.js': tool('() => process.pid', "isolation: 'inline',"),
    };
    const yml = 'plugins: [baigong-plugin-maps]';
    const trusting = await configuredProject({ ...files, [CONFIG]: `${yml}\ntrusted: [baigong-plugin-maps]` });
    expect(await resultOf(await startConfigured(trusting), FIND)).toBe(process.pid);
    const refused = startConfigured(await configuredProject({ ...files, [CONFIG]: yml }));
    const error = await refused.catch((reason: unknown) => reason);
    expect(BaigongError.isInstance(error) && error.problems.map(({ code }) => code)).toEqual(['UNTRUSTED_INLINE']);
  },
  async config() {
    const files = { 'tools/look/index.ts': tool('(_input, { config }) => config') };
    const project = await configuredProject({ ...files, [CONFIG]: 'config: { city: 北京, days: [1, 2] }' });
    expect(await resultOf(await startConfigured(project), 'look')).toEqual({ city: '北京', days: [1, 2] });
  },
};

/** `host:port` of a server on this machine that says pong. */
async function pong(): Promise<string> {
  const server = createServer((_request, response) => response.end('pong'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
}

it('every configuration key has its test, and no test is of a key that does not exist', () => {
  expect(Object.keys(tests).sort()).toEqual(
    configKeys()
      .map(({ path }) => path)
      .sort(),
  );
});

describe('configuration', () => {
  for (const [key, test] of Object.entries(tests)) it(`configuration key ${key}`, test);
});

describe('a key', () => {
  /** Where it can be said, from the weakest; each says another number of steps. */
  const levels = [
    ['default', 15],
    ['home', 2],
    ['project', 3],
    ['code', 4],
    ['.env', 5],
    ['environment', 6],
    ['flag', 7],
  ] as const;

  it.each(levels.map((_, index) => levels.slice(0, index + 1)).map((said) => [said.at(-1)?.[0], said] as const))(
    'said up to %s has the value of the strongest place',
    async (_where, said) => {
      const { server, environment } = await scriptedProvider([callsForEver('nothing')]);
      const steps = new Map<string, number>(said);
      const line = (level: string, of: (steps: number) => string) => {
        const value = steps.get(level);
        return value === undefined ? '' : of(value);
      };
      const project = await configuredProject({
        'home/.baigong/config.yml': line('home', (value) => `turn: { maxSteps: ${value} }`),
        [CONFIG]: line('project', (value) => `turn: { maxSteps: ${value} }`),
        '.env': line('.env', (value) => `BAIGONG_TURN__MAX_STEPS=${value}`),
      });
      const code = steps.get('code');
      const runtime = await startConfigured(project, {
        tools: { nothing },
        environment: { ...environment, BAIGONG_TURN__MAX_STEPS: line('environment', String) || undefined },
        flags: new Map(steps.has('flag') ? [['turn.maxSteps', line('flag', String)]] : []),
        ...(code === undefined ? {} : { settings: { turn: { maxSteps: code } } }),
      });
      const result = await runtime.run({ text: 'go' }).result;
      expect([result.steps, server.requests.length]).toEqual([said.at(-1)?.[1], said.at(-1)?.[1]]);
    },
  );
});
