import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTypes } from './fixtures/seed/check-types.ts';
import { completeListings } from './fixtures/seed/complete-listings.ts';
import { listingSets } from './fixtures/seed/listing-sets.ts';
import { publishDeclarations } from './fixtures/seed/publish-declarations.ts';

let modules: TemporaryProject;

beforeAll(async () => {
  modules = await createProject();
  await publishDeclarations(modules.root);
});
afterAll(() => modules.remove());

describe.each(listingSets())('to the compiler, $title', ({ listings }) => {
  it.skipIf(listings === undefined)('are right as they stand', async () => {
    if (listings === undefined) return;
    const files = completeListings(listings, { weatherUrl: 'http://127.0.0.1:1' });
    expect(await checkTypes(files, modules.root)).toEqual([]);
  });

  it.skipIf(listings === undefined)('are wrong, each one, with one wrong word', async () => {
    if (listings === undefined) return;
    const { weather, groupKick, approval, danger, lottery, configured, resident, section } = listings;
    const broken = {
      weather: replaced(weather, 'encodeURIComponent(city)', 'Math.abs(city)'),
      groupKick: replaced(groupKick, "scopes: ['group']", "scopes: ['crowd']"),
      approval: replaced(approval, "requiresApproval: 'always'", "requiresApproval: 'sometimes'"),
      danger: replaced(danger, "riskCategory: 'member'", "riskCategory: 'members'"),
      lottery: replaced(lottery, 'database.sync()', 'database.sink()'),
      configured: replaced(configured, 'config.apiKey', 'config.apiKeys'),
      resident: replaced(resident, 'alwaysLoaded: true', "alwaysLoaded: 'yes'"),
      section: replaced(section, "retention: 'preferred'", 'retention: 1'),
    };
    const files = completeListings({ ...listings, ...broken }, { weatherUrl: 'http://127.0.0.1:1' });
    const faults = await checkTypes(files, modules.root);
    expect([...new Set(faults.map((line) => line.replace(/\(.*/, '')))].sort()).toEqual([
      'plugins/forecast/tools/weather/index.ts',
      'plugins/utils/lottery/plugin.ts',
      'prompt-sections/project-rules/index.ts',
      'tools/delete_record/index.ts',
      'tools/group_kick/index.ts',
      'tools/remove_member/index.ts',
      'tools/translate/index.ts',
      'tools/weather/index.ts',
    ]);
  });
});

it.each([
  ['a description that is a number', 'description: 5, execute: () => 1'],
  ['no description', 'execute: () => 1'],
  ['no execute', "description: 'x'"],
  ['a field that is none', "description: 'x', platform: ['icqq'], execute: () => 1"],
])('to the compiler, %s is wrong in a tool', async (_what, fields) => {
  const source = (text: string) => ({
    'tools/a/index.ts': `import { defineAgentTool } from '@zhin.js/tool';\nexport default defineAgentTool({ ${text} });\n`,
  });
  expect(await checkTypes(source("description: 'x', execute: () => 1"), modules.root)).toEqual([]);
  const faults = await checkTypes(source(fields), modules.root);
  expect(faults).not.toEqual([]);
  for (const fault of faults) expect(fault).toMatch(/^tools\/a\/index\.ts\(2,/);
});

it('a type of `context.config` fixed by withConfig is what the compiler checks, and otherwise it is unknown', async () => {
  const tool = (define: string) =>
    `import { defineAgentTool } from '@zhin.js/tool';
     export default ${define}({ description: 'x', execute: (_input, { config }) => config.apiKey.length });\n`;
  const files = {
    'tools/typed/index.ts': tool('defineAgentTool.withConfig<{ apiKey: string }>()'),
    'tools/three/index.ts': tool('defineAgentTool<{ city: string }, number, { apiKey: string }>'),
    'tools/untyped/index.ts': tool('defineAgentTool'),
    'tools/other/index.ts': tool('defineAgentTool.withConfig<{ apiKey: bigint }>()'),
  };
  const faults = await checkTypes(files, modules.root);
  expect(faults.map((line) => line.replace(/\(.*/, '')).sort()).toEqual([
    'tools/other/index.ts',
    'tools/untyped/index.ts',
  ]);
});

function replaced(listing: string, word: string, by: string): string {
  if (listing.split(word).length !== 2) throw new Error(`not exactly one place of ${word} in the listing`);
  return listing.replace(word, () => by);
}
