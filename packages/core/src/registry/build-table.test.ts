import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../authoring/agent-tool.ts';
import { defineAgentTool } from '../authoring/define-agent-tool.ts';
import type { PermissionRule } from '../contracts/capability.ts';
import type { CapabilitySource } from '../contracts/capability-source.ts';
import type { Json } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { createTableBuilder } from './build-table.ts';
import { createDefinitionsSource } from './create-definitions-source.ts';
import { createProjectSource } from './create-project-source.ts';
import { evaluatingHost } from './fixtures/evaluating-host.ts';
import { writeProject } from './fixtures/write-project.ts';

const signal = new AbortController().signal;
const defaults = { timeoutMs: 10_000, maxOutputChars: 50_000 };

function parsePermission(rule: string): PermissionRule {
  return rule === 'role(master)' ? { kind: 'role', atLeast: 'master' } : { kind: 'never', text: rule, isKnown: false };
}

async function build(...sources: CapabilitySource[]) {
  const snapshots = await Promise.all(
    sources.map(async (source) => ({ source, snapshot: await source.load({ signal }) })),
  );
  return createTableBuilder({ parsePermission })({ generation: 7, snapshots }, defaults);
}

async function tableOf(...sources: CapabilitySource[]) {
  const { table, problems } = await build(...sources);
  expect(problems.filter((problem) => problem.fatal)).toEqual([]);
  if (table === undefined) throw new Error('no table');
  return table;
}

function embedded(tools: Record<string, AgentTool>, id = 'embedded') {
  return createDefinitionsSource({ id, tools });
}

function folder(root: string) {
  const host = evaluatingHost();
  return createProjectSource({ id: 'project', root, hosts: { inline: host, process: host }, version: '1.0.0' });
}

function define(more: Partial<Parameters<typeof defineAgentTool>[0]> = {}): AgentTool {
  return defineAgentTool({ description: 'Does it.', execute: () => 1, ...more } as never);
}

/** Both languages, every gap filled. */
function expectReadable(problems: readonly Problem[]): void {
  for (const { message, hint } of problems) {
    for (const one of hint === undefined ? [message] : [message, hint]) {
      for (const locale of ['en', 'zh'] as const) {
        const rendered = renderText(one, locale);
        expect(rendered).not.toBe(one.key);
        expect(rendered).not.toMatch(
          /\{(tool|file|field|found|expected|name|names|places|folder|files|reason|rule|specifier|fields|size|limit)\}/,
        );
      }
    }
  }
}

