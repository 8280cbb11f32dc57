import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFetchRequest } from './parse-fetch-request.ts';

const url = 'https://a.example/';
const base = { url, method: 'GET', headers: [] as unknown[] };
const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64');

function outcome(value: unknown): string {
  const parsed = parseFetchRequest(value);
  return parsed.ok ? 'ok' : [parsed.refused.key, parsed.refused.values?.part].filter(Boolean).join(' ');
}

describe('a request that code may have invented', () => {
  it.each([
    [base, 'ok'],
    [{ ...base, method: 'REPORT', redirect: 'manual' }, 'ok'],
    [null, 'fetch.malformed url'],
    ['text', 'fetch.malformed url'],
    [{ ...base, url: 7 }, 'fetch.malformed url'],
    [Object.create(base), 'fetch.malformed url'],
    [{ ...base, method: 'GET / HTTP/1.1\r\nX:' }, 'fetch.malformed method'],
    [{ ...base, method: '' }, 'fetch.malformed method'],
    [{ ...base, method: 'A'.repeat(33) }, 'fetch.malformed method'],
    [{ ...base, method: 'connect' }, 'fetch.method-barred'],
    [{ ...base, method: 'TRACE' }, 'fetch.method-barred'],
    [{ ...base, redirect: 'constructor' }, 'fetch.malformed redirect'],
    [{ url, method: 'GET' }, 'fetch.malformed headers'],
    [{ ...base, headers: { a: 'b' } }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a']] }, 'fetch.malformed headers'],
    [{ ...base, headers: ['ab'] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a', 1]] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a b', 'c']] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['', 'c']] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a', 'b\r\nhost: c']] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a', 'b\0']] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['a', '茶']] }, 'fetch.malformed headers'],
    [{ ...base, headers: [['Host', 'b']] }, 'fetch.header-barred'],
    [{ ...base, headers: [['Transfer-Encoding', 'chunked']] }, 'fetch.header-barred'],
    [{ ...base, headers: [['upgrade', 'h2c']] }, 'fetch.header-barred'],
    [{ ...base, headers: [['Proxy-Authorization', 'x']] }, 'fetch.header-barred'],
    [{ ...base, headers: [['cookie', 'a=b']] }, 'ok'],
    [{ ...base, headers: [['a', 'b'.repeat(64 * 1024 - 1)]] }, 'ok'],
    [{ ...base, headers: [['a', 'b'.repeat(64 * 1024)]] }, 'fetch.headers-too-large'],
    [{ ...base, body: '' }, 'fetch.malformed body'],
    [{ ...base, method: 'POST', body: 7 }, 'fetch.malformed body'],
    [{ ...base, method: 'POST', body: 'not base64!' }, 'fetch.malformed body'],
    [{ ...base, method: 'POST', body: zeros(4 * 1024 * 1024) }, 'ok'],
    [{ ...base, method: 'POST', body: zeros(4 * 1024 * 1024 + 1) }, 'fetch.body-too-large'],
    [{ ...base, method: 'POST', body: zeros(4 * 1024 * 1024 + 3) }, 'fetch.body-too-large'],
  ])('%#: %s', (value, expected) => {
    expect(outcome(value)).toBe(expected);
  });

  it('loses the headers that the runtime sets itself, and gets names in lower case', () => {
    const headers = [
      ['Connection', 'keep-alive'],
      ['Keep-Alive', '5'],
      ['Content-Length', '999'],
      ['X-Kept', 'yes'],
    ];
    expect(parseFetchRequest({ ...base, headers })).toMatchObject({
      ok: true,
      request: { headers: [['x-kept', 'yes']] },
    });
  });

  it('is read or refused, whatever it is', () => {
    const part = fc.oneof(fc.anything(), fc.string(), fc.array(fc.array(fc.string())));
    fc.assert(
      fc.property(fc.record({ url: part, method: part, headers: part, body: part, redirect: part }), (value) => {
        expect(typeof parseFetchRequest(value).ok).toBe('boolean');
      }),
    );
  });
});
