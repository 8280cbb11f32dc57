import type { Locale } from 'baigong';
import { type NewFiles, toolFiles } from './tool-files.ts';

/** A child plugin with a service, a tool from code, and a tool from a file with its tests. */
export function pluginFiles(name: string, locale: Locale): NewFiles {
  const tool = toolFiles({ name: 'find', locale, toProject: '../../../..', plugin: name });
  const files = new Map<string, string>([
    ['plugin.ts', pluginFile(name, locale)],
    ['counter.ts', counterFile(name)],
    ['plugin.test.ts', testFile(name)],
  ]);
  for (const [path, content] of tool) files.set(`tools/find/${path}`, content);
  return files;
}

function pluginFile(name: string, locale: Locale): string {
  const zh = locale === 'zh';
  return `import { defineAgentTool, definePlugin } from 'baigong';
import { z } from 'zod';
import { counterToken } from './counter.ts';

export default definePlugin({
  name: '${name}',
  // ${zh ? `对应 baigong.config 中的 plugins.${name}` : `what may stand under plugins.${name} in baigong.config`}
  config: z.object({
    baseUrl: z.url().optional(),
    counting: z.boolean().default(true),
  }),
  provides: [counterToken],
  setup(context) {
    let count = 0;
    context.provide(counterToken, { next: () => ++count }, { remote: ['next'] });
    context.onDispose(() => {
      count = 0;
    });
    if (!context.config.get().counting) return;
    context.addTool(
      'count',
      defineAgentTool({
        description: ${zh ? "'数一数这个工具被调用了几次。'" : "'Counts how often it was called.'"},
        requiresApproval: 'never',
        execute: (_input, { use }) => ({ count: use(counterToken).next() }),
      }),
    );
  },
});
`;
}

function counterFile(name: string): string {
  return `import { defineToken } from 'baigong';

export const counterToken = defineToken<{ next(): number }>('${name}.counter');
`;
}

function testFile(name: string): string {
  return `import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRuntime } from 'baigong';

// Run with: node --test plugins/${name}/plugin.test.ts

async function open(config: Record<string, unknown>) {
  const project = join(import.meta.dirname, '../..');
  return createRuntime({ project, store: 'memory', model: 'offline', settings: { plugins: { '${name}': config } } });
}

test('counts calls', async () => {
  const runtime = await open({});
  await runtime.call('${name}__count', {});
  const outcome = await runtime.call('${name}__count', {});
  await runtime.close();
  assert.deepEqual(outcome.status === 'success' && outcome.result.value, { count: 2 });
});

test('is not offered when the configuration says so', async () => {
  const runtime = await open({ counting: false });
  const tool = runtime.table.get('${name}__count');
  await runtime.close();
  assert.equal(tool, undefined);
});

test('refuses a configuration that does not fit', async () => {
  await assert.rejects(open({ counting: 'maybe' }), { code: 'PROJECT_FAULTY' });
});
`;
}
