import type { CapabilityKind, Owner } from '../contracts/capability.ts';

/**
 * The name by which models know a capability. A public one is called by its local name in the root plugin, and
 * elsewhere by the path of its plugin and its own name, joined by `__`. A private one has the folder of the nearest
 * skill or agent in front. The kind takes no part yet; it is asked for so that callers name all three, as for its key.
 * Names may hold `__` themselves, so different capabilities can end up with one name, which is then a fault of loading.
 *
 * @example
 * qualifiedName('tool', { plugin: ['maps'] }, 'get-weather') // 'maps__get-weather'
 * qualifiedName('tool', { plugin: ['maps'], skill: 'short-url' }, 'normalize') // 'short-url__normalize'
 */
export function qualifiedName(_kind: CapabilityKind, owner: Owner, name: string): string {
  const nearest = owner.skill ?? owner.agent;
  return nearest === undefined ? [...owner.plugin, name].join('__') : `${nearest}__${name}`;
}
