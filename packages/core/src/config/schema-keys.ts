import { configSchema } from '../contracts/config-schema.ts';
import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';

/** One key that can be set. */
export interface SchemaKey {
  /** Names from the root; the name of a free member is `<name>`. */
  readonly path: readonly string[];
  readonly node: ConfigSchemaNode;
  readonly noEffectYet: boolean;
  /** Environment variables that set it, the documented one first. Empty: none can. */
  readonly variables: readonly string[];
}

/** Every key of the schema that holds a value (not those that only group others), in the order of the schema. */
export function schemaKeys(): readonly SchemaKey[] {
  return keysOf(configSchema, [], false);
}

function keysOf(node: ConfigSchemaNode, path: readonly string[], inherited: boolean): readonly SchemaKey[] {
  const noEffectYet = inherited || node['x-no-effect-yet'] === true;
  const { properties, additionalProperties: others } = node;
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, member]) => keysOf(member, [...path, name], noEffectYet));
  }
  if (typeof others === 'object' && others.properties !== undefined) {
    return keysOf(others, [...path, '<name>'], noEffectYet);
  }
  return [{ path, node, noEffectYet, variables: variablesOf(node, path) }];
}

function variablesOf(node: ConfigSchemaNode, path: readonly string[]): readonly string[] {
  const isList = node.type === 'array' || node.anyOf !== undefined;
  if (path.includes('<name>') || path[0] === '$schema' || (node.type === 'object' && !isList)) return [];
  const byRule = `BAIGONG_${path.map(upperSnake).join('__')}`;
  return node['x-environment'] === undefined ? [byRule] : [node['x-environment'], byRule];
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
