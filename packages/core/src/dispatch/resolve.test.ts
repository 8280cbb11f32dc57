import { afterAll, describe, expect, it } from 'vitest';
import { createVisibleTools } from '../agent/visible-tools.ts';
import { defineAgentTool } from '../authoring/index.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { createInlineExecutor } from '../execution/index.ts';
import { createWorld } from './fixtures/call-world.ts';

const inline = createInlineExecutor();
afterAll(() => inline.close());

const definition = defineAgentTool({ description: 'x', execute: (_input, { call }) => call.toolName });
const world = createWorld({
  executors: { inline, process: inline },
  tools: {
    weather: { definition },
    weatherHidden: { definition, hidden: true },
    'skills/sky/tools/weatherSky': { definition, name: 'weatherSky', owner: { plugin: [], skill: 'sky' } },
    'agents/sky/tools/weatherAgent': { definition, name: 'weatherAgent', owner: { plugin: [], agent: 'sky' } },
  },
});

const concealed = [
  'weatherHidden',
  'weatherSky',
  'skills/sky/tools/weatherSky',
  'weatherAgent',
  'agents/sky/tools/weatherAgent',
];

/** An outcome with the asked name taken out: what is left must not tell one reason from another. */
function shape(outcome: Outcome, name: string): string {
  return JSON.stringify({ ...outcome, durationMs: 0 }).replaceAll(JSON.stringify(name), '"…"');
}

describe('hidden and private tools', () => {
  it.each(concealed)('%s is for a model like one that does not exist', async (name) => {
    const outcome = await world.call(name);
    expect(outcome).toMatchObject({ code: 'UNKNOWN_TOOL', effect: 'none' });
    const [emptied] = [createWorld({ executors: { inline, process: inline }, tools: { weather: { definition } } })];
    expect(shape(outcome, name)).toBe(shape(await emptied.call(name), name));
  });

  it('are never among the suggestions', async () => {
    const said = JSON.stringify(await world.call('weatherS'));
    expect(said).toContain('weather');
    expect(said).not.toMatch(/weatherSky|weatherHidden|weatherAgent/);
  });

  it.each(concealed)('%s runs for code', async (name) => {
    expect(await world.call(name, {}, { byCode: true })).toMatchObject({ status: 'success' });
  });

  it('are not sent to models', () => {
    const visible = createVisibleTools()(world.table, world.scope.admitted, false);
    expect(visible.map(({ name }) => name)).toEqual(['weather']);
  });
});
