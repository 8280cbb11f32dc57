import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentTool } from '../authoring/agent-tool.ts';
import { defineAgentTool } from '../authoring/define-agent-tool.ts';
import { createDefinitionsSource, type DefinitionsSourceOptions } from './create-definitions-source.ts';

const signal = new AbortController().signal;
const weather = defineAgentTool({
  description: 'Weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

function load(tools: DefinitionsSourceOptions['tools']) {
  return createDefinitionsSource({ id: 'embedded', tools }).load({ signal });
}

describe('createDefinitionsSource', () => {
  it('declares live tools with their schemas as JSON Schema', async () => {
    const { declarations, problems } = await load({ weather });
    expect(problems).toEqual([]);
    expect(declarations).toMatchObject([
      {
        name: 'weather',
        fields: { description: 'Weather of a city.', inputSchema: { type: 'object', required: ['city'] } },
        ownValidator: true,
      },
    ]);
    const [declaration] = declarations;
    expect(declaration?.code).toEqual({ kind: 'live', definition: weather });
    expect(declaration?.fields).not.toHaveProperty('execute');
  });

  it('takes any name that objects and entries can carry', async () => {
    const { declarations } = await load(new Map([['__proto__', weather]]));
    expect(declarations.map((one) => one.name)).toEqual(['__proto__']);
    const inherited = Object.create({ inherited: weather }, { constructor: { value: weather, enumerable: true } });
    expect((await load(inherited)).declarations.map((one) => one.name)).toEqual(['constructor']);
  });

  it('digests name and code', async () => {
    const one = defineAgentTool({ description: 'a', execute: () => 1 });
    const two = defineAgentTool({ description: 'b', execute: () => 2 });
    const digests = async (tools: Record<string, AgentTool>) =>
      (await load(tools)).declarations.map((d) => d.codeDigest);
    expect(await digests({ a: one })).toEqual(await digests({ a: one }));
    const [a, b] = await digests({ a: one, b: one });
    expect(a).not.toBe(b);
    expect(await digests({ a: two })).not.toEqual([a]);
  });

  it('reports every faulty definition and declares the rest', async () => {
    const throwing = {
      get title() {
        throw new Error('out of order');
      },
    };
    const old = { '~standard': { version: 1, vendor: 'zod3', validate: () => ({ value: 1 }) } };
    class ZodObject {}
    const { declarations, problems } = await load(
      Object.entries({
        fine: weather,
        plain: { description: 'x', execute: () => 1 } as never,
        nothing: undefined as never,
        'bad name': 3 as never,
        dated: defineAgentTool({ description: 'x', inputSchema: z.object({ when: z.date() }), execute: () => 1 }),
        oldSchema: defineAgentTool({ description: 'x', inputSchema: old as never, execute: () => 1 }),
        olderSchema: defineAgentTool({ description: 'x', inputSchema: new ZodObject() as never, execute: () => 1 }),
        bigTag: defineAgentTool({ description: 'x', tags: [1n as never], execute: () => 1 }),
        idle: defineAgentTool({ description: 'x' } as never) as AgentTool,
        broken: defineAgentTool({ description: 'x', annotations: throwing as never, execute: () => 1 }),
      }),
    );
    expect(problems.map(({ code, message, field }) => [code, message.values?.tool, field])).toEqual([
      ['NOT_A_TOOL', 'plain', undefined],
      ['NOT_A_TOOL', 'nothing', undefined],
      ['INVALID_NAME', 'bad name', 'name'],
      ['NOT_A_TOOL', 'bad name', undefined],
      ['UNSUPPORTED_SCHEMA', 'dated', 'inputSchema'],
      ['UNSUPPORTED_SCHEMA', 'oldSchema', 'inputSchema'],
      ['UNSUPPORTED_SCHEMA', 'olderSchema', 'inputSchema'],
      ['NOT_JSON', 'bigTag', 'tags/0'],
      ['MISSING_FIELD', 'idle', 'execute'],
      ['NOT_JSON', 'broken', 'annotations'],
    ]);
    expect(problems.find((problem) => problem.message.values?.tool === 'olderSchema')?.expected).toContain('zod');
    expect(problems.every((problem) => problem.fatal)).toBe(true);
    expect(declarations.map((one) => one.name)).toEqual([
      'fine',
      'dated',
      'oldSchema',
      'olderSchema',
      'bigTag',
      'idle',
      'broken',
    ]);
  });
});
