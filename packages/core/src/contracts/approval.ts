import type { ApprovalLevel, PermissionRule } from './capability.ts';
import type { MessageKey } from './message-key.ts';

export type ApprovalMode = 'approve' | 'auto' | 'reviewer' | 'deny';

/** What the configuration says about approvals, in the form in which policy takes it. */
export interface ApprovalRules {
  readonly mode: ApprovalMode;
  /** Masters' own calls of level once and always run unasked. */
  readonly ownerSkips: boolean;
  /** Who may approve, all must hold. */
  readonly approvers: readonly PermissionRule[];
}

/** What is known of one call when it is decided whether it must be asked about. */
export interface ApprovalFacts {
  readonly rules: ApprovalRules;
  readonly level: ApprovalLevel;
  readonly dangerous: boolean;
  readonly isMaster: boolean;
  /** This person has a grant for the tool in this session. */
  readonly granted: boolean;
  /** This very call may have happened already. */
  readonly doubted: boolean;
  /** An ask for the same tool (or dangerous category) was denied or expired in this turn. */
  readonly refusedBefore: boolean;
  /** Can anybody be asked, now or later? */
  readonly canAsk: boolean;
}

/**
 * The strictest of everything that speaks about one call: it runs, it is refused, or exactly one question is asked with
 * all reasons.
 */
export type Requirement =
  | { readonly kind: 'run' }
  | {
      readonly kind: 'refuse';
      readonly code: 'APPROVAL_DENIED' | 'NEEDS_HUMAN';
      readonly reason: MessageKey;
      readonly hint: MessageKey;
    }
  | {
      readonly kind: 'ask';
      /** A model may judge it first (mode `reviewer`). */
      readonly review: boolean;
      /** Only an authenticated person may answer. */
      readonly needsPerson: boolean;
      /** The approval is a grant for the session. */
      readonly grants: boolean;
      readonly level: ApprovalLevel;
      readonly reasons: readonly MessageKey[];
    };
