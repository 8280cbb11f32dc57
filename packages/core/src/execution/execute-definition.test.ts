import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputError, UpstreamError } from '../authoring/index.ts';
import type { ToolContext } from '../authoring/tool-context.ts';
import { ToolError } from '../authoring/tool-error.ts';
import type { ExecutorEnd } from '../contracts/executor.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import { createToolContext } from './create-tool-context.ts';
import { executeDefinition } from './execute-definition.ts';
import { failureOf, liveTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { createStackMapper } from './map-stack.ts';
import { createMessageCleaner } from './message-cleaner.ts';

const reading = {
  stacks: createStackMapper({ root: '/srv/bot', modules: [] }),
  clean: createMessageCleaner('/srv/bot'),
};

interface Execution {
  readonly end: ExecutorEnd;
  readonly progressed: readonly Json[];
}

async function execute(
  definition: { readonly inputSchema?: unknown; execute(input: never, context: never): unknown },
  input: JsonObject = {},
  options: { readonly locale?: Locale; readonly signal?: AbortSignal } = {},
): Promise<Execution> {
  const host = new RecordingHost();
  const request = { ...requestFor(liveTool(definition), input), locale: options.locale ?? 'en' };
  const { context } = createToolContext(request, host, options.signal ?? new AbortController().signal);
  return { end: await executeDefinition(definition, request, context, reading), progressed: host.progressed };
}

describe('executeDefinition', () => {
  describe('gives what the code returns:', () => {
    it.each<[string, () => unknown, Json | undefined]>([
      ['a value', () => ({ a: 1 }), { a: 1 }],
      ['a promise', async () => 'later', 'later'],
      ['nothing', () => undefined, undefined],
      ['null', () => null, null],
      ['a list, which is iterable but no progress', () => [1, 2], [1, 2]],
      ['odd text', () => '\u0000\ud800 百工 \u202e', '\u0000\ud800 百工 \u202e'],
    ])('%s', async (_name, run, value) => {
      expect(await execute({ execute: run })).toEqual({ end: { ok: true, value }, progressed: [] });
    });
  });

  describe('follows an async iterable:', () => {
    it.each<[string, () => unknown, Json | undefined, Json[]]>([
      [
        'the last value is the result, the earlier ones are progress',
        async function* () {
          yield 1;
          yield { half: true };
          yield 'done';
        },
        'done',
        [1, { half: true }],
      ],
      [
        'a returned value is the last',
        async function* () {
          yield 1;
          return 2;
        },
        2,
        [1],
      ],
      ['none is nothing', async function* () {}, undefined, []],
      [
        'from a promise',
        async () =>
          (async function* () {
            yield 1;
            yield 2;
          })(),
        2,
        [1],
      ],
      [
        'a stream',
        () =>
          new ReadableStream({
            start(controller) {
              controller.enqueue('a');
              controller.enqueue('b');
              controller.close();
            },
          }),
        'b',
        ['a'],
      ],
    ])('%s', async (_name, run, value, progressed) => {
      expect(await execute({ execute: run })).toEqual({ end: { ok: true, value }, progressed });
    });

    it.each<[string, unknown]>([
      ['a number', 5],
      ['nothing', undefined],
      ['null', null],
    ])('fails at once when the iterator gives %s', async (_name, step) => {
      const { end } = await execute({ execute: () => ({ [Symbol.asyncIterator]: () => ({ next: () => step }) }) });
      expect(failureOf(end)).toMatchObject({
        code: 'EXECUTION_ERROR',
        message: expect.stringContaining(step === null ? 'null' : typeof step),
      });
    });

    it('ends a generator that nobody waits for, its cleaning-up included', async () => {
      const controller = new AbortController();
      let cleaned = false;
      const { end } = await execute(
        {
          async *execute() {
            try {
              for (let n = 0; ; n += 1) {
                if (n === 3) controller.abort(new Error('enough'));
                yield n;
              }
            } finally {
              cleaned = true;
            }
          },
        },
        {},
        { signal: controller.signal },
      );
      expect(failureOf(end).message).toBe('enough');
      expect(cleaned).toBe(true);
    });
  });

  it('gives the code the parsed input, its definition as `this`, and the context', async () => {
    const { end } = await execute(
      {
        inputSchema: z.object({ city: z.string().trim(), days: z.number().default(3) }),
        async execute(this: { inputSchema: unknown }, input: object, context: ToolContext<{ greeting: string }>) {
          const { config, call, locale, timeZone } = context;
          return { ...input, config, call, locale, timeZone, self: this.inputSchema !== undefined };
        },
      },
      { city: ' 北京 ' },
    );
    expect(end).toMatchObject({
      ok: true,
      value: {
        city: '北京',
        days: 3,
        config: { greeting: 'hello' },
        call: { turnId: 'turn', toolName: 'tool' },
        locale: 'en',
        timeZone: 'Asia/Shanghai',
        self: true,
      },
    });
  });

  it('waits for a validator that takes its time', async () => {
    const inputSchema = z.object({ n: z.number() }).refine(async ({ n }) => Promise.resolve(n > 1), 'too small');
    const definition = { inputSchema, execute: ({ n }: { n: number }) => n };
    expect((await execute(definition, { n: 2 })).end).toEqual({ ok: true, value: 2 });
    expect((await execute(definition, { n: 1 })).end).toEqual({
      ok: false,
      code: 'INVALID_ARGUMENTS',
      message: 'too small',
    });
  });

  it('names what the tool’s own schema refuses', async () => {
    const inputSchema = z.object({ 'a/b': z.object({ n: z.number() }) });
    const { end } = await execute({ inputSchema, execute: () => 1 }, { 'a/b': { n: 'x' } });
    expect(failureOf(end)).toMatchObject({ code: 'INVALID_ARGUMENTS', message: expect.stringMatching(/^\/a~1b\/n: /) });
  });

  describe('refuses a result that is not JSON and names where:', () => {
    it.each<[string, unknown, Locale, string]>([
      ['a bigint', { a: [{ id: 1n }] }, 'en', 'bigint at /a/0/id is not JSON.'],
      ['a Map', new Map(), 'en', 'Map at its top level is not JSON.'],
      ['in Chinese', { f: () => 1 }, 'zh', '/f 处的 function 不是 JSON。'],
    ])('%s', async (_name, value, locale, message) => {
      const { end } = await execute({ execute: () => value }, {}, { locale });
      expect(end).toEqual({ ok: false, code: 'INVALID_RESULT', message });
    });
  });

  class OwnError extends ToolError {
    readonly code: never;
    readonly retryable = true;
    constructor(code: string) {
      super('own');
      this.code = code as never;
    }
  }

  describe('says what went wrong when the code throws:', () => {
    it.each<[string, () => unknown, object]>([
      [
        'the caller’s mistake',
        () => new InputError('no city named Atlantis', { hint: 'Ask.' }),
        { code: 'INVALID_ARGUMENTS', message: 'no city named Atlantis', hint: 'Ask.' },
      ],
      [
        'a broken upstream',
        () => new UpstreamError('the service is down'),
        { code: 'UPSTREAM_UNAVAILABLE', message: 'the service is down' },
      ],
      [
        'an error of another copy of this package',
        () => ({
          [Symbol.for('baigong.tool-error')]: true,
          code: 'UPSTREAM_UNAVAILABLE',
          message: 'far',
          retryable: true,
        }),
        { code: 'UPSTREAM_UNAVAILABLE', message: 'far' },
      ],
      [
        'a verdict that is not the author’s',
        () => new OwnError('OUTCOME_UNKNOWN'),
        { code: 'EXECUTION_ERROR', message: 'own' },
      ],
      ['a code that does not exist', () => new OwnError('constructor'), { code: 'EXECUTION_ERROR', message: 'own' }],
      [
        'any error',
        () => new TypeError('x is not a function'),
        { code: 'EXECUTION_ERROR', message: 'x is not a function' },
      ],
      [
        'an error that names a path',
        () => new Error("ENOENT: open '/srv/bot/data/x.json' and '/etc/app/key.pem'"),
        { code: 'EXECUTION_ERROR', message: "ENOENT: open './data/x.json' and 'key.pem'" },
      ],
      ['a text', () => 'went wrong', { code: 'EXECUTION_ERROR', message: 'went wrong' }],
      ['an object with a message', () => ({ message: 'from elsewhere' }), { message: 'from elsewhere' }],
      ['null', () => null, { message: 'Its code threw null without a message.' }],
      ['undefined', () => undefined, { message: 'Its code threw undefined without a message.' }],
      ['a number', () => 42, { message: 'Its code threw 42 without a message.' }],
      ['a symbol', () => Symbol('s'), { message: 'Its code threw Symbol(s) without a message.' }],
      ['an empty text', () => '', { message: "Its code threw '' without a message." }],
      [
        'an error without a message',
        () => new RangeError(),
        { message: 'Its code threw RangeError without a message.' },
      ],
      [
        'an error whose message throws',
        () =>
          Object.defineProperty(new Error(), 'message', {
            get() {
              throw new Error('never');
            },
          }),
        { code: 'EXECUTION_ERROR', message: 'Its code threw Error without a message.' },
      ],
      [
        'a proxy that refuses everything',
        () =>
          new Proxy(
            {},
            {
              get() {
                throw new Error('never');
              },
            },
          ),
        { code: 'EXECUTION_ERROR', message: 'Its code threw object without a message.' },
      ],
    ])('%s', async (_name, make, expected) => {
      const thrown = make();
      const sync = await execute({
        execute() {
          throw thrown;
        },
      });
      expect(failureOf(sync.end)).toMatchObject(expected);
      const async = await execute({ execute: () => Promise.reject(thrown) });
      expect(failureOf(async.end)).toMatchObject(expected);
    });

    it('lets no error of the code claim the time limit', async () => {
      class OwnTimeout extends ToolError {
        readonly code = 'TIMEOUT';
        readonly retryable = false;
      }
      const { end } = await execute({
        execute: () => {
          throw new OwnTimeout('the other side was slow');
        },
      });
      expect(failureOf(end)).toMatchObject({ code: 'EXECUTION_ERROR', message: 'the other side was slow' });
    });

    it('keeps stacks and paths out of what a validator says', async () => {
      const inputSchema = z.unknown().superRefine((_value, context) => {
        const message = 'no /home/somebody/x.ts\nsecond line\n    at f (/home/somebody/x.ts:1:2)';
        context.addIssue({ code: 'custom', message });
      });
      const { end } = await execute({ inputSchema, execute: () => 1 });
      expect(failureOf(end)).toMatchObject({ code: 'INVALID_ARGUMENTS', message: 'no x.ts second line' });
    });

    it('keeps the stack for the record and out of the message', async () => {
      const { end } = await execute({
        execute() {
          throw new Error('deep');
        },
      });
      expect(failureOf(end).message).toBe('deep');
      expect(failureOf(end).stack).toMatch(/^Error: deep/);
    });

    it('takes a validator that throws as a fault of the code', async () => {
      const inputSchema = z.object({}).refine(() => {
        throw new Error('validator broke');
      });
      const { end } = await execute({ inputSchema, execute: () => 1 });
      expect(failureOf(end)).toMatchObject({ code: 'EXECUTION_ERROR', message: 'validator broke' });
    });
  });
});
