import type { ApprovalRules } from '../contracts/approval.ts';
import type { StoredAsk } from '../contracts/ask.ts';
import type { PermissionRule } from '../contracts/capability.ts';
import type { Decision } from '../contracts/policy.ts';
import type { Principal } from '../contracts/principal.ts';
import { text } from '../contracts/texts/text.ts';

/** Ways to know somebody; whoever is known by none of them answers nothing. */
const KNOWN_BY: ReadonlySet<unknown> = new Set(['platform', 'terminal', 'console', 'token']);

const RANK = { user: 0, trusted: 1, master: 2 } as const;

/**
 * May this principal answer that ask? Questions: only who they are for, in their session. Approvals: who every rule of
 * the approvers admits, known by some authentication; those that need a person, only an authenticated person. Whoever
 * asked for the call may approve it only as one of the approvers.
 */
export function mayAnswer(
  ask: StoredAsk,
  principal: Principal,
  rules: Pick<ApprovalRules, 'approvers'>,
  session?: string,
): Decision {
  const { code } = ask;
  if (!KNOWN_BY.has(principal.authentication)) {
    return { allow: false, code: 'NOT_AUTHENTICATED', reason: text('approval.not-authenticated', { code }) };
  }
  if (ask.kind === 'question') {
    const isTheirs = principal.id === ask.from.id && (session === undefined || session === ask.sessionKey);
    return isTheirs ? allowed(code) : { allow: false, code: 'NOT_ASKED', reason: text('approval.not-asked', { code }) };
  }
  if (rules.approvers.length === 0 || !rules.approvers.every((rule) => holds(rule, principal))) {
    return { allow: false, code: 'NOT_AN_APPROVER', reason: text('approval.not-an-approver', { code }) };
  }
  if (ask.needsPerson && !isPerson(principal)) {
    return { allow: false, code: 'NEEDS_PERSON', reason: text('approval.needs-person', { code }) };
  }
  return allowed(code);
}

function allowed(code: string): Decision {
  return { allow: true, code: 'MAY_ANSWER', reason: text('approval.may-answer', { code }) };
}

function holds(rule: PermissionRule, { role }: Principal): boolean {
  return rule.kind === 'role' && RANK[role] >= RANK[rule.atLeast];
}

function isPerson({ authentication, isPerson: isMarked }: Principal): boolean {
  return authentication !== 'token' || isMarked === true;
}
