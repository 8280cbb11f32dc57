import { configSchema } from '../contracts/config-schema.ts';
import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';
import type { KeyPath } from './key-path.ts';

/** What the schema says of one key. */
export interface FoundNode {
  readonly node: ConfigSchemaNode;
  /** Below here anything may stand: the configuration of a plugin or of tools. */
  readonly open: boolean;
  readonly noEffectYet: boolean;
}

const ANYTHING: ConfigSchemaNode = {};

/** Looks a key up in the schema; undefined = no such key. */
export function findSchemaNode(path: KeyPath): FoundNode | undefined {
  let found: FoundNode = { node: configSchema, open: false, noEffectYet: false };
  for (const part of path) {
    const node = found.open ? ANYTHING : memberOf(found.node, part);
    if (node === undefined) return undefined;
    found = {
      node,
      open: found.open || node === ANYTHING,
      noEffectYet: found.noEffectYet || node['x-no-effect-yet'] === true,
    };
  }
  return found;
}

function memberOf(node: ConfigSchemaNode, part: string | number): ConfigSchemaNode | undefined {
  for (const one of node.anyOf ?? []) {
    const member = memberOf(one, part);
    if (member !== undefined) return member;
  }
  if (typeof part === 'number') return node.items;
  if (node.properties !== undefined && Object.hasOwn(node.properties, part)) return node.properties[part];
  const others = node.additionalProperties;
  if (others === true) return ANYTHING;
  return typeof others === 'object' ? others : undefined;
}
