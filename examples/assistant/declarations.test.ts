import { readdirSync } from 'node:fs';
import { type AgentTool, InputError, isAgentTool, type ToolContext } from 'baigong';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const names = readdirSync(new URL('./tools', import.meta.url));

async function load(name: string): Promise<AgentTool<unknown>> {
  const { default: tool } = (await import(`./tools/${name}/index.ts`)) as { readonly default: unknown };
  if (!isAgentTool(tool)) throw new Error(`${name} is not a tool`);
  return tool as AgentTool<unknown>;
}

function schemaOf(tool: AgentTool<unknown>) {
  const { inputSchema } = tool;
  if (!(inputSchema instanceof z.ZodObject)) throw new Error('not a Zod object');
  const properties = Object.entries(z.toJSONSchema(inputSchema, { io: 'input' }).properties ?? {});
  return { inputSchema, properties: properties as [string, { description?: string; examples?: unknown[] }][] };
}

const context = (locale: 'en' | 'zh') => ({ locale, config: null }) as unknown as ToolContext<never>;

describe('the tools of the example', () => {
  it('are four', () => {
    expect(names.sort()).toEqual(['calculate', 'convert_units', 'text_stats', 'weather']);
  });

  it.each(names)('%s tells models and people what it is, in both languages', async (name) => {
    const tool = await load(name);
    const han = /\p{Script=Han}/u;
    for (const text of [tool.description, tool.summary ?? '']) expect(text).toMatch(/\p{Script=Han}.*[a-z]/u);
    expect(tool.description).toContain('Use ');
    expect(tool.description.length).toBeLessThanOrEqual(200);
    expect(tool.summary?.length).toBeLessThanOrEqual(50);
    expect(tool.examples?.some((utterance) => han.test(utterance))).toBe(true);
    expect(tool.examples?.some((utterance) => !han.test(utterance))).toBe(true);
    expect(tool).toMatchObject({
      returns: expect.any(String),
      category: expect.any(String),
      tags: expect.arrayContaining([expect.any(String)]),
      requiresApproval: 'never',
      annotations: { readOnlyHint: true, openWorldHint: name === 'weather' },
    });
  });

  it.each(names)('%s describes every parameter, with examples that it accepts', async (name) => {
    const { inputSchema, properties } = schemaOf(await load(name));
    expect(properties.length).toBeGreaterThan(0);
    for (const [parameter, { description, examples }] of properties) {
      expect([parameter, description]).toEqual([parameter, expect.stringMatching(/\p{Script=Han}.*[a-z]/u)]);
      expect(examples?.length).toBeGreaterThan(0);
      for (const example of examples ?? []) {
        expect([parameter, inputSchema.shape[parameter].safeParse(example).success]).toEqual([parameter, true]);
      }
    }
  });

  it.each(names.filter((name) => name !== 'weather'))('%s runs with its own examples', async (name) => {
    const tool = await load(name);
    const { properties } = schemaOf(tool);
    const input = Object.fromEntries(properties.map(([parameter, { examples }]) => [parameter, examples?.[0]]));
    const result = await tool.execute(input, context('en'));
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it.each([
    ['calculate', { expression: '1/0' }, '算式中除数为零'],
    ['convert_units', { value: 1, from: 'km', to: 'kg' }, '不是同一类量'],
    ['weather', { city: '../admin' }, '不是城市名'],
  ])('%s refuses in the language of the person', async (name, input, message) => {
    const tool = await load(name);
    const refusal = (async () => tool.execute(input, context('zh')))();
    await expect(refusal).rejects.toThrow(InputError);
    await expect(refusal).rejects.toThrow(message);
  });
});
