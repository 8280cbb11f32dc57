import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createRuntime,
  defineAgentTool,
  InputError,
  type Outcome,
  type Principal,
  type Runtime,
  renderText,
  UpstreamError,
} from '../index.ts';

let runtime: Runtime;
const ran: string[] = [];

const forecast = z.object({
  city: z.string().min(1),
  days: z.number().int().min(1).max(7).default(3),
  unit: z.enum(['c', 'f']).optional(),
  when: z.iso.datetime({ local: true }).optional(),
});

beforeAll(async () => {
  const never = { requiresApproval: 'never' } as const;
  const tool = (name: string, execute: () => unknown, more: object = {}) =>
    defineAgentTool({
      description: `The tool ${name}.`,
      ...never,
      ...more,
      execute: async () => {
        ran.push(name);
        return execute();
      },
    });
  const readOnly = { annotations: { readOnlyHint: true } };
  runtime = await createRuntime({
    store: 'memory',
    environment: {},
    tools: {
      forecast: defineAgentTool({
        description: 'Forecast.',
        ...never,
        inputSchema: forecast,
        execute: (input) => input,
      }),
      taken: defineAgentTool({
        description: 'Refuses in its own validator.',
        ...never,
        inputSchema: z.object({ name: z.string().refine(async (name) => name !== 'root', 'is taken') }),
        execute: ({ name }) => name,
      }),
      strict: defineAgentTool({
        description: 'Strict.',
        ...never,
        inputSchema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { 'a/b': { type: 'number' }, list: { type: 'array', items: { type: 'integer' } } },
          additionalProperties: false,
        },
        execute: (input) => input,
      }),
      tree: defineAgentTool({
        description: 'Takes a tree.',
        ...never,
        inputSchema: {
          $id: 'https://example.test/tree',
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
          required: ['name'],
        },
        execute: (input) => input,
      }),
      nested: defineAgentTool({
        description: 'Takes a tree without a name of its own.',
        ...never,
        inputSchema: { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false },
        execute: (input) => input,
      }),
      slowPattern: defineAgentTool({
        description: 'Has a pattern that takes exponential time.',
        ...never,
        inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
        execute: (input) => input,
      }),
      inherited: defineAgentTool({
        description: 'Has parameters with names that every object inherits.',
        ...never,
        inputSchema: {
          type: 'object',
          properties: { constructor: { type: 'string' }, toString: { type: 'string', default: 'x' }, valueOf: {} },
          required: ['valueOf'],
        },
        execute: (input) => Object.entries(input),
      }),
      own: defineAgentTool({
        description: 'Has a validator that says more than its schema can.',
        ...never,
        inputSchema: z.object({
          flag: z
            .string()
            .regex(/^[a-z]+$/i)
            .optional(),
          step: z.number().multipleOf(0.1).optional(),
          short: z.string().trim().max(3).optional(),
          count: z.coerce.number().optional(),
        }),
        execute: (input) => input,
      }),
      manyFaults: tool('manyFaults', () => new Array(300_000).fill(0), {
        outputSchema: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'object' }] },
        },
      }),
      list: defineAgentTool({
        description: 'Takes a linked list; its schema bears the same $id as another tool’s.',
        ...never,
        inputSchema: {
          $id: 'https://example.test/tree',
          type: 'object',
          properties: { next: { $ref: '#/$defs/link' } },
          $defs: {
            link: { type: 'object', properties: { next: { $ref: '#/$defs/link' } }, additionalProperties: false },
          },
        },
        execute: (input) => input,
      }),
      open: defineAgentTool({ description: 'Open.', ...never, execute: (input) => Object.keys(input) }),
      inputError: tool('inputError', () => {
        throw new InputError('no such city', { hint: 'Ask which one.' });
      }),
      upstreamError: tool('upstreamError', () => {
        throw new UpstreamError('the service is down');
      }),
      upstreamReadOnly: tool(
        'upstreamReadOnly',
        () => {
          throw new UpstreamError('the service is down');
        },
        readOnly,
      ),
      throws: tool('throws', () => {
        throw new Error('broken');
      }),
      throwsReadOnly: tool(
        'throwsReadOnly',
        () => {
          throw new Error('broken');
        },
        readOnly,
      ),
      throwsNull: tool('throwsNull', () => {
        throw null;
      }),
      bigint: tool('bigint', () => ({ id: 1n })),
      nothing: tool('nothing', () => undefined),
      slow: tool('slow', () => new Promise(() => {}), { timeoutMs: 30 }),
      wrong: tool('wrong', () => ({ sum: 'three' }), {
        outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
      }),
      right: tool('right', () => ({ sum: 3 }), {
        outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
      }),
      long: tool('long', () => ({ text: 'y'.repeat(5_000) }), { maxOutputChars: 50 }),
      once: tool('once', () => 1, { requiresApproval: 'once' }),
      always: tool('always', () => 1, { requiresApproval: 'always' }),
      human: tool('human', () => 1, { requiresApproval: 'human' }),
      onRisk: tool('onRisk', () => 1, { requiresApproval: 'on-risk' }),
      dangerous: tool('dangerous', () => 1, { risk: 'dangerous' }),
      masters: tool('masters', () => 1, { permissions: ['role(master)'] }),
      groups: tool('groups', () => 1, { scopes: ['group'], platforms: ['qq'] }),
      unreadable: tool('unreadable', () => 1, { permissions: ['group(1)'] }),
    },
  });
});
afterAll(() => runtime.close());

