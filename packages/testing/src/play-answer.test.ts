import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScriptedError } from './answer.ts';
import { post } from './fixtures/post.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const { pauses } = vi.hoisted(() => ({ pauses: [] as number[] }));
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void pauses.push(ms) }));

beforeEach(() => void pauses.splice(0));

const stream = { stream: true };

describe('delayMs', () => {
  it.each([
    ['before a whole answer', {}, { text: 'x', delayMs: 50 }, 1],
    ['before and between the events of a stream', stream, { text: 'abc', chunkSize: 1, delayMs: 50 }, 6],
    ['before an error', {}, { error: { status: 500 }, delayMs: 50 }, 1],
    ['never without it', stream, { text: 'abc' }, 0],
  ])('waits %s', async (_, body, answer, count) => {
    await using server = await startScriptedModel({ answers: [answer] });
    await (await post(server, 'openai', body)).text();
    expect(pauses).toEqual(Array.from({ length: count }, () => 50));
  });
});

describe('cut', () => {
  it.each([
    ['before any event', stream, 0, /^$/],
    ['after two events', stream, 2, /^data: .*\n\ndata: .*"content":"a".*\n\n$/],
    ['after all events', stream, 100, /\[DONE\]\n\n$/],
    ['half-way', stream, true, /^(data: .*\n\n){3}$/],
    ['within a whole body', {}, true, /^\{"object":"chat\.completion"[\s\S]*[^}]$/],
  ])('drops the connection %s', async (_, body, cut, received) => {
    await using server = await startScriptedModel({ answers: [{ text: 'abc', chunkSize: 1, cut }] });
    const response = await post(server, 'openai', body);
    expect(response.status).toBe(200);
    let text = '';
    const reading = async () => {
      for await (const bytes of response.body ?? []) text += new TextDecoder().decode(bytes);
    };
    await expect(reading()).rejects.toThrow('terminated');
    expect(text).toMatch(received);
    expect(await server.requests[0]?.ended).toBe('cut');
  });
});

it('gives the client turns to read before a cut, for a client discards what it has not read', async () => {
  await using server = await startScriptedModel({ answers: [{ text: 'abc', cut: 1 }] });
  const response = await post(server, 'openai', stream);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(pauses.length).toBe(10);
});

describe('hang', () => {
  it.each([
    ['after two events', stream, /"content":"a"/],
    ['within a whole body', {}, /^\{"object":"chat\.completion"/],
  ])('is silent %s', async (_, body, received) => {
    await using server = await startScriptedModel({ answers: [{ text: 'abc', chunkSize: 1, hang: 2 }] });
    const leaving = new AbortController();
    const response = await post(server, 'openai', body, { signal: leaving.signal });
    let text = '';
    const reading = async () => {
      for await (const bytes of response.body ?? []) {
        text += new TextDecoder().decode(bytes);
        if (received.test(text)) leaving.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    expect(text).not.toContain('"content":"b"');
    expect(await server.requests[0]?.ended).toBe('client-left');
  });
});

describe('what is written', () => {
  it('keeps raw events verbatim', async () => {
    const rawEvents = ['event: x\r\n', 'data: 😀\r\n\r\n', ': comment\n'];
    await using server = await startScriptedModel({ answers: [{ rawEvents }] });
    const response = await post(server, 'anthropic');
    expect(await response.text()).toBe(rawEvents.join(''));
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it.each<[string, ScriptedError, string]>([
    ['its own body and headers', { status: 418, body: { teapot: true }, headers: { 'x-a': 'b' } }, '{"teapot":true}'],
    ['the body null', { status: 500, body: null }, 'null'],
  ])('an error may have %s', async (_, error, body) => {
    await using server = await startScriptedModel({ answers: [{ error }] });
    const response = await post(server, 'openai');
    expect([response.status, await response.text()]).toEqual([error.status, body]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-a')).toBe(error.headers?.['x-a'] ?? null);
  });

  it('names the answer and the request in the provider header', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'a' }, { text: 'b' }] });
    const openai = await post(server, 'openai');
    const anthropic = await post(server, 'anthropic');
    expect([openai.headers.get('x-request-id'), anthropic.headers.get('request-id')]).toEqual(['req_1', 'req_2']);
    expect([await openai.json(), await anthropic.json()]).toMatchObject([{ id: 'chatcmpl-1' }, { id: 'msg_2' }]);
  });
});
