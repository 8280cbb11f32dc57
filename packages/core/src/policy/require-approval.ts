import type { ApprovalFacts, Requirement } from '../contracts/approval.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';

/**
 * Must a person be asked before this call? The strictest of level, danger and doubt, with every reason, by the rules of
 * the configured mode. Everything that is not asked about runs or is refused; nothing loosens what only a person may
 * decide.
 */
export function requireApproval(facts: ApprovalFacts): Requirement {
  const { rules, level, dangerous, doubted, granted, isMaster } = facts;
  const reasons: MessageKey[] = [];
  if (doubted) reasons.push(text('approval.because-doubted'));
  if (dangerous) reasons.push(text('approval.because-dangerous'));
  if (level === 'human') reasons.push(text('approval.because-human'));
  const needsPerson = reasons.length > 0;
  if (level === 'always') reasons.push(text('approval.because-always'));
  if (level === 'once') reasons.push(text('approval.because-once'));
  // Risk is judged in a later version: until then what is asked about on risk runs.
  if (!needsPerson && (level === 'never' || level === 'on-risk')) return { kind: 'run' };
  if (!needsPerson && level === 'once' && granted) return { kind: 'run' };
  if (!needsPerson && rules.ownerSkips && isMaster && rules.mode !== 'deny') return { kind: 'run' };
  if (!needsPerson && rules.mode === 'auto') return { kind: 'run' };
  const hint = text('approval.refused-hint');
  if (rules.mode === 'deny') {
    return { kind: 'refuse', code: 'APPROVAL_DENIED', reason: text('approval.mode-deny'), hint };
  }
  if (facts.refusedBefore) {
    return { kind: 'refuse', code: 'APPROVAL_DENIED', reason: text('approval.refused-before'), hint };
  }
  if (!facts.canAsk) {
    const way = needsPerson ? 'approval.nobody-there-person' : 'approval.nobody-there';
    return { kind: 'refuse', code: 'NEEDS_HUMAN', reason: text(way), hint };
  }
  return {
    kind: 'ask',
    review: rules.mode === 'reviewer' && !needsPerson,
    needsPerson,
    grants: level === 'once' && !needsPerson,
    level: dangerous || doubted ? 'human' : level,
    reasons,
  };
}
