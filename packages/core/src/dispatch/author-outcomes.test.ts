import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  contentParts,
  defineAgentTool,
  failure,
  InputError,
  InvokeError,
  success,
  UpstreamError,
} from '../authoring/index.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { outcomeJson } from '../contracts/outcome-json.ts';
import { compileGraph } from '../execution/fixtures/compile-graph.ts';
import { createInlineExecutor, createProcessExecutor } from '../execution/index.ts';
import { createWorld, type ToolSpec, type World } from './fixtures/call-world.ts';

/** Bodies of `execute`, which run both in this process and in a child. */
const bodies: Readonly<Record<string, string>> = {
  succeeds: `return success({ celsius: 21 });`,
  throwsSuccess: `throw success('out of the depth');`,
  lastOfMany: `return (async function* () { yield 'half'; yield success('whole'); })();`,
  failsLast: `return (async function* () { yield 1; yield failure({ error_type: 'RATE_LIMITED', message: 'used up' }); })();`,
  fails: `return failure({ error_type: input.type, message: 'The quota is used up.', hint: 'Try tomorrow.', retryable: input.retryable });`,
  throwsFailure: `throw failure({ error_type: 'NOT_PERMITTED', message: 'Only the owner may.' });`,
  silent: `return failure({ error_type: 'ACCESS_DENIED' });`,
  badResult: `return success({ at: new Map() });`,
  input: `throw new InputError('no such city', { hint: 'Ask.' });`,
  upstream: `throw new UpstreamError('the service is down');`,
  shows: `return contentParts([
    { type: 'text', text: 'Two charts.' },
    { type: 'image', mediaType: 'IMAGE/PNG; q=1', data: new Uint8Array([0, 1, 2, 253]) },
    { type: 'image', mediaType: 'image/jpeg', data: new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4).slice().buffer },
    { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', name: '报告.pdf' },
  ]);`,
  wrapped: `return success(contentParts([{ type: 'text', text: 'in success' }]));`,
  tooLarge: `return contentParts([{ type: 'file', mediaType: 'a/b', data: new Uint8Array(3 * 1024 * 1024 + 1) }]);`,
  justFits: `return contentParts([{ type: 'file', mediaType: 'a/b', data: new Uint8Array(3 * 1024 * 1024) }]);`,
  badPart: `return contentParts(input.parts);`,
  longTexts: `return contentParts([
    { type: 'text', text: 'a'.repeat(8) },
    { type: 'image', mediaType: 'image/png', data: 'AAAA' },
    { type: 'text', text: '😀'.repeat(4) },
    { type: 'text', text: 'never' },
  ]);`,
};

/** More than the two lists of names would be a third place to keep. */
const names = { contentParts, failure, InputError, InvokeError, success, UpstreamError };
const imports = Object.keys(names).join(', ');
const compile = (body: string): ((input: JsonObject) => unknown) =>
  new Function(imports, `return async (input) => { ${body} };`)(...Object.values(names));

const schema = { outputSchema: { type: 'object', required: ['celsius'] } } as const;
const inline = createInlineExecutor();
const children = createProcessExecutor();
let root = '';
let release = () => {};
const worlds = new Map<string, World>();

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  const files = Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      `${name}.ts`,
      `import { defineAgentTool, ${imports} } from 'baigong';\nvoid [${imports}];\n` +
        `export default defineAgentTool({ description: 'x', async execute(input) { ${body} } });`,
    ]),
  );
  const graph = await compileGraph(root, files);
  release = children.retain(graph);
  const executors = { inline, process: children };
  const more = (name: string): ToolSpec => ({
    ...(name === 'longTexts' ? { limits: { timeoutMs: 9_000, maxOutputChars: 11 } } : {}),
    ...(name === 'succeeds' || name === 'wrapped' ? schema : {}),
  });
  const keys = Object.entries(bodies);
  const live = keys.map(([name, body]) => {
    const definition = defineAgentTool({ description: 'x', execute: compile(body) });
    return [name, { definition, ...more(name) }] as const;
  });
  const inChild = keys.map(([name]) => {
    const code = { kind: 'module', reference: { graph: graph.digest, entry: `${name}.ts` } } as const;
    return [name, { code, isolation: 'process', ...more(name) }] as const;
  });
  worlds.set('inline', createWorld({ executors, tools: Object.fromEntries(live) }));
  worlds.set('process', createWorld({ executors, tools: Object.fromEntries(inChild) }));
});
afterAll(async () => {
  release();
  await Promise.all([inline.close(), children.close()]);
  await rm(root, { recursive: true, force: true });
});

