import type { ToolCapability } from '../contracts/capability.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { CallMove } from '../contracts/store.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';

/**
 * The end of a call, with the doubt that it leaves: whatever may have happened without anybody knowing is asked about
 * when the same call comes again, until it surely has happened. `keep`: the outcome stands in no message.
 */
export function callEnd(
  stored: StoredCall,
  outcome: Outcome,
  tool: ToolCapability | undefined,
  keep: boolean,
): CallMove {
  const { id, toolKey, argumentsDigest } = stored;
  const base = { move: 'call.end', id, outcome, keep } as const;
  if (toolKey === undefined || argumentsDigest === undefined || tool?.trustedHints.readOnly === true) return base;
  if (outcome.effect === 'unknown') return { ...base, doubt: { kind: 'raise', toolKey, argumentsDigest } };
  return outcome.status === 'success' ? { ...base, doubt: { kind: 'clear', toolKey, argumentsDigest } } : base;
}
