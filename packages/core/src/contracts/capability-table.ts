import type { AdmissionRule, ToolCapability } from './capability.ts';
import type { Digest } from './digest.ts';

/** The immutable set of all capabilities. */
export interface CapabilityTable {
  /** Monotonic within a runtime. */
  readonly generation: number;
  /** Over the definition digest of every capability. */
  readonly digest: Digest;
  /** Stable order: by name. */
  readonly tools: readonly ToolCapability[];
  /** Distinct admission rules; every capability points at one. */
  readonly admissionClasses: readonly AdmissionRule[];
  /** Looks a name up. `constructor` and `__proto__` are ordinary names. */
  get(name: string): ToolCapability | undefined;
}