describe.each(['inline', 'process'])('what authors say of the end of a call (%s)', (kind) => {
  const call = async (name: string, input: JsonObject = {}): Promise<Outcome> => {
    const world = worlds.get(kind);
    if (world === undefined) throw new Error('no such world');
    return world.call(name, input);
  };
  const json = async (name: string, input: JsonObject = {}) => outcomeJson(await call(name, input), 'en');

  it.each<[string, Json]>([
    ['succeeds', { celsius: 21 }],
    ['throwsSuccess', 'out of the depth'],
    ['lastOfMany', 'whole'],
  ])('%s', async (name, result) => {
    expect(await json(name)).toMatchObject({ status: 'success', result });
  });

  it.each([
    ['INVALID_ARGUMENTS', true],
    ['UPSTREAM_UNAVAILABLE', false],
    ['EXECUTION_ERROR', true],
    ['INVALID_RESULT', true],
    ['ACCESS_DENIED', false],
    ['RATE_LIMITED', true],
    ['NOT_PERMITTED', false],
  ])('hands %s on unchanged', async (type, retryable) => {
    expect(await json('fails', { type, retryable })).toMatchObject({
      status: 'error',
      error_type: type,
      message: 'The quota is used up.',
      hint: 'Try tomorrow.',
      retryable,
    });
  });

  it.each(['TIMEOUT', 'NEEDS_HUMAN', 'CANCELLED', 'INTERNAL', 'OUTCOME_UNKNOWN', 'constructor', '', 7, null])(
    'lets no tool claim %j',
    async (type) => {
      const outcome = await json('fails', { type, retryable: true });
      expect(outcome).toMatchObject({ error_type: 'EXECUTION_ERROR', retryable: false });
      expect(outcome.message).toMatch(/cannot claim; possible are INVALID_ARGUMENTS.*The quota is used up/);
    },
  );

  it.each([
    ['throwsFailure', { error_type: 'NOT_PERMITTED', message: 'Only the owner may.', retryable: false }],
    ['failsLast', { error_type: 'RATE_LIMITED', message: 'used up', retryable: true }],
    ['silent', { error_type: 'ACCESS_DENIED', message: expect.stringContaining('without a message') }],
    ['badResult', { error_type: 'INVALID_RESULT', message: expect.stringContaining('Map at /at'), effect: 'done' }],
    ['input', { error_type: 'INVALID_ARGUMENTS', message: 'no such city', hint: 'Ask.', retryable: false }],
    ['upstream', { error_type: 'UPSTREAM_UNAVAILABLE', message: 'the service is down', retryable: false }],
  ])('%s', async (name, expected) => {
    expect(await json(name)).toMatchObject({ status: 'error', ...expected });
  });

  it('turns bytes into base64 where the tool runs, and keeps the parts in order', async () => {
    const outcome = await call('shows');
    expect(outcome.status === 'success' && outcome.result).toEqual({
      kind: 'parts',
      value: [
        { type: 'text', text: 'Two charts.' },
        { type: 'image', mediaType: 'image/png', data: 'AAEC/Q==' },
        { type: 'image', mediaType: 'image/jpeg', data: 'AQID' },
        { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', name: '报告.pdf' },
      ],
    });
    expect(outcomeJson(outcome, 'en').result).toEqual([
      { type: 'text', text: 'Two charts.' },
      { type: 'image', mediaType: 'image/png', bytes: 4 },
      { type: 'image', mediaType: 'image/jpeg', bytes: 3 },
      { type: 'file', mediaType: 'application/pdf', bytes: 5, name: '报告.pdf' },
    ]);
  });

  it('does not hold parts against the outputSchema', async () => {
    expect(await call('wrapped')).toMatchObject({ status: 'success', result: { kind: 'parts' } });
  });

  it('takes 4 MiB of base64 and no more', async () => {
    expect(await call('justFits')).toMatchObject({ status: 'success' });
    const outcome = await json('tooLarge');
    expect(outcome).toMatchObject({ error_type: 'INVALID_RESULT', effect: 'done' });
    expect(outcome.message).toMatch(/4194304.*write them to a file/);
  });

  it.each<[string, Json, RegExp]>([
    ['no list', { type: 'text' }, /takes a list/],
    ['an unknown type', [{ type: 'video' }], /part 1 is of the type "video"/],
    ['a part that is null', [{ type: 'text', text: 'x' }, null], /part 2/],
    ['a text that is none', [{ type: 'text', text: 7 }], /no `text`/],
    ['a media type that is none', [{ type: 'image', mediaType: 'png', data: 'AAAA' }], /like "?image\/png/],
    ['an image that is no image', [{ type: 'image', mediaType: 'text/html', data: 'AAAA' }], /image\/png/],
    ['a data URL', [{ type: 'image', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' }], /`data:` URL/],
    ['no data', [{ type: 'image', mediaType: 'image/png', data: '' }], /must not be empty/],
    ['a hidden name', [{ type: 'file', mediaType: 'a/b', data: 'AAAA', name: 'x\u202egnp' }], /visible/],
    ['101 parts', Array.from({ length: 101 }, () => ({ type: 'text', text: '' })), /at most 100/],
  ])('refuses %s', async (_what, parts, said) => {
    const outcome = await json('badPart', { parts });
    expect(outcome).toMatchObject({ error_type: 'INVALID_RESULT' });
    expect(outcome.message).toMatch(said);
  });

  it('counts and cuts the texts only', async () => {
    const outcome = await call('longTexts');
    expect(outcome).toMatchObject({ truncated: { ofChars: 21 } });
    expect(outcome.status === 'success' && outcome.result.value).toEqual([
      { type: 'text', text: 'aaaaaaaa' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'text', text: '😀\n[cut: the first 10 of 21 characters are shown]' },
    ]);
  });
});

it('believes no child that its value is a list of parts', async () => {
  const forged = [{ type: 'image', mediaType: 'image/png', data: '<script>' }];
  const executor = { ...inline, run: async () => ({ ok: true, value: forged, isParts: true }) as const };
  const definition = defineAgentTool({ description: 'x', execute: () => 1 });
  const world = createWorld({ executors: { inline: executor, process: executor }, tools: { forged: { definition } } });
  expect(await world.call('forged')).toMatchObject({ status: 'error', code: 'INVALID_RESULT' });
});
