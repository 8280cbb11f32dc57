import type { AdmissionRule, Capability, CapabilityKind, ToolCapability } from './capability.ts';
import type { Digest } from './digest.ts';

/** The immutable set of all capabilities. */
export interface CapabilityTable {
  /** Monotonic within a runtime. */
  readonly generation: number;
  /** Over the definition digest of every capability: one changed newline that a model can see changes it. */
  readonly digest: Digest;
  /** Everything, in a stable order: by plugin, kind and key. */
  readonly capabilities: readonly Capability[];
  /** The tools among them, private ones too, by name and key. */
  readonly tools: readonly ToolCapability[];
  /** Distinct admission rules; every capability points at one. */
  readonly admissionClasses: readonly AdmissionRule[];
  /**
   * A tool by its qualified name or key. A private tool whose name another one bears too is found by its key only.
   * `constructor` and `__proto__` are ordinary names.
   */
  get(name: string): ToolCapability | undefined;
  /** A capability of any kind by its key. */
  find(kind: CapabilityKind, key: string): Capability | undefined;
  /** The tool that code of `from` means by a name: own private, own plugin, parents, root; qualified names always. */
  resolve(name: string, from: ToolCapability): ToolCapability | undefined;
}
