import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { readModelStream } from './read-model-stream.ts';

const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: unknownUsage,
};

/** A model that streams these parts; after `for ever` nothing comes any more, not even an end. */
function modelOf(parts: readonly (LanguageModelV4StreamPart | 'for ever')[], onCancel = () => {}): LanguageModelV4 {
  const rest = [...parts];
  const stream = new ReadableStream<LanguageModelV4StreamPart>(
    {
      pull(controller) {
        const part = rest.shift();
        if (part === 'for ever') return new Promise(() => {});
        if (part === undefined) controller.close();
        else controller.enqueue(part);
        return undefined;
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'model',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: () => Promise.resolve({ stream }),
  };
}

function read(parts: readonly LanguageModelV4StreamPart[], provider = 'test') {
  return readModelStream({ model: modelOf(parts), provider, options: { prompt: [] } });
}

test('blocks that grow side by side, and one whose id is used again', async () => {
  const step = await read([
    { type: 'text-start', id: '0' },
    { type: 'reasoning-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'a' },
    { type: 'reasoning-delta', id: '0', delta: 'x' },
    { type: 'text-delta', id: '0', delta: 'b' },
    { type: 'text-end', id: '0' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'c' },
    { type: 'text-end', id: '0' },
    { type: 'text-delta', id: 'never begun', delta: 'd' },
    finish,
  ]);
  expect(step.parts).toEqual([
    { type: 'text', text: 'ab' },
    { type: 'reasoning', text: 'x' },
    { type: 'text', text: 'c' },
    { type: 'text', text: 'd' },
  ]);
  expect(step.usage).toEqual({ inputTokens: 0, outputTokens: 0, cachedTokens: 0 });
});

test('what a provider says about parts and calls is kept, also about a thought without text', async () => {
  const step = await read(
    [
      { type: 'reasoning-start', id: '1', providerMetadata: { p: { redacted: 'r' } } },
      { type: 'reasoning-end', id: '1' },
      { type: 'reasoning-start', id: '2' },
      { type: 'reasoning-delta', id: '2', delta: 'x' },
      { type: 'reasoning-delta', id: '2', delta: '', providerMetadata: { p: { signature: 's' } } },
      { type: 'reasoning-end', id: '2' },
      { type: 'text-start', id: '3' },
      { type: 'text-end', id: '3', providerMetadata: { p: { empty: true } } },
      { type: 'text-start', id: '4' },
      { type: 'text-delta', id: '4', delta: 'said' },
      { type: 'text-end', id: '4', providerMetadata: { p: { n: 4 } } },
      { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{', providerMetadata: { p: { n: 5 } } },
      finish,
    ],
    'p',
  );
  expect(step.parts).toEqual([
    { type: 'reasoning', text: '', providerData: { provider: 'p', data: { p: { redacted: 'r' } } } },
    { type: 'reasoning', text: 'x', providerData: { provider: 'p', data: { p: { signature: 's' } } } },
    { type: 'text', text: 'said', providerData: { provider: 'p', data: { p: { n: 4 } } } },
  ]);
  expect(step.calls).toEqual([
    { providerCallId: 'c', toolName: 't', rawInput: '{', providerData: { provider: 'p', data: { p: { n: 5 } } } },
  ]);
});

test('calls that the provider runs by itself are left out, with a note', async () => {
  const step = await read([
    { type: 'tool-call', toolCallId: 'c', toolName: 'web_search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 'c', toolName: 'web_search', result: 'x' },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'text-delta', id: '0', delta: 'found' },
    finish,
  ]);
  expect(step.calls).toEqual([]);
  expect(step.notes.map((note) => note.values)).toEqual([
    { kind: 'tool-call web_search' },
    { kind: 'tool-result web_search' },
  ]);
});

describe('an answer is an error', () => {
  test.each<[string, LanguageModelV4StreamPart[], object]>([
    ['without an end', [{ type: 'text-delta', id: '0', delta: 'half' }], { code: 'BROKEN_ANSWER', retryable: true }],
    [
      'that the provider calls one',
      [{ ...finish, finishReason: { unified: 'error', raw: 'x' } }],
      { code: 'BROKEN_ANSWER' },
    ],
    [
      'that was interrupted',
      [{ ...finish, finishReason: { unified: 'interrupted', raw: 'x' } }],
      { code: 'BROKEN_ANSWER' },
    ],
    [
      'that was withheld',
      [{ ...finish, finishReason: { unified: 'content-filter', raw: 'x' } }],
      { code: 'ANSWER_WITHHELD', retryable: false },
    ],
    ['that is empty', [finish], { code: 'EMPTY_ANSWER', retryable: true }],
    [
      'with an error in words',
      [{ type: 'error', error: 'Overloaded' }, finish],
      { code: 'SERVER_ERROR', retryable: true },
    ],
    ['with an error that says nothing', [{ type: 'error', error: undefined }, finish], { code: 'BROKEN_ANSWER' }],
    [
      'with an error of another sort',
      [{ type: 'error', error: new TypeError('x is not a function') }],
      { code: 'BROKEN_ANSWER' },
    ],
  ])('%s', async (_name, parts, expected) => {
    await expect(read(parts)).rejects.toMatchObject({ name: 'ModelError', ...expected });
  });

  test('and what follows it is not waited for', async () => {
    let cancelled = false;
    const model = modelOf([{ type: 'error', error: 'x' }, 'for ever'], () => {
      cancelled = true;
    });
    const answer = readModelStream({ model, provider: 'test', options: { prompt: [] } });
    await expect(answer).rejects.toMatchObject({ name: 'ModelError' });
    expect(cancelled).toBe(true);
  });
});

test('an abort ends an answer even of a model that does not listen to it', async () => {
  const controller = new AbortController();
  const model = modelOf([{ type: 'text-delta', id: '0', delta: 'a' }, 'for ever']);
  const answer = readModelStream({
    model,
    provider: 'test',
    options: { prompt: [], abortSignal: controller.signal },
    onText: () => queueMicrotask(() => controller.abort()),
  });
  await expect(answer).rejects.toMatchObject({ code: 'ABORTED' });
});

test('what a package cannot say to its service is said to the caller', async () => {
  const model = modelOf([]);
  const refusal = Object.assign(new Error("'video' functionality not supported."), {
    name: 'AI_UnsupportedFunctionalityError',
  });
  model.doStream = () => Promise.reject(refusal);
  const answer = readModelStream({ model, provider: 'test', options: { prompt: [] } });
  await expect(answer).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: "The model test/model cannot be asked this: 'video' functionality not supported.",
  });
});
