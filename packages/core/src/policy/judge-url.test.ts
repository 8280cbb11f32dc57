import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UrlRules } from '../contracts/url-policy.ts';
import { judgeAddresses } from './judge-addresses.ts';
import { judgeUrl } from './judge-url.ts';

interface UrlCase {
  readonly id: string;
  readonly url: string;
  readonly expect: 'block' | 'allow';
  readonly why: string;
  readonly category: string;
  readonly alt?: readonly string[];
  readonly resolve?: Readonly<Record<string, readonly string[]>>;
}

const cases = readFileSync(join(import.meta.dirname, 'fixtures/ssrf.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as UrlCase);

const closed: UrlRules = { allowHosts: [] };

/** The decision on a URL and on what its name leads to. */
async function decide(url: string, rules: UrlRules, resolve: UrlCase['resolve'] = {}): Promise<string> {
  const verdict = await judgeUrl(url, rules);
  if (!verdict.allow) return verdict.code;
  if (!verdict.needsResolving) return 'allow';
  const addresses = resolve[verdict.host] ?? resolve[`${verdict.host}.`] ?? ['93.184.216.34'];
  const judged = await judgeAddresses(verdict.host, verdict.port, addresses, rules);
  return judged.allow ? 'allow' : judged.code;
}

describe('the cases on file', () => {
  // What a redirect or a slow body leads to is not in the text of a URL: those are tried with a real exchange.
  const onText = cases.filter(({ category }) => category !== 'redirect' && category !== 'response');

  it.each(onText)('$id $url ($why): $expect', async ({ url, expect: wanted, resolve }) => {
    const decision = await decide(url, closed, resolve);
    expect(decision === 'allow' ? 'allow' : 'block').toBe(wanted);
  });
});

describe('a URL', () => {
  it.each([
    ['http://localhost/', 'special-name'],
    ['http://LOCALHOST.:8080/', 'special-name'],
    ['http://ｌｏｃａｌｈｏｓｔ/', 'special-name'],
    ['http://lo%63alhost/', 'special-name'],
    ['http://a.b.localhost/', 'special-name'],
    ['http://printer.local/', 'special-name'],
    ['http://db.internal/', 'special-name'],
    ['http://nas.home.arpa/', 'special-name'],
    ['http://metadata.tencentyun.com/latest/', 'special-name'],
    ['http://instance-data.ec2.example/', 'special-name'],
    ['http://intranet/', 'special-name'],
    ['http://localhost../', 'special-name'],
    ['http://a..example.com/', 'special-name'],
    ['http://.example.com/', 'special-name'],
    ['http://127。0。0。1/', 'not-public'],
    ['http://①②⑦.0.0.1/', 'not-public'],
    ['http://[::ffff:7f00:1]/', 'not-public'],
    ['http://[::7f00:1]/', 'not-public'],
    ['http://[::127.0.0.1]/', 'not-public'],
    ['http://[64:ff9b::10.0.0.1]/', 'not-public'],
    ['http://[64:ff9b:1::8.8.8.8]/', 'not-public'],
    ['http://[2002:a00:1::]/', 'not-public'],
    ['http://[2001:0:808:808::f5ff:fffe]/', 'not-public'],
    ['http://[::ffff:0:8.8.8.8]/', 'not-public'],
    ['http://[2a00:1450:4001::5efe:10.0.0.1]/', 'not-public'],
    ['http://[2a00:1450:4001:0:200:5efe:a00:1]/', 'not-public'],
    ['http://[fd00::5efe:8.8.8.8]/', 'not-public'],
    ['http://[4000::1]/', 'not-public'],
    ['http://[5f00::1]/', 'not-public'],
    ['http://100.100.100.200/', 'not-public'],
    ['http://168.63.129.16/metadata', 'not-public'],
    ['http://[::ffff:168.63.129.16]/', 'not-public'],
    ['http://169.254.170.2/v2/credentials', 'not-public'],
    ['http://198.18.0.1/', 'not-public'],
    ['https://8.8.8.8:22/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://user@example.com/', 'credentials'],
    ['https://user:word@example.com/', 'credentials'],
    ['https://@example.com/', 'credentials'],
    ['https://example.com\\@127.0.0.1/', 'unreadable'],
    ['https://example.com/a\\b', 'unreadable'],
    ['https:/example.com/', 'unreadable'],
    ['https:///example.com/', 'unreadable'],
    [' https://example.com/', 'unreadable'],
    ['https://example.com/a\r\nHost: x', 'unreadable'],
    ['/relative', 'unreadable'],
    ['', 'unreadable'],
    ['ws://example.com/', 'scheme'],
    [`https://example.com/${'a'.repeat(8_192)}`, 'too-long'],
    [`https://example.com/${'a'.repeat(8_192 - 20)}`, 'allow'],
    ['https://example.com/search?q=two words', 'allow'],
    ['https://example.com?a=\\', 'allow'],
    ['https://example.com/@user', 'allow'],
    ['https://example.com:8443/', 'allow'],
    ['https://[::ffff:8.8.8.8]/', 'allow'],
    ['https://[64:ff9b::8.8.8.8]/', 'allow'],
    ['https://[2a00:1450:4001::5efe:8.8.8.8]/', 'allow'],
    ['https://localhost.example/', 'allow'],
    ['https://metadatafarm.example/', 'allow'],
  ])('%j: %s', async (url, decision) => {
    expect(await decide(url, closed)).toBe(decision);
  });

  it('is given back without the final dot of its host, and says whether a name is left to resolve', async () => {
    const verdict = await judgeUrl('https://Example.com./a?b#c', closed);
    expect(verdict).toMatchObject({ allow: true, host: 'example.com', port: 443, needsResolving: true });
    expect(verdict.allow && verdict.url.href).toBe('https://example.com/a?b#c');
    expect(await judgeUrl('http://8.8.8.8:8080/', closed)).toMatchObject({ port: 8080, needsResolving: false });
  });
});

describe('allowHosts', () => {
  it.each([
    ['http://localhost:3000/', ['localhost'], 'allow'],
    ['http://LocalHost.:3000/', ['LOCALHOST:3000'], 'allow'],
    ['http://localhost:3001/', ['localhost:3000'], 'special-name'],
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], 'allow'],
    ['http://0x7f.1:8080/', ['127.0.0.1:8080'], 'allow'],
    ['http://127.0.0.1/', ['127.0.0.1:80'], 'allow'],
    ['https://127.0.0.1/', ['127.0.0.1:80'], 'not-public'],
    ['http://127.0.0.2:8080/', ['127.0.0.1:8080'], 'not-public'],
    ['http://[::1]:8080/', ['[::1]:8080'], 'allow'],
    ['http://[0:0::1]/', ['::1'], 'allow'],
    ['http://192.168.0.9:22/', ['192.168.0.9:22'], 'allow'],
    ['http://wiki.internal/', ['internal'], 'special-name'],
    ['http://wiki.internal/', ['*.internal'], 'special-name'],
    ['http://wiki.internal/', ['wiki.internal/', 'http://wiki.internal', '', 'a b', 'x:99999'], 'special-name'],
    ['http://user@localhost/', ['localhost'], 'credentials'],
    ['ftp://localhost/', ['localhost'], 'scheme'],
  ])('%s under %j: %s', async (url, allowHosts, decision) => {
    expect(await decide(url, { allowHosts })).toBe(decision);
  });

  it('excepts what the name resolves to, and no other name that resolves to an excepted address', async () => {
    const resolve = { 'wiki.corp.example': ['10.0.0.8'], 'evil.example': ['10.0.0.8'] };
    const rules = { allowHosts: ['wiki.corp.example', '10.0.0.8'] };
    expect(await decide('http://wiki.corp.example/', rules, resolve)).toBe('allow');
    expect(await decide('http://evil.example/', rules, resolve)).toBe('not-public');
  });
});

