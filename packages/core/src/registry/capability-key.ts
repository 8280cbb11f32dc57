import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { qualifiedName } from './qualified-name.ts';

const FOLDERS: Readonly<Record<CapabilityKind, string>> = {
  tool: 'tools',
  skill: 'skills',
  'prompt-section': 'prompt-sections',
  agent: 'agents',
  hook: 'hooks',
};

/**
 * Where a capability belongs, as kinds and names below the root plugin. Folders that only group do not occur. Different
 * capabilities have different places as long as no name holds a `/`.
 *
 * @example
 * placeOf('tool', { plugin: ['maps'], skill: 'a' }, 'b') // 'plugins/maps/skills/a/tools/b'
 */
export function placeOf(kind: CapabilityKind, owner: Owner, name: string): string {
  return [
    ...owner.plugin.map((plugin) => `plugins/${plugin}`),
    ...(owner.agent === undefined ? [] : [`agents/${owner.agent}`]),
    ...(owner.skill === undefined ? [] : [`skills/${owner.skill}`]),
    `${FOLDERS[kind]}/${name}`,
  ].join('/');
}

/**
 * The key of a capability among its kind in a table: the qualified name of a public one, the place of a private one.
 * Only a place holds a `/`, so the two never meet.
 *
 * @example
 * capabilityKey('tool', { plugin: ['maps'] }, 'find') // 'maps__find'
 * capabilityKey('tool', { plugin: [], skill: 'a' }, 'b') // 'skills/a/tools/b'
 */
export function capabilityKey(kind: CapabilityKind, owner: Owner, name: string): string {
  const isPublic = owner.agent === undefined && owner.skill === undefined;
  return isPublic ? qualifiedName(kind, owner, name) : placeOf(kind, owner, name);
}
