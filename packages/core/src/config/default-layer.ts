import { join } from 'node:path';
import { configSchema } from '../contracts/config-schema.ts';
import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Layer } from './layer.ts';

/** What counts where nothing is said. The state's folder lies in the project, if there is one. */
export function defaultLayer(root: string | undefined): Layer {
  const value = defaultsOf(configSchema);
  const folder = configSchema.properties.state.properties.folder.default;
  return {
    level: 'default',
    value:
      root === undefined ? value : { ...value, state: { ...(value.state as JsonObject), folder: join(root, folder) } },
    placeOf: () => undefined,
    secrets: new Set(),
  };
}

function defaultsOf(node: ConfigSchemaNode): JsonObject {
  return Object.fromEntries(
    Object.entries(node.properties ?? {}).flatMap(([name, member]): readonly [string, Json][] => {
      // A copy: what is handed out is frozen, and the schema is not ours to freeze.
      if (member.default !== undefined) return [[name, structuredClone(member.default)]];
      return member.properties === undefined ? [] : [[name, defaultsOf(member)]];
    }),
  );
}
