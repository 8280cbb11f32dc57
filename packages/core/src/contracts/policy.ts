import type { ToolCapability } from './capability.ts';
import type { MessageKey } from './message-key.ts';
import type { Origin, Principal } from './principal.ts';

/** Everything that policy decides by. What needs I/O is gathered before and passed in. */
export interface Facts {
  readonly origin: Origin;
  readonly principal: Principal;
}

/** A decision and its reason. What explains it to people is this object and nothing else. */
export interface Decision {
  readonly allow: boolean;
  readonly code: string;
  readonly reason: MessageKey;
}

/** What one principal may see here. Decided once per turn. */
export interface Admitted {
  has(tool: ToolCapability): boolean;
  why(tool: ToolCapability): Decision;
  /** Equal signatures admit the same capabilities of one table. */
  readonly signature: string;
}
