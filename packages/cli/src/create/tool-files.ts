import type { Locale } from 'baigong';

/** Files by their path below the tool's folder. */
export type NewFiles = ReadonlyMap<string, string>;

export interface NewTool {
  readonly name: string;
  readonly locale: Locale;
  /** From the tool's folder to the project's, e.g. `../..`. */
  readonly toProject: string;
  /** Name of the plugin that owns it; absent = the root plugin. */
  readonly plugin?: string;
}

/** A tool that asks a service, and its tests: good call, bounds, a service that fails and refuses, time and size. */
export function toolFiles(tool: NewTool): NewFiles {
  return new Map([
    ['index.ts', indexFile(tool)],
    ['index.test.ts', testFile(tool)],
  ]);
}

function indexFile({ locale }: NewTool): string {
  const zh = locale === 'zh';
  return `import { defineAgentTool, InputError } from 'baigong';
import { z } from 'zod';

${zh ? '// 配置：baigong.config 中该插件的部分；没有时使用默认地址。' : "// Configuration: this plugin's part of baigong.config; without one the address below is asked."}
interface Config {
  readonly baseUrl?: string;
}

export default defineAgentTool.withConfig<Config>()({
  description: ${zh ? "'按关键词查找条目。用户想查找某个条目时使用。'" : "'Looks entries up by a word. Use when the user wants to find an entry.'"},
  inputSchema: z.object({
    query: z.string().trim().min(1).max(200).describe(${zh ? "'要查找的关键词'" : "'what to look for'"}),
    limit: z.number().int().min(1).max(20).default(5).describe(${zh ? "'最多返回几条'" : "'how many entries at most'"}),
  }),
  returns: ${zh ? "'匹配的条目列表'" : "'the entries that match'"},
  annotations: { readOnlyHint: true },
  requiresApproval: 'never',
  timeoutMs: 3_000,
  maxOutputChars: 2_000,
  async execute({ query, limit }, { config, fetch, signal }) {
    const { baseUrl = 'https://api.example.com' } = config;
    const url = new URL('/entries', baseUrl);
    url.searchParams.set('q', query);
    url.searchParams.set('limit', String(limit));
    ${zh ? '// 网络故障和 5xx 会自动成为 UPSTREAM_UNAVAILABLE。' : '// Network faults and 5xx become UPSTREAM_UNAVAILABLE by themselves.'}
    const response = await fetch(url, { signal });
    if (response.status === 404) {
      throw new InputError(${zh ? '`没有与 ${query} 匹配的条目`' : '`nothing matches ${query}`'}, {
        hint: ${zh ? "'请用户换一个关键词。'" : "'Ask the user for another word.'"},
      });
    }
    if (!response.ok) throw new InputError(${zh ? '`服务拒绝了请求（HTTP ${response.status}）`' : '`the service refused the request (HTTP ${response.status})`'});
    return response.text();
  },
});
`;
}

function testFile({ name, toProject, plugin }: NewTool): string {
  const qualified = plugin === undefined ? name : `${plugin}__${name}`;
  const config = plugin === undefined ? 'config: { baseUrl }' : `plugins: { '${plugin}': { baseUrl } }`;
  return `import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRuntime, type JsonObject, type Runtime } from 'baigong';

// Run with: node --test ${plugin === undefined ? 'tools' : `plugins/${plugin}/tools`}/${name}/index.test.ts

/** What the service behind the tool answers; each test sets its own. */
let answer: RequestListener;
const server = createServer((request, response) => answer(request, response));
let runtime: Runtime;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = \`127.0.0.1:\${(server.address() as AddressInfo).port}\`;
  const baseUrl = \`http://\${host}\`;
  runtime = await createRuntime({
    project: join(import.meta.dirname, '${toProject}'),
    store: 'memory',
    model: 'offline',
    settings: { network: { allowHosts: [host] }, ${config} },
  });
});

after(async () => {
  await runtime.close();
  server.closeAllConnections();
  server.close();
});

/** Calls the tool through the whole dispatch. */
async function call(input: JsonObject, service: RequestListener) {
  answer = service;
  return runtime.call('${qualified}', input);
}

test('good call', async () => {
  const outcome = await call({ query: '茶 & tea' }, (request, response) => {
    response.end(JSON.stringify({ asked: new URL(request.url ?? '', 'http://x').searchParams.get('q') }));
  });
  assert.equal(outcome.status, 'success');
  assert.match(JSON.stringify(outcome), /茶 & tea/);
});

const outOfBounds: readonly JsonObject[] = [
  {},
  { query: '' },
  { query: 'x'.repeat(201) },
  { query: 'x', limit: 0 },
  { query: 'x', limit: 21 },
];
for (const input of outOfBounds) {
  test(\`argument bounds: \${JSON.stringify(input).slice(0, 40)}\`, async () => {
    let asked = false;
    const outcome = await call(input, (_request, response) => {
      asked = true;
      response.end();
    });
    assert.equal(outcome.status === 'error' && outcome.code, 'INVALID_ARGUMENTS');
    assert.equal(asked, false);
  });
}

test('a service that fails', async () => {
  const outcome = await call({ query: 'x' }, (_request, response) => response.writeHead(503).end('down'));
  assert.equal(outcome.status === 'error' && outcome.code, 'UPSTREAM_UNAVAILABLE');
});

test('a service that refuses', async () => {
  const outcome = await call({ query: 'x' }, (_request, response) => response.writeHead(404).end());
  assert.equal(outcome.status === 'error' && outcome.code, 'INVALID_ARGUMENTS');
});

test('time: a service that does not answer', async () => {
  const outcome = await call({ query: 'x' }, () => {});
  assert.equal(outcome.status === 'error' && outcome.code, 'TIMEOUT');
});

test('size: a service that says too much', async () => {
  const outcome = await call({ query: 'x' }, (_request, response) => response.end('字'.repeat(10_000)));
  assert.equal(outcome.status === 'success' && outcome.truncated?.ofChars, 10_000);
});
`;
}
