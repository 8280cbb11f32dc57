import type { ToolCapability } from './capability.ts';

/**
 * May models be told of the tool at all? Not of hidden ones, nor of those that an agent or a skill keeps to itself.
 * Whether this principal may see it here is another question.
 *
 * @example
 * table.tools.filter((tool) => isOfferedToModels(tool) && admitted.has(tool))
 */
export function isOfferedToModels({ hidden, owner }: ToolCapability): boolean {
  return !hidden && owner.agent === undefined && owner.skill === undefined;
}
