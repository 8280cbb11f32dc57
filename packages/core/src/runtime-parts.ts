import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CapabilitySource } from './contracts/capability-source.ts';
import type { Store } from './contracts/store.ts';
import { VERSION } from './contracts/version.ts';
import type { createInlineExecutor, createProcessExecutor } from './execution/index.ts';
import { createDefinitionsSource, createProjectSource } from './registry/index.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { createMemoryStore, createSqliteStore } from './store/index.ts';

/** Where code runs. */
export type Executors = {
  readonly inline: ReturnType<typeof createInlineExecutor>;
  readonly process: ReturnType<typeof createProcessExecutor>;
};

/** The ways into the table that the options open. `state`: absolute path of the state folder. */
export function sourcesOf(
  options: RuntimeOptions,
  root: string | undefined,
  state: string,
  executors: Executors,
): readonly CapabilitySource[] {
  // A look at a project must not leave a folder behind.
  const keepsState = options.store === undefined || existsSync(state);
  const sources: CapabilitySource[] = [...(options.sources ?? [])];
  if (root !== undefined) {
    const project = {
      id: 'project',
      root,
      hosts: executors,
      version: VERSION,
      unwatched: [state],
      ...(keepsState ? { cacheFolder: join(state, 'cache') } : {}),
    };
    sources.push(createProjectSource(project));
  }
  if (options.tools !== undefined) sources.push(createDefinitionsSource({ id: 'code', tools: options.tools }));
  return sources;
}

/** The store that the options mean. */
export async function openStore(options: RuntimeOptions, root: string | undefined, state: string): Promise<Store> {
  const { store } = options;
  if (store === 'memory' || (store === undefined && root === undefined)) return createMemoryStore();
  if (store === undefined) return createSqliteStore({ file: join(state, 'baigong.db') });
  return 'file' in store ? createSqliteStore({ file: resolve(store.file) }) : store;
}