describe('the hosts of a tool', () => {
  it.each([
    ['https://api.example.com/', ['api.example.com'], 'allow'],
    ['https://API.example.com./', ['Api.Example.com'], 'allow'],
    ['https://api.example.com:8443/', ['api.example.com:443'], 'not-declared'],
    ['https://a.b.example.com/', ['*.example.com'], 'allow'],
    ['https://example.com/', ['*.example.com'], 'not-declared'],
    ['https://badexample.com/', ['*.example.com'], 'not-declared'],
    ['https://例子.example/', ['例子.example'], 'allow'],
    ['https://other.example/', ['api.example.com', '*.example.com'], 'not-declared'],
    ['http://127.0.0.1/', ['127.0.0.1'], 'not-public'],
    ['https://other.example/', [], 'allow'],
  ])('%s under %j: %s', async (url, allowedByTool, decision) => {
    expect(await decide(url, { allowHosts: [], allowedByTool })).toBe(decision);
  });

  it('are named when another host is refused', async () => {
    const verdict = await judgeUrl('https://other.example/', { allowHosts: [], allowedByTool: ['api.example.com'] });
    expect(verdict).toMatchObject({
      allow: false,
      reason: { key: 'policy.url-not-declared', values: { host: 'other.example', labels: 'api.example.com' } },
    });
  });
});