function codeOf(outcome: Outcome): string {
  return outcome.status === 'success' ? 'success' : `${outcome.code} ${outcome.effect}`;
}

/** What the record says of the newest call: without `call-start` nothing was started. */
async function recordedKinds(): Promise<readonly string[]> {
  const [newest] = await runtime.turns(undefined, 1);
  return (await runtime.record(newest?.id ?? '')).map((entry) => entry.kind);
}

describe('arguments', () => {
  it.each([
    ['defaults are filled in', 'forecast', '{"city":"北京"}', { city: '北京', days: 3 }],
    ['nothing at all means no arguments', 'open', '', []],
    [
      'an open schema takes everything, __proto__ too',
      'open',
      '{"__proto__":1,"constructor":2}',
      ['__proto__', 'constructor'],
    ],
    ['exact digits where the schema is open', 'open', '{"12345678901234567890":1}', ['12345678901234567890']],
    ['draft-07', 'strict', '{"a/b":1.5,"list":[1,2]}', { 'a/b': 1.5, list: [1, 2] }],
    ['a recursive schema', 'tree', '{"name":"a","children":[{"name":"b"}]}', { name: 'a', children: [{ name: 'b' }] }],
    ['a recursive schema without an id', 'nested', '{"child":{"child":{}}}', { child: { child: {} } }],
    [
      'names that are inherited',
      'inherited',
      '{"valueOf":1}',
      [
        ['valueOf', 1],
        ['toString', 'x'],
      ],
    ],
    ['flags of a regular expression', 'own', '{"flag":"ABC"}', { flag: 'ABC' }],
    ['a multiple of a fraction', 'own', '{"step":0.3}', { step: 0.3 }],
    ['trimming before the length is judged', 'own', '{"short":" abc "}', { short: 'abc' }],
    ['coercion', 'own', '{"count":"7"}', { count: 7 }],
    ['the tool’s own validator', 'taken', '{"name":"ada"}', 'ada'],
  ])('%s', async (_what, name, input, value) => {
    expect(await runtime.call(name, input)).toMatchObject({ status: 'success', result: { value } });
  });

  it.each([
    ['no JSON', 'open', '{a:1}', /JSON/],
    ['cut JSON', 'open', '{"a":', /JSON/],
    ['a list', 'open', '[1]', /array/],
    ['null', 'open', 'null', /null/],
    ['a string', 'open', '"x"', /string/],
    ['nested 101 levels deep', 'open', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, /100/],
    ['a bomb of brackets', 'open', `{"a":${'['.repeat(500_000)}`, /100/],
    ['a missing property', 'forecast', '{}', /\/city.*required/],
    [
      'several faults at once',
      'forecast',
      '{"city":"","days":9,"unit":"k"}',
      /\/city[\s\S]*\/days[\s\S]*\/unit[\s\S]*"c","f"/,
    ],
    ['a date that is none', 'forecast', '{"city":"x","when":"tomorrow"}', /\/when/],
    ['a pointer that needs escaping', 'strict', '{"a/b":"x"}', /\/a~1b/],
    ['an unknown property', 'strict', '{"zzz":1}', /\/zzz/],
    ['a fault deep in a recursive schema', 'tree', '{"name":"a","children":[{}]}', /\/children\/0\/name/],
    ['a fault in another with the same $id', 'list', '{"next":{"next":{"x":1}}}', /\/next\/next\/x/],
    ['a missing parameter named like an inherited one', 'inherited', '{}', /\/valueOf.*required/],
    ['what would be checked for hours', 'slowPattern', `{"text":"${'a'.repeat(60)}!"}`, /500 ms/],
    ['a property name of 1 MB', 'strict', `{"${'k'.repeat(1_000_000)}":1}`, /kkk…/],
    [
      'an integer beyond 2^53 for a validator',
      'forecast',
      '{"city":"x","days":9007199254740993}',
      /\/days.*9007199254740993/,
    ],
    ['an integer beyond 2^53', 'strict', '{"list":[9007199254740993]}', /\/list\/0.*9007199254740993.*string/],
    ['what only the tool’s own validator refuses', 'taken', '{"name":"root"}', /\/name.*is taken/],
  ])('refuses %s and runs nothing', async (_what, name, input, said) => {
    const outcome = await runtime.call(name, input);
    expect(codeOf(outcome)).toBe('INVALID_ARGUMENTS none');
    expect(await recordedKinds()).toEqual(['direct-call', 'call-end']);
    if (outcome.status === 'error') {
      expect(renderText(outcome.message, 'en')).toMatch(said);
      expect(renderText(outcome.message, 'en').length).toBeLessThan(5_000);
    }
  });

  it('says what a schema wants in the language of the reader', async () => {
    const tool = defineAgentTool({
      description: 'Wants much.',
      requiresApproval: 'never',
      inputSchema: {
        type: 'object',
        properties: {
          length: { type: 'string', maxLength: 3 },
          pattern: { type: 'string', pattern: '^a+$' },
          range: { type: 'number', exclusiveMinimum: 5 },
          step: { type: 'number', multipleOf: 4 },
          items: { type: 'array', minItems: 2, uniqueItems: true },
          date: { type: 'string', format: 'date-time' },
          mail: { type: 'string', format: 'email' },
          one: { oneOf: [{ type: 'string' }, { type: 'number' }] },
          not: { not: { type: 'null' } },
          fixed: { const: 'x' },
        },
        propertyNames: { maxLength: 7 },
        required: ['needed'],
      },
      execute: () => 1,
    });
    const chinese = await createRuntime({ store: 'memory', environment: {}, locale: 'zh', tools: { tool } });
    const input =
      '{"length":"long","pattern":"b","range":5,"step":3,"items":[1],"date":"x","mail":"x","one":null,"not":null,"fixed":1}';
    const outcome = await chinese.call('tool', input);
    await chinese.close();
    if (outcome.status !== 'error') throw new Error('it must be refused');
    const said = renderText(outcome.message, 'zh');
    for (const part of [
      '必填',
      '字符数 ≤ 3',
      '^a+$',
      '> 5',
      '4 的倍数',
      '项数 ≥ 2',
      'ISO 8601',
      'email 格式',
      '某一种形式',
      '未被模式排除',
    ]) {
      expect(said).toContain(part);
    }
    expect(said).not.toMatch(/must|expected|[Nn]othing/);
  });

  it('tells of many faults without drowning in them', async () => {
    const outcome = await runtime.call('strict', JSON.stringify({ list: new Array(50_000).fill('x') }));
    expect(outcome).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  });
});

