import type { ToolWire } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import { isOfferedToModels } from '../contracts/is-offered-to-models.ts';
import type { Admitted } from '../contracts/policy.ts';

/**
 * Remembers which tools are sent to a model, per table and admission: the list is made once, and a turn costs the same
 * with one tool or ten thousand.
 */
export function createVisibleTools(): (table: CapabilityTable, admitted: Admitted) => readonly ToolWire[] {
  const known = new WeakMap<CapabilityTable, Map<string, readonly ToolWire[]>>();
  return (table, admitted) => {
    let bySignature = known.get(table);
    if (bySignature === undefined) {
      bySignature = new Map();
      known.set(table, bySignature);
    }
    let visible = bySignature.get(admitted.signature);
    if (visible === undefined) {
      visible = Object.freeze(
        table.tools.filter((tool) => isOfferedToModels(tool) && admitted.has(tool)).map((tool) => tool.wire),
      );
      bySignature.set(admitted.signature, visible);
    }
    return visible;
  };
}
