import { afterAll, describe, expect, it } from 'vitest';
import { defineAgentTool, defineToken, type ToolContext } from '../authoring/index.ts';
import type { Message } from '../contracts/message.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { createInlineExecutor, createProcessExecutor } from '../execution/index.ts';
import { StoreError } from '../store/store-error.ts';
import { createWorld, type WorldOptions } from './fixtures/call-world.ts';

const executors = { inline: createInlineExecutor(), process: createProcessExecutor() };
afterAll(() => Promise.all([executors.inline.close(), executors.process.close()]));

/** What a tool that looks around in its context comes to. */
async function look(
  execute: (context: ToolContext<unknown>) => unknown,
  options: Partial<WorldOptions> = {},
  networkLabels: readonly string[] = [],
) {
  const definition = defineAgentTool({ description: 'x', execute: (_input, context) => execute(context) });
  const world = createWorld({ executors, tools: { look: { definition, networkLabels } }, ...options });
  return { world, outcome: await world.call('look') };
}

function resultOf(outcome: Outcome): unknown {
  if (outcome.status === 'error') throw new Error(renderText(outcome.message, 'en'));
  return outcome.result.value;
}

const databaseToken = defineToken<{ sync(count: number): Promise<number> }>('lottery.db');

describe('the context of a tool in this process', () => {
  it('says where it is, for whom, and under which policy', async () => {
    const { outcome } = await look(
      ({ policy, principal, origin, locale, timeZone, call, session }) => ({
        policy,
        role: principal.role,
        origin,
        locale,
        timeZone,
        call,
        session: session.id,
      }),
      { allowHosts: ['127.0.0.1:80'] },
      ['api.example'],
    );
    expect(resultOf(outcome)).toEqual({
      policy: { role: 'trusted', attended: false, allowHosts: ['127.0.0.1:80'], network: ['api.example'] },
      role: 'trusted',
      origin: { kind: 'cli' },
      locale: 'en',
      timeZone: 'Asia/Shanghai',
      call: {
        turnId: 'turn',
        callId: 'turn.1.0',
        toolName: 'look',
        attempt: 1,
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      session: 'session',
    });
  });

  it('gives each call an idempotency key of its own, and the same call the same', async () => {
    const { world, outcome } = await look(({ call }) => call.idempotencyKey);
    const again = createWorld({ executors, tools: { look: { ...world.table.tools[0] } } });
    expect(resultOf(await again.call('look'))).toBe(resultOf(outcome));
    expect(resultOf(await again.call('look'))).not.toBe(resultOf(outcome));
  });

  it('has the parsed configuration and the client themselves', async () => {
    const config = { plain: { at: 'text' }, live: { at: new Date(0) } };
    const client = { kick: () => 'kicked' };
    const { outcome } = await look(
      (context) => [
        (context.config as { at: Date }).at instanceof Date,
        (context.$client as typeof client).kick(),
        context.question === undefined,
      ],
      { config, client },
    );
    expect(resultOf(outcome)).toEqual([true, 'kicked', true]);
  });

  it('uses the object that a plugin provides, by a token of any copy', async () => {
    const value = { rows: 3, sync: async (count: number) => count * 2 };
    const { outcome } = await look(
      async ({ use }) => {
        const db = use(defineToken<typeof value>('lottery.db'));
        return [db === value, db.rows, await db.sync(4)];
      },
      { services: [{ token: 'lottery.db', value, remote: [] }] },
    );
    expect(resultOf(outcome)).toEqual([true, 3, 8]);
  });

  it.each([
    ['a service that nobody provides', databaseToken, /No plugin provides the service "lottery\.db"/],
    ['a name that every object has', defineToken('constructor'), /No plugin provides the service "constructor"/],
    ['what is no token', { name: 'lottery.db' }, /a token made by defineToken; found object/],
    ['nothing', undefined, /found undefined/],
  ])('ends as EXECUTION_ERROR when it uses %s', async (_what, token, said) => {
    const { outcome } = await look(({ use }) => use(token as never));
    expect(outcome).toMatchObject({ status: 'error', code: 'EXECUTION_ERROR' });
    if (outcome.status === 'error') expect(renderText(outcome.message, 'en')).toMatch(said);
  });

  it('keeps session values, and says which is too large', async () => {
    const { world, outcome } = await look(async ({ session }) => {
      await session.set('a', { n: 1 });
      await session.set('gone', 1);
      await session.delete('gone');
      return [await session.get('a'), await session.get('gone', 'none')];
    });
    expect(resultOf(outcome)).toEqual([{ n: 1 }, 'none']);
    const full = new StoreError('LIMIT', { key: 'plain', values: { text: 'the session is full' } });
    const broken = new StoreError('FAILED', { key: 'plain', values: { text: '/srv/secret/state.db is broken' } });
    const said = (error: Error) =>
      world.call('look', {}, { session: { ...world.scope.session, set: () => Promise.reject(error) } });
    expect(JSON.stringify(await said(full))).toContain('the session is full');
    const hidden = await said(broken);
    expect(JSON.stringify(hidden)).toContain('could not be read or written');
    expect(JSON.stringify(hidden)).not.toContain('secret');
    expect(JSON.stringify(world.records)).toContain('/srv/secret/state.db');
  });

  it('sends requests through the host’s fetch, under the rules of the call', async () => {
    const rules: UrlRules[] = [];
    const asked: unknown[] = [];
    const { outcome } = await look(
      async ({ fetch }) => (await fetch('https://api.example/v1', { method: 'POST', body: 'q' })).text(),
      {
        allowHosts: ['127.0.0.1:80'],
        fetch: (given) => {
          rules.push(given);
          return async (request) => {
            asked.push(request);
            const body = Buffer.from('hello').toString('base64');
            return {
              status: 200,
              statusText: 'OK',
              headers: [],
              body,
              url: 'https://api.example/v1',
              redirected: false,
            };
          };
        },
      },
      ['api.example'],
    );
    expect(resultOf(outcome)).toBe('hello');
    expect(rules).toEqual([{ allowHosts: ['127.0.0.1:80'], allowedByTool: ['api.example'] }]);
    expect(asked).toMatchObject([{ url: 'https://api.example/v1', method: 'POST' }]);
  });

  it('ends as ACCESS_DENIED when the policy refuses an address', async () => {
    const { outcome } = await look(({ fetch }) => fetch('http://169.254.169.254/'));
    expect(outcome).toMatchObject({ status: 'error', code: 'ACCESS_DENIED', retryable: false });
  });
});

describe('context.history', () => {
  const said = (text: string, at: number): Message => ({ role: 'user', turnId: 't', at, speakerId: 'u', text });
  const history: readonly Message[] = [
    said('first', 1),
    {
      role: 'assistant',
      turnId: 't',
      at: 2,
      step: 1,
      parts: [
        { type: 'reasoning', text: 'secret thought' },
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      calls: [],
    },
    { role: 'assistant', turnId: 't', at: 3, step: 2, parts: [], calls: [] },
    {
      role: 'tool',
      turnId: 't',
      at: 4,
      callId: 't.1.0',
      providerCallId: 'p',
      toolName: 'weather',
      outcome: {
        status: 'success',
        effect: 'none',
        durationMs: 1,
        warnings: [],
        result: {
          kind: 'parts',
          value: [
            { type: 'text', text: 'a chart' },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
      },
    },
  ];

  it('gives plain messages, oldest first, without thoughts and data', async () => {
    const { outcome } = await look(({ history }) => history(), { history });
    expect(resultOf(outcome)).toEqual([
      { role: 'user', text: 'first', at: 1, turnId: 't' },
      { role: 'assistant', text: 'ab', at: 2, turnId: 't' },
      { role: 'tool', text: 'a chart\n[image image/png, 3 B]', at: 4, turnId: 't', toolName: 'weather' },
    ]);
  });

  it('gives the newest: 50, or as many as are asked for, up to 200,000 characters', async () => {
    const many = Array.from({ length: 300 }, (_, at) => said(`m${at}`, at));
    const count = (limit?: number, messages: readonly Message[] = many) =>
      look(
        async (context) =>
          (await context.history(limit === undefined ? {} : { limit })).map(({ text }) => text.slice(0, 9)),
        {
          history: messages,
        },
      ).then(({ outcome }) => resultOf(outcome));
    expect(await count()).toHaveLength(50);
    expect(await count(2)).toEqual(['m298', 'm299']);
    expect(await count(200)).toHaveLength(200);
    const long = Array.from({ length: 5 }, (_, at) => said(`${at}${'x'.repeat(89_999)}`, at));
    expect(await count(200, long)).toEqual(['3xxxxxxxx', '4xxxxxxxx']);
    const { outcome } = await look(async (context) => (await context.history()).map(({ text }) => text.length), {
      history: [said('y'.repeat(300_000), 1)],
    });
    expect(resultOf(outcome)).toEqual([200_000]);
  });

  it.each([0, 201, 1.5, '7', Number.NaN])('refuses the limit %s', async (limit) => {
    const { outcome } = await look(({ history }) => history({ limit: limit as never }));
    expect(outcome).toMatchObject({ status: 'error', code: 'EXECUTION_ERROR' });
    if (outcome.status === 'error') expect(renderText(outcome.message, 'en')).toContain('from 1 to 200');
  });

  it('gives copies', async () => {
    const { outcome } = await look(
      async (context) => {
        const [first] = await context.history();
        (first as { text: string }).text = 'changed';
        return (await context.history())[0]?.text;
      },
      { history },
    );
    expect(resultOf(outcome)).toBe('first');
  });
});