describe('buildTable', () => {
  it('orders tools by name and finds each by its name only', async () => {
    const tools = Object.entries({ b: define(), a: define(), B: define(), constructor: define() });
    const source = createDefinitionsSource({ id: 'embedded', tools: [...tools, ['__proto__', define()]] });
    const table = await tableOf(source);
    expect(table.generation).toBe(7);
    expect(table.tools.map((tool) => tool.name)).toEqual(['B', '__proto__', 'a', 'b', 'constructor']);
    expect(table.get('__proto__')?.name).toBe('__proto__');
    expect(table.get('constructor')?.name).toBe('constructor');
    expect(table.get('toString')).toBeUndefined();
    expect(table.get('a')?.limits).toEqual(defaults);
  });

  it('gives equal admission rules one class', async () => {
    const table = await tableOf(
      embedded({
        a: define({ platforms: ['qq', 'icqq'], scopes: ['group', 'private'], permissions: ['role(master)'] }),
        b: define(),
        c: define({ platforms: ['icqq', 'qq', 'qq'], scopes: ['private', 'group'], permissions: ['role(master)'] }),
        d: define({ platforms: [] }),
        e: define({ scopes: ['group'] }),
      }),
    );
    expect(table.tools.map((tool) => tool.admissionClass)).toEqual([0, 1, 0, 1, 2]);
    expect(table.admissionClasses[0]).toEqual({
      platforms: ['icqq', 'qq'],
      scopes: ['group', 'private'],
      permissions: [{ kind: 'role', atLeast: 'master' }],
    });
  });

  it('cannot be changed, while live definitions stay what they were', async () => {
    const definition = { ...define({ inputSchema: { type: 'object', properties: {} }, tags: ['a'] }) };
    const table = await tableOf(embedded({ a: definition }));
    const tool = table.get('a');
    const parts = [
      table,
      table.tools,
      table.admissionClasses,
      table.admissionClasses[0],
      table.admissionClasses[0]?.platforms,
      tool,
      tool?.inputSchema,
      tool?.inputSchema.properties,
      tool?.wire,
      tool?.wire.inputSchema,
      tool?.annotations,
      tool?.trustedHints,
      tool?.limits,
      tool?.source,
      tool?.tags,
      tool?.examples,
      tool?.code,
    ];
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([]);
    expect(tool?.code).toEqual({ kind: 'live', definition });
    expect(Object.isFrozen(definition)).toBe(false);
  });

  it('names both places of a duplicate, once per name, and warns of names that differ in case', async () => {
    const root = await writeProject({
      'tools/clock/index.ts': 'export default { description: "a", execute() {} }',
      'tools/weather/index.ts': 'export default { description: "b", execute() {} }',
    });
    const { table, problems } = await build(
      folder(root),
      embedded({ weather: define(), Clock: define() }),
      embedded({ weather: define() }, 'second'),
    );
    expect(table).toBeUndefined();
    expect(problems).toMatchObject([
      {
        code: 'DUPLICATE_NAME',
        file: 'tools/weather/index.ts',
        found: 'tools/weather/index.ts (project), (embedded), (second)',
        fatal: true,
      },
      { code: 'SIMILAR_NAME', found: '"clock": tools/clock/index.ts (project), "Clock": (embedded)', fatal: false },
    ]);
    expectReadable(problems);
  });

  it('reports every fault of a project together, each with file, field, found and expected', async () => {
    const tool = (fields: string) => `export default { execute() {}, ${fields} };`;
    const root = await writeProject({
      'tools/syntax/index.ts': 'export default { description: }',
      'tools/no_description/index.ts': tool(''),
      'tools/typo/index.ts': tool('descripton: "x", description: "x", risk: "dangerus"'),
      'tools/schema/index.ts': tool(
        'description: "x", inputSchema: { type: "object", properties: { city: { type: "strin" } } }',
      ),
      'tools/remote/index.ts': tool('description: "x", inputSchema: { $ref: "https://example.org/schema.json" }'),
      'tools/clash/index.ts': tool('description: "x"'),
      'tools/discover/index.ts': tool('description: "x"'),
      'tools/bad name/index.ts': tool('description: "x", timeoutMs: 0'),
      'tools/imports/index.ts': `import { a } from './helpr'; export default a;`,
      'tools/imports/helper.ts': 'export const a = 1;',
      'tools/waits/index.ts': 'export default await 1;',
      'tools/sandboxed/index.ts': tool(
        'description: "x", isolation: "sandbox", access: ["network"], permissions: ["admin"]',
      ),
      'tools/twice/index.ts': tool('description: "x"'),
      'tools/twice/index.mjs': tool('description: "x"'),
      'tools/loose.ts': tool('description: "x"'),
      'tools/empty/readme.md': '',
    });
    const { table, problems } = await build(folder(root), embedded({ clash: define() }));
    expect(table).toBeUndefined();
    const told = problems.map(({ code, file, field, found, expected }) => [code, file, field, found, expected]);
    expect(told).toEqual([
      ['INVALID_NAME', 'tools/bad name/index.ts', 'name', '"bad name"', '^[a-zA-Z0-9_-]{1,64}$'],
      ['MISSING_INDEX', 'tools/empty', undefined, '"readme.md"', 'tools/empty/index.ts'],
      ['UNRESOLVED_IMPORT', 'tools/imports/index.ts', 'import', '"./helpr"', '"./helper.ts"'],
      ['MISPLACED_FILE', 'tools/loose.ts', undefined, 'loose.ts', 'tools/loose/index.ts'],
      ['SYNTAX_ERROR', 'tools/syntax/index.ts:1:31', undefined, 'export default { description: }', undefined],
      ['AMBIGUOUS_INDEX', 'tools/twice', undefined, 'index.ts, index.mjs', 'tools/twice/index.ts'],
      ['TOP_LEVEL_AWAIT', 'tools/waits/index.ts:1:16', undefined, 'export default await 1;', undefined],
      ['INVALID_FIELD', 'tools/bad name/index.ts', 'timeoutMs', '0', 'Number.isInteger, 1 … 3600000'],
      ['RESERVED_NAME', 'tools/discover/index.ts', 'name', '"discover"', expect.stringContaining('load_tool')],
      ['MISSING_FIELD', 'tools/no_description/index.ts', 'description', 'undefined', 'string.trim().length ≥ 1'],
      ['INVALID_SCHEMA', 'tools/remote/index.ts', 'inputSchema/$ref', '"https://example.org/schema.json"', '#/…'],
      ['NO_EFFECT_YET', 'tools/sandboxed/index.ts', 'access', '["network"]', undefined],
      ['SANDBOX_UNAVAILABLE', 'tools/sandboxed/index.ts', 'isolation', '"sandbox"', '"process" | "inline"'],
      ['UNKNOWN_PERMISSION', 'tools/sandboxed/index.ts', 'permissions/0', '"admin"', 'role(user | trusted | master)'],
      [
        'INVALID_SCHEMA',
        'tools/schema/index.ts',
        'inputSchema/properties/city/type',
        '"strin"',
        expect.stringContaining('"string"'),
      ],
      ['UNKNOWN_FIELD', 'tools/typo/index.ts', 'descripton', '"descripton"', 'description'],
      ['INVALID_FIELD', 'tools/typo/index.ts', 'risk', '"dangerus"', '"dangerous" | "safe"'],
      ['DUPLICATE_NAME', 'tools/clash/index.ts', 'name', 'tools/clash/index.ts (project), (embedded)', undefined],
    ]);
    expectReadable(problems);
  });

  it('knows the name of a tool whose own faults hid the rest', async () => {
    const root = await writeProject({
      'tools/broken/index.ts': 'export default {',
      'tools/load_skill/index.ts': 'export default {',
      'tools/user/index.ts': `export default { description: 'x', dependsOn: ['broken'], execute() {} };`,
    });
    const { problems } = await build(folder(root), embedded({ broken: define() }));
    expect(problems.map(({ code, file }) => [code, file])).toEqual([
      ['SYNTAX_ERROR', 'tools/broken/index.ts:1:17'],
      ['SYNTAX_ERROR', 'tools/load_skill/index.ts:1:17'],
      ['RESERVED_NAME', 'tools/load_skill/index.ts'],
      ['DUPLICATE_NAME', 'tools/broken/index.ts'],
    ]);
  });

  it('has equal digests over two loads and others after a change, each where it belongs', async () => {
    const root = await writeProject({
      'tools/a/index.ts': `import { text } from '../../shared.ts'; export default { description: 'a', execute: () => text };`,
      'tools/b/index.ts': `export default { description: 'b', execute: () => 1 };`,
      'shared.ts': `export const text = 'one';`,
    });
    const digests = async () => {
      const table = await tableOf(folder(root));
      return [table.digest, ...table.tools.map((tool) => tool.definitionDigest)] as const;
    };
    const [table, a, b] = await digests();
    expect(await digests()).toEqual([table, a, b]);

    await writeFile(join(root, 'shared.ts'), `export const text = 'two';`);
    const [afterHelper, aAfterHelper, bAfterHelper] = await digests();
    expect(afterHelper).not.toBe(table);
    expect(aAfterHelper).not.toBe(a);
    expect(bAfterHelper).toBe(b);

    await writeFile(join(root, 'tools/b/index.ts'), `export default { description: 'b\\n', execute: () => 1 };`);
    const [afterNewline, aAfterNewline, bAfterNewline] = await digests();
    expect(afterNewline).not.toBe(afterHelper);
    expect(aAfterNewline).toBe(aAfterHelper);
    expect(bAfterNewline).not.toBe(b);
  });

  it('does not let the order of members, tools or sources into digests', async () => {
    const reversed = (value: Json): Json =>
      value === null || typeof value !== 'object' || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, member]) => [name, reversed(member as Json)]),
          );
    const property = fc.record({ type: fc.constant('string'), description: fc.string(), 'x-note': fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), property), async (properties) => {
        const schema = JSON.parse(JSON.stringify({ type: 'object', properties })) as { [key: string]: Json };
        const one = embedded({ a: define({ inputSchema: schema }), b: define() });
        const two = [embedded({ b: define() }), embedded({ a: define({ inputSchema: reversed(schema) as never }) })];
        expect((await tableOf(...two)).digest).toBe((await tableOf(one)).digest);
      }),
      { numRuns: 25 },
    );
  });

  it('holds ten thousand tools', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const names = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`);
    const tools = names.map((name) => [name, define({ description: `Does ${name}.`, inputSchema })] as const);
    const table = await tableOf(createDefinitionsSource({ id: 'embedded', tools }));
    expect(table.tools).toHaveLength(10_000);
    expect(table.get('tool_9999')?.description).toBe('Does tool_9999.');
    expect(new Set(table.tools.map((tool) => tool.definitionDigest)).size).toBe(10_000);
  });
});
