import type { ToolCapability, ToolWire } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import { isOfferedToModels } from '../contracts/is-offered-to-models.ts';
import type { Admitted } from '../contracts/policy.ts';

/** The framework's own tools that only make sense where somebody can be asked. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['ask_user']);

/**
 * Remembers which tools are sent to a model, per table, admission, and whether somebody can be asked: the list is made once, and a turn costs the same
 * with one tool or ten thousand.
 */
export function createVisibleTools(): (
  table: CapabilityTable,
  admitted: Admitted,
  attended: boolean,
) => readonly ToolWire[] {
  const known = new WeakMap<CapabilityTable, Map<string, readonly ToolWire[]>>();
  return (table, admitted, attended) => {
    const key = `${attended ? 'attended' : 'alone'} ${admitted.signature}`;
    let bySignature = known.get(table);
    if (bySignature === undefined) {
      bySignature = new Map();
      known.set(table, bySignature);
    }
    let visible = bySignature.get(key);
    if (visible === undefined) {
      visible = Object.freeze(
        table.tools
          .filter((tool) => isOfferedToModels(tool) && admitted.has(tool) && (attended || !isForPeople(tool)))
          .map((tool) => tool.wire),
      );
      bySignature.set(key, visible);
    }
    return visible;
  };
}

function isForPeople({ source, name }: ToolCapability): boolean {
  return source.provenance === 'framework' && FOR_PEOPLE.has(name);
}