describe('the end of a call', () => {
  it.each([
    ['inputError', 'INVALID_ARGUMENTS unknown', false],
    ['upstreamError', 'UPSTREAM_UNAVAILABLE unknown', false],
    ['upstreamReadOnly', 'UPSTREAM_UNAVAILABLE none', true],
    ['throws', 'EXECUTION_ERROR unknown', false],
    ['throwsReadOnly', 'EXECUTION_ERROR none', false],
    ['throwsNull', 'EXECUTION_ERROR unknown', false],
    ['bigint', 'INVALID_RESULT done', false],
    ['wrong', 'INVALID_RESULT done', false],
    ['slow', 'TIMEOUT unknown', false],
    ['manyFaults', 'INVALID_RESULT done', false],
  ])('%s ends as %s', async (name, code, retryable) => {
    const outcome = await runtime.call(name, {});
    expect(codeOf(outcome)).toBe(code);
    expect(outcome).toMatchObject({ retryable });
    if (outcome.status === 'error') {
      for (const locale of ['en', 'zh'] as const) expect(renderText(outcome.hint, locale)).not.toBe('');
      if (outcome.effect === 'unknown' && name !== 'inputError') {
        expect(renderText(outcome.hint, 'en')).toMatch(/may have happened/);
      }
    }
  });

  it('hands an author’s own words on', async () => {
    const outcome = await runtime.call('inputError', {});
    if (outcome.status !== 'error') throw new Error('it must fail');
    expect(renderText(outcome.message, 'en')).toBe('no such city');
    expect(renderText(outcome.hint, 'en')).toBe('Ask which one.');
  });

  it('tells how long it took, and what was recorded', async () => {
    const outcome = await runtime.call('slow', {});
    expect(outcome.durationMs).toBeGreaterThan(20);
    expect(await recordedKinds()).toEqual(['direct-call', 'call-start', 'call-end']);
  });

  it.each([
    ['a bigint', { a: 1n }],
    ['NaN', { a: Number.NaN }],
    ['a map', new Map()],
    ['a function', () => 1],
    ['nothing', undefined],
  ])('refuses %s as arguments instead of changing it', async (_what, input) => {
    await expect(runtime.call('open', input as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('takes a result of nothing, one that fits its schema, and caps a long one', async () => {
    expect(await runtime.call('nothing', {})).toMatchObject({ status: 'success', result: { value: null } });
    expect(await runtime.call('right', {})).toMatchObject({ status: 'success', effect: 'done' });
    const long = await runtime.call('long', {});
    expect(long).toMatchObject({ status: 'success', truncated: { ofChars: 5_011 } });
  });

  it('is cancelled before it starts', async () => {
    ran.length = 0;
    const outcome = await runtime.call('throws', {}, { signal: AbortSignal.abort() });
    expect(codeOf(outcome)).toBe('CANCELLED none');
    expect(ran).toEqual([]);
    expect(await recordedKinds()).toEqual(['direct-call', 'call-end']);
  });
});

describe('what needs a person', () => {
  it.each(['once', 'always', 'human', 'dangerous'])('%s is refused, and runs nothing', async (name) => {
    ran.length = 0;
    expect(codeOf(await runtime.call(name, {}))).toBe('NEEDS_HUMAN none');
    expect(ran).toEqual([]);
  });

  it('on-risk runs', async () => {
    expect(codeOf(await runtime.call('onRisk', {}))).toBe('success');
  });
});

describe('admission at the call', () => {
  const as = (role: Principal['role']): Principal => ({
    id: `a:b:${role}`,
    userId: role,
    role,
    platformRoles: [],
    authentication: 'platform',
  });
  const qq = { kind: 'im', platform: 'qq', adapter: 'onebot', scope: 'group', sceneId: '1' } as const;

  it.each([
    ['masters', { principal: as('master') }, 'success'],
    ['masters', { principal: as('trusted') }, 'UNKNOWN_TOOL none'],
    ['masters', { principal: as('user') }, 'UNKNOWN_TOOL none'],
    ['groups', { origin: qq }, 'success'],
    ['groups', { origin: { ...qq, scope: 'private' as const } }, 'UNKNOWN_TOOL none'],
    ['groups', {}, 'UNKNOWN_TOOL none'],
    ['unreadable', { principal: as('master') }, 'UNKNOWN_TOOL none'],
    ['missing', { principal: as('master') }, 'UNKNOWN_TOOL none'],
    ['__proto__', { principal: as('master') }, 'UNKNOWN_TOOL none'],
    ['constructor', { principal: as('master') }, 'UNKNOWN_TOOL none'],
    ['x'.repeat(100_000), { principal: as('master') }, 'UNKNOWN_TOOL none'],
  ])('%.20s: case %#', async (name, options, code) => {
    ran.length = 0;
    const outcome = await runtime.call(name, {}, options);
    expect(codeOf(outcome)).toBe(code);
    expect(ran).toEqual(code === 'success' ? [name] : []);
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  });

  it('answers a tool that is not admitted like one that does not exist', async () => {
    const options = { principal: as('user') };
    const [refused, missing] = await Promise.all([
      runtime.call('masters', {}, options),
      runtime.call('mastersX', {}, options),
    ]);
    const shape = (outcome: Outcome) => JSON.stringify({ ...outcome, durationMs: 0 }).replaceAll('mastersX', 'masters');
    expect(shape(refused)).toBe(shape(missing));
  });
});