describe('the addresses of a name', () => {
  it.each([
    [['93.184.216.34'], true],
    [['93.184.216.34', '2606:2800:220:1::1'], true],
    [['93.184.216.34', '127.0.0.1'], false],
    [['2606:2800:220:1::1%eth0'], false],
    [['not an address'], false],
    [['127.1'], false],
    [[], false],
    [['198.18.0.7'], false],
  ])('%j: %s', async (addresses, allow) => {
    expect((await judgeAddresses('a.example', 443, addresses, closed)).allow).toBe(allow);
  });

  it('may lie in the range of fake-IP proxies only by the setting, which the refusal names', async () => {
    const rules = { allowHosts: [], allowFakeIp: true };
    expect(await judgeAddresses('a.example', 443, ['198.19.3.4'], closed)).toMatchObject({
      reason: { key: 'policy.url-fake-ip' },
    });
    expect((await judgeAddresses('a.example', 443, ['198.19.3.4'], rules)).allow).toBe(true);
    expect((await judgeAddresses('a.example', 443, ['198.19.3.4', '10.0.0.1'], rules)).allow).toBe(false);
    expect((await judgeUrl('http://198.18.0.1/', rules)).allow).toBe(false);
  });
});

describe('any text', () => {
  it('gets a verdict', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string()), async (text) => {
        for (const url of [text, `http://${text}`, `http://[${text}]/`, `http://${text}@a.example/`]) {
          const verdict = await judgeUrl(url, { allowHosts: [text], allowedByTool: ['*.example', text] });
          expect(typeof verdict.allow).toBe('boolean');
        }
      }),
    );
  });

  it('that spells a private IPv4 address is refused', async () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const octets = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    );
    const base = fc.constantFrom(
      (value: number) => `${value}`,
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0X000${value.toString(16).toUpperCase()}`,
      (value: number) => `0${value.toString(8)}`,
    );
    const bases = fc.tuple(base, base, base, base);
    await fc.assert(
      fc.asyncProperty(octets, bases, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (parts, how, count, dot) => {
        const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
        const rest = whole % 256 ** (5 - count);
        const written = [...parts.slice(0, count - 1), rest].map((part, at) => (how[at] ?? String)(part)).join('.');
        const hex = (index: number) => (((parts[index] ?? 0) << 8) | (parts[index + 1] ?? 0)).toString(16);
        const tail = `${hex(0)}:${hex(2)}`;
        for (const host of [
          written + (dot ? '.' : ''),
          `[::ffff:${tail}]`,
          `[::ffff:${parts.join('.')}]`,
          `[::${tail}]`,
          `[::ffff:0:${tail}]`,
          `[64:ff9b::${tail}]`,
          `[2002:${tail}::1]`,
          `[2a00:1450::5efe:${tail}]`,
        ]) {
          expect([host, (await judgeUrl(`http://${host}/`, closed)).allow]).toEqual([host, false]);
        }
      }),
    );
  });

  it('that spells an IPv6 address which is not public is refused', async () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const first = fc.oneof(
      fc.integer({ min: 0xfc00, max: 0xffff }),
      fc.integer({ min: 0x4000, max: 0xffff }),
      fc.constant(0x100),
    );
    await fc.assert(
      fc.asyncProperty(first, fc.array(group, { minLength: 7, maxLength: 7 }), async (head, tail) => {
        const host = [head, ...tail].map((part) => part.toString(16)).join(':');
        expect((await judgeUrl(`http://[${host}]/`, closed)).allow).toBe(false);
      }),
    );
  });
});
