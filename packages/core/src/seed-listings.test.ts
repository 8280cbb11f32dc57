import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startScriptedModel } from '@baigong/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeListings } from './fixtures/seed/complete-listings.ts';
import { listingSets } from './fixtures/seed/listing-sets.ts';
import { type LoadedProject, loadProject } from './fixtures/seed/load-project.ts';
import type { Origin, Outcome, Role, Runtime, RuntimeOptions, StoredAsk } from './index.ts';

const settings = { plugins: { lottery: { agentToolsEnabled: true }, forecast: { apiKey: 'k-1' } } };
const qqGroup: Origin = { kind: 'im', platform: 'icqq', adapter: 'icqq', scope: 'group', sceneId: '1' };

function person(role: Role) {
  return { id: 'icqq:1:u', userId: 'u', role, platformRoles: [], authentication: 'platform' } as const;
}

describe.each(listingSets())('$title', ({ listings }) => {
  let server: Server;
  let runtime: Runtime;
  let files: Record<string, string>;
  const asked: (string | undefined)[] = [];
  const open: LoadedProject[] = [];

  const start = async (options: RuntimeOptions = {}, changed: Record<string, string> = {}): Promise<Runtime> => {
    const loaded = await loadProject({ ...files, ...changed }, { settings, ...options });
    open.push(loaded);
    return loaded.runtime;
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url);
      response.end('北京: ☀️ +25°C');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    files = listings === undefined ? {} : completeListings(listings, { weatherUrl: `http://127.0.0.1:${port}` });
    runtime = await start();
  });
  afterAll(async () => {
    for (const one of open) await one.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(listings === undefined)('load as one project, each under its folder’s name', () => {
    expect(runtime.problems.filter(({ code }) => code !== 'NO_EFFECT_YET')).toEqual([]);
    expect(
      runtime.table.capabilities
        .filter(({ source }) => source.via !== 'framework')
        .map(({ kind, key }) => `${kind} ${key}`),
    ).toEqual([
      'tool delete_record',
      'tool group_kick',
      'tool memory_search',
      'tool memory_upsert',
      'tool remove_member',
      'tool translate',
      'tool weather',
      'skill memory-consolidate',
      'prompt-section project-rules',
      'tool forecast__weather',
      'tool lottery__lottery_sync',
    ]);
  });

  it.skipIf(listings === undefined)('say in the table what they say on paper', () => {
    const { table } = runtime;
    const get = (name: string) => table.get(name);
    expect(get('weather')).toMatchObject({
      approval: 'never',
      ownValidator: true,
      inputSchema: { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] },
    });
    expect(table.admissionClasses[get('group_kick')?.admissionClass ?? -1]).toEqual({
      platforms: ['icqq'],
      scopes: ['group'],
      permissions: [{ kind: 'role', atLeast: 'master' }],
    });
    expect(get('group_kick')).toMatchObject({ approval: 'on-risk' });
    expect(get('delete_record')).toMatchObject({ approval: 'always', dangerous: false });
    expect(get('remove_member')).toMatchObject({ dangerous: true, danger: 'member' });
    expect(get('translate')).toMatchObject({ alwaysLoaded: true, inputSchema: { type: 'object' } });
    expect(get('forecast__weather')).toMatchObject({ owner: { plugin: ['forecast'] }, ownValidator: false });
    expect(get('lottery__lottery_sync')).toMatchObject({ approval: 'always', source: { via: 'setup' } });
    expect(table.find('prompt-section', 'project-rules')).toMatchObject({
      layer: 'context',
      order: 70,
      retention: 'preferred',
      maxChars: 1000,
      profiles: ['interactive'],
    });
    expect(table.find('skill', 'memory-consolidate')).toMatchObject({ tools: ['memory_upsert', 'memory_search'] });
  });

  it.skipIf(listings === undefined)('the weather tool asks its service and hands its answer over', async () => {
    asked.length = 0;
    expect(await runtime.call('weather', { city: '北京' })).toMatchObject({
      status: 'success',
      result: { kind: 'text', value: '北京: ☀️ +25°C' },
    });
    expect(asked).toEqual(['/%E5%8C%97%E4%BA%AC?format=3']);
  });

  it.skipIf(listings === undefined)('the weather tool is not asked for a city without a name', async () => {
    asked.length = 0;
    expect(await runtime.call('weather', { city: '' })).toMatchObject({ status: 'error', code: 'INVALID_ARGUMENTS' });
    expect(asked).toEqual([]);
  });

  it.skipIf(listings === undefined)('the tool with a configuration gets that of its plugin', async () => {
    expect(await runtime.call('forecast__weather', { city: 'Oslo' })).toMatchObject({
      status: 'success',
      result: { value: 'Oslo, asked with k-1' },
    });
  });

  it.skipIf(listings === undefined)('the resident tool runs, and gives nothing back', async () => {
    expect(await runtime.call('translate', { text: 'hello' })).toMatchObject({ status: 'success' });
  });

  it.skipIf(listings === undefined).each(['delete_record', 'remove_member', 'lottery__lottery_sync'])(
    '%s is not run without a person, not even from code',
    async (name) => {
      expect(await runtime.call(name, {})).toMatchObject({ status: 'error', code: 'NEEDS_HUMAN', effect: 'none' });
    },
  );

  it.skipIf(listings === undefined)(
    'the lottery tool reaches the database of the plugin that provides it',
    async () => {
      // As printed it asks a person before each call.
      const outcomes: Outcome[] = [];
      for (let time = 1; time <= 2; time++) {
        const asked = Promise.withResolvers<StoredAsk>();
        const outcome = runtime.call('lottery__lottery_sync', {}, { attended: true, onAsk: asked.resolve });
        const { code, card } = await asked.promise;
        expect(card.tool).toBe('lottery__lottery_sync');
        expect((await runtime.answer(code, { approve: true })).status).toBe('counted');
        outcomes.push(await outcome);
      }
      expect(outcomes).toMatchObject([
        { status: 'success', result: { value: { syncedTimes: 1 } } },
        { status: 'success', result: { value: { syncedTimes: 2 } } },
      ]);
    },
  );

  it.skipIf(listings === undefined).each([
    ['is not configured', {}],
    ['is switched off', { lottery: { agentToolsEnabled: false } }],
  ])('the lottery tool is absent when its plugin %s', async (_what, plugins) => {
    const off = await start({ settings: { plugins } });
    const names = off.table.tools.map(({ name }) => name);
    const outcome = await off.call('lottery__lottery_sync', {});
    expect(names).not.toContain('lottery__lottery_sync');
    expect(names).toContain('weather');
    expect(outcome).toMatchObject({ status: 'error', code: 'UNKNOWN_TOOL' });
  });

  it.skipIf(listings === undefined).each([
    ['a QQ group', 'the master', qqGroup, 'master', true],
    ['a QQ group', 'anybody', qqGroup, 'trusted', false],
    ['a private QQ chat', 'the master', { ...qqGroup, scope: 'private' }, 'master', false],
    ['a group elsewhere', 'the master', { ...qqGroup, platform: 'discord', adapter: 'discord' }, 'master', false],
    ['a terminal', 'the master', { kind: 'cli' }, 'master', false],
  ] as const)('in %s, for %s, the model is told of group_kick or not', async (_where, _who, origin, role, isTold) => {
    await using model = await startScriptedModel({
      answers: [{ calls: [{ name: 'group_kick' }] }, { text: 'I see.' }],
    });
    const environment = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'scripted' };
    const chat = await start({ environment, model: 'openai/scripted' });
    const result = await chat.run({ text: 'kick him', origin, principal: person(role) }).result;
    expect(result).toMatchObject({ status: 'done', text: 'I see.' });
    const [first, second] = model.requests.filter((request) => request.format !== undefined);
    expect(first?.toolNames).toContain('weather');
    expect(first?.toolNames.includes('group_kick')).toBe(isTold);
    const answer = second?.messages.at(-1)?.results[0]?.text ?? '';
    expect(answer.includes('UNKNOWN_TOOL')).toBe(!isTold);
  });
});
