import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { contentParts, defineAgentTool, InputError, InvokeError, type ToolContext } from '../authoring/index.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { createInlineExecutor } from '../execution/index.ts';
import { createWorld, type ToolSpec } from './fixtures/call-world.ts';

const inline = createInlineExecutor();
afterAll(() => inline.close());
const executors = { inline, process: inline };

/** A tool from the body of its `execute`. */
function tool(execute: (input: JsonObject, context: ToolContext<unknown>) => unknown, more: ToolSpec = {}): ToolSpec {
  return { definition: defineAgentTool({ description: 'x', execute }), ...more };
}

const passOn = (name: string, input: JsonObject = {}) => tool((_input, context) => context.invoke(name, input));

function said(outcome: Outcome): string {
  return outcome.status === 'error' ? renderText(outcome.message, 'en') : JSON.stringify(outcome.result.value);
}

describe('context.invoke', () => {
  it('runs another tool for the same person and gives its result', async () => {
    const { call } = createWorld({
      executors,
      tools: {
        parent: tool(async (input, { invoke }) => [await invoke('child', input), await invoke('words')]),
        child: tool(({ city }, { principal, call: { callId } }) => ({ city: city ?? null, by: principal.id, callId })),
        words: tool(() => 'as text'),
      },
    });
    expect(await call('parent', { city: 'Paris' })).toMatchObject({
      status: 'success',
      result: { value: [{ city: 'Paris', by: 'cli:local:1', callId: 'turn.1.0.1' }, 'as text'] },
    });
  });

  it('tells the record the whole story', async () => {
    const { call, records } = createWorld({
      executors,
      tools: { parent: passOn('child', { n: 1 }), child: tool(() => ({ deep: true }), { readOnly: true }) },
    });
    await call('parent');
    expect(records.map(({ kind }) => kind)).toEqual(['call-start', 'call-invoke', 'call-start', 'call-end']);
    expect(records[1]?.body).toEqual({ callId: 'turn.1.0', child: 'turn.1.0.1', tool: 'child' });
    expect(records[2]?.body).toMatchObject({ callId: 'turn.1.0.1', input: { n: 1 } });
    expect(records[3]?.body).toMatchObject({
      callId: 'turn.1.0.1',
      outcome: { status: 'success', result: { kind: 'json', value: { deep: true } } },
    });
  });

  it('reaches hidden and private tools, by key or by a name that its owner gives it', async () => {
    const secret = { skill: 'lottery', plugin: [] };
    const { call } = createWorld({
      executors,
      tools: {
        outside: tool((_input, { invoke }) => invoke('draw').catch((error) => error.code)),
        byKey: passOn('skills/lottery/tools/draw'),
        behind: passOn('hidden'),
        hidden: tool(() => 'found', { hidden: true }),
        'skills/lottery/tools/ask': tool((_input, { invoke }) => invoke('draw'), { name: 'ask', owner: secret }),
        'skills/lottery/tools/draw': tool(() => 7, { name: 'draw', owner: secret }),
        'skills/other/tools/draw': tool(() => 8, { name: 'draw', owner: { skill: 'other', plugin: [] } }),
      },
    });
    const code = { byCode: true };
    expect(said(await call('outside'))).toBe('"UNKNOWN_TOOL"');
    expect(said(await call('byKey'))).toBe('7');
    expect(said(await call('behind'))).toBe('"found"');
    expect(said(await call('ask', {}, code))).toBe('7');
  });

  it('takes the child through every check: arguments, approval, admission', async () => {
    const { call, scope } = createWorld({
      executors,
      tools: {
        parent: tool(({ name }, { invoke }) =>
          invoke(String(name), { n: 'x' }).catch((error: InvokeError) => ({ code: error.code, effect: error.effect })),
        ),
        strict: tool(() => 1, { inputSchema: { type: 'object', properties: { n: { type: 'number' } } } }),
        dangerous: tool(() => 1, { dangerous: true }),
        forbidden: tool(() => 1),
      },
    });
    const admitted = { ...scope.admitted, has: (one: { name: string }) => one.name !== 'forbidden' };
    const ask = async (name: string) => {
      const outcome = await call('parent', { name }, { admitted });
      return outcome.status === 'success' ? outcome.result.value : outcome.code;
    };
    expect(await ask('strict')).toEqual({ code: 'INVALID_ARGUMENTS', effect: 'none' });
    expect(await ask('dangerous')).toEqual({ code: 'NEEDS_HUMAN', effect: 'none' });
    expect(await ask('forbidden')).toEqual({ code: 'UNKNOWN_TOOL', effect: 'none' });
    expect(await ask('missing')).toEqual({ code: 'UNKNOWN_TOOL', effect: 'none' });
    expect(await ask('constructor')).toEqual({ code: 'UNKNOWN_TOOL', effect: 'none' });
  });

  it('ends the parent as EXECUTION_ERROR that names the child and its reason', async () => {
    const { call } = createWorld({
      executors,
      tools: {
        parent: passOn('child'),
        child: tool(() => {
          throw new InputError('no such city', { hint: 'Ask which one.' });
        }),
      },
    });
    const outcome = await call('parent');
    expect(outcome).toMatchObject({ status: 'error', code: 'EXECUTION_ERROR', effect: 'unknown' });
    expect(said(outcome)).toMatch(/child.*INVALID_ARGUMENTS.*no such city/);
  });

  it('rejects with everything that the outcome said', async () => {
    let caught: unknown;
    const { call } = createWorld({
      executors,
      tools: {
        parent: tool(async (_input, { invoke }) => {
          caught = await invoke('child').catch((error: unknown) => error);
          return 'went on';
        }),
        child: tool(() => {
          throw new InputError('no such city', { hint: 'Ask which one.' });
        }),
      },
    });
    expect(said(await call('parent'))).toBe('"went on"');
    expect(InvokeError.isInstance(caught)).toBe(true);
    expect(caught).toMatchObject({
      toolName: 'child',
      code: 'INVALID_ARGUMENTS',
      reason: 'no such city',
      hint: 'Ask which one.',
      retryable: false,
      effect: 'unknown',
    });
  });

  it('refuses circles and more than 5 calls inside one another', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`level${n}`, passOn(`level${n + 1}`)] as const),
    );
    const { call, records } = createWorld({
      executors,
      tools: {
        ...chain,
        level8: tool(() => 'bottom'),
        itself: passOn('itself'),
        ping: passOn('pong'),
        pong: passOn('ping'),
      },
    });
    expect(said(await call('level3'))).toBe('"bottom"');
    const tooDeep = await call('level2');
    expect(tooDeep).toMatchObject({ code: 'EXECUTION_ERROR' });
    expect(said(tooDeep)).toMatch(/NOT_PERMITTED.*level8.*5 deep/);
    const started = () => records.filter(({ kind }) => kind === 'call-start').length;
    const before = started();
    expect(said(await call('itself'))).toMatch(/NOT_PERMITTED.*circle/);
    expect(started() - before).toBe(1);
    expect(said(await call('ping'))).toMatch(/NOT_PERMITTED.*circle/);
  });

  it('runs calls one after another, in the order in which they were made', async () => {
    const seen: string[] = [];
    const { call } = createWorld({
      executors,
      tools: {
        parent: tool((_input, { invoke }) => Promise.all([1, 2, 3].map((n) => invoke('child', { n })))),
        child: tool(async ({ n }, { call: { callId } }) => {
          seen.push(`begin ${n}`);
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(`end ${n}`);
          return callId;
        }),
      },
    });
    expect(said(await call('parent'))).toBe('["turn.1.0.1","turn.1.0.2","turn.1.0.3"]');
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('ends what the parent left running, and waits for its end', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let reason = '';
    const { call, records } = createWorld({
      executors,
      tools: {
        parent: tool(async (_input, { invoke }) => {
          invoke('child').catch(() => {});
          await begun;
          return 'early';
        }),
        child: tool(
          (_input, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                reason = String(signal.reason);
                reject(new Error('stopped'));
              });
              begin();
            }),
        ),
      },
    });
    expect(said(await call('parent'))).toBe('"early"');
    expect(reason).not.toBe('');
    expect(records.at(-1)).toMatchObject({
      kind: 'call-end',
      body: { callId: 'turn.1.0.1', outcome: { code: 'CANCELLED' } },
    });
  });

  it('ends with the parent’s time', async () => {
    const { call, records } = createWorld({
      executors,
      tools: {
        parent: tool((_input, { invoke }) => invoke('child'), { limits: { timeoutMs: 50, maxOutputChars: 100 } }),
        child: tool((_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject))),
      },
    });
    expect(await call('parent')).toMatchObject({ code: 'TIMEOUT' });
    expect(records.at(-1)).toMatchObject({ kind: 'call-end', body: { outcome: { code: 'CANCELLED' } } });
  });

  it('lets code repeat a call, and hands a long result over whole', async () => {
    const { call } = createWorld({
      executors,
      tools: {
        parent: tool(async (_input, { invoke }) => {
          for (let n = 0; n < 9; n++) await invoke('child');
          return String(await invoke('child')).length;
        }),
        child: tool(() => 'x'.repeat(5_000), { limits: { timeoutMs: 5_000, maxOutputChars: 10 } }),
      },
    });
    expect(said(await call('parent'))).toBe('5000');
  });

  it('passes content parts on as they are', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const { call, records } = createWorld({
      executors,
      tools: { parent: passOn('child'), child: tool(() => contentParts([image])) },
    });
    expect(await call('parent')).toMatchObject({ result: { kind: 'parts', value: [image] } });
    expect(JSON.stringify(records)).not.toContain('AAAA');
    expect(JSON.stringify(records)).toContain('"bytes":3');
  });

  it('counts what the child did as the parent’s effect', async () => {
    const { call } = createWorld({
      executors,
      tools: {
        reads: { ...passOn('writes'), readOnly: true },
        looks: { ...passOn('reader'), readOnly: true },
        breaks: { ...passOn('throws'), readOnly: true },
        writes: tool(() => 1),
        reader: tool(() => 1, { readOnly: true }),
        throws: tool(() => Promise.reject(new Error('half done'))),
      },
    });
    expect(await call('reads')).toMatchObject({ effect: 'done' });
    expect(await call('looks')).toMatchObject({ effect: 'none' });
    expect(await call('breaks')).toMatchObject({ effect: 'unknown' });
  });

  it.each<[string, (context: ToolContext<unknown>) => unknown, RegExp]>([
    ['a name that is no text', ({ invoke }) => invoke(7 as never), /a string; found number/],
    ['an input that is no object', ({ invoke }) => invoke('child', [] as never), /must be an object; found array/],
    ['an input that is no JSON', ({ invoke }) => invoke('child', { at: new Map() }), /Map at \/at/],
    ['a name of 201 characters', ({ invoke }) => invoke('n'.repeat(201)), /<= 200/],
  ])('refuses %s', async (_what, use, words) => {
    const { call, records } = createWorld({
      executors,
      tools: { parent: tool((_input, context) => use(context)), child: tool(() => 1) },
    });
    const outcome = await call('parent');
    expect(outcome).toMatchObject({ code: 'EXECUTION_ERROR' });
    expect(said(outcome)).toMatch(words);
    expect(records.filter(({ kind }) => kind === 'call-invoke')).toEqual([]);
  });

  it('gives every call of any tree of calls an id of its own below its parent’s', async () => {
    let tree: fc.Arbitrary<readonly unknown[]> = fc.constant([]);
    for (let depth = 0; depth < 5; depth++) tree = fc.array(tree, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(tree, async (children) => {
        const run = (input: JsonObject, { invoke, call: { callId } }: ToolContext<unknown>, depth: number) =>
          Promise.all(
            (input.children as JsonObject[]).map(
              (child) => invoke(`level${depth + 1}`, { children: child }) as Promise<string[]>,
            ),
          ).then((ids) => [callId, ...ids.flat()]);
        const tools = Object.fromEntries(
          Array.from({ length: 12 }, (_, depth) => [
            `level${depth}`,
            tool(async (input, context) => (depth >= 5 ? [context.call.callId] : run(input, context, depth))),
          ]),
        );
        const { call, records } = createWorld({ executors, tools });
        const outcome = await call('level0', { children: children as never });
        const ids = outcome.status === 'success' ? (outcome.result.value as string[]) : [];
        expect(ids.length).toBeGreaterThan(0);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { kind, body } of records) {
          if (kind !== 'call-invoke') continue;
          const { callId, child } = body as { callId: string; child: string };
          expect(child).toMatch(new RegExp(`^${callId.replaceAll('.', '\\.')}\\.[1-9]\\d*$`));
          expect(ids).toContain(child);
        }
      }),
      { numRuns: 40 },
    );
  });
});
