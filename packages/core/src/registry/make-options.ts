import type { CapabilityDeclaration, Provenance, ToolCapability } from '../contracts/capability.ts';
import type { Json } from '../contracts/json.ts';

/** What a capability is made of. */
export interface MakeOptions {
  readonly declaration: CapabilityDeclaration;
  /** Those of the declaration, checked. */
  readonly fields: ReadonlyMap<string, Json>;
  readonly isTrusted: boolean;
  readonly provenance: Provenance;
}

/** What capabilities of every kind have. */
export type CommonMembers = Pick<
  ToolCapability,
  'name' | 'localName' | 'key' | 'owner' | 'source' | 'description' | 'version'
>;
