import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createAskUserTool } from './agent/index.ts';
import type { CapabilitySource } from './contracts/capability-source.ts';
import type { Store } from './contracts/store.ts';
import { VERSION } from './contracts/version.ts';
import type { createInlineExecutor, createProcessExecutor } from './execution/index.ts';
import { createDefinitionsSource, createProjectSource } from './registry/index.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { createFailpoint, createMemoryStore, createSqliteStore } from './store/index.ts';

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
  const framework = { ask_user: createAskUserTool() };
  const sources: CapabilitySource[] = [
    createDefinitionsSource({ id: 'framework', provenance: 'framework', tools: framework }),
    ...(options.sources ?? []),
  ];
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

/** Names the project among those that may share a store, the same wherever the folders that hold both are moved. */
export function projectName(root: string | undefined, state: string): string {
  return root === undefined ? 'embedded' : relative(state, root) || '.';
}

interface StorePlace {
  readonly root: string | undefined;
  readonly state: string;
  readonly durability: 'full' | 'lazy';
}

/** The store that the options mean. `BAIGONG_FAILPOINT` makes this process end itself at a transition, for tests. */
export async function openStore(options: RuntimeOptions, { root, state, durability }: StorePlace): Promise<Store> {
  const { store } = options;
  if (store === 'memory' || (store === undefined && root === undefined)) return createMemoryStore();
  if (store !== undefined && !('file' in store)) return store;
  const failpoint = createFailpoint(process.env.BAIGONG_FAILPOINT);
  const file = store === undefined ? join(state, 'baigong.db') : resolve(store.file);
  return createSqliteStore({ file, durability, ...(failpoint === undefined ? {} : { failpoint }) });
}
