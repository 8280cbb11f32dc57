import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalFacts, Requirement } from '../contracts/approval.ts';
import { requireApproval } from './require-approval.ts';

const base: ApprovalFacts = {
  rules: { mode: 'approve', ownerSkips: false, approvers: [{ kind: 'role', atLeast: 'master' }] },
  level: 'never',
  dangerous: false,
  isMaster: true,
  granted: false,
  doubted: false,
  refusedBefore: false,
  canAsk: true,
};
const rules = (mode: ApprovalFacts['rules']['mode'], ownerSkips = false) => ({
  rules: { ...base.rules, mode, ownerSkips },
});

/** What comes of it, in one word. */
function word(requirement: Requirement): string {
  if (requirement.kind === 'run') return 'run';
  if (requirement.kind === 'refuse') return requirement.code;
  const { needsPerson, review, grants } = requirement;
  return [
    'ask',
    ...(needsPerson ? ['a person'] : []),
    ...(review ? ['after review'] : []),
    ...(grants ? ['for good'] : []),
  ].join(' ');
}

describe('requireApproval', () => {
  it.each([
    ['never', {}, 'run'],
    ['on-risk', {}, 'run'],
    ['once', {}, 'ask for good'],
    ['once', { granted: true }, 'run'],
    ['always', {}, 'ask'],
    ['always', { granted: true }, 'ask'],
    ['human', {}, 'ask a person'],
    ['human', { granted: true }, 'ask a person'],
    ['never', { dangerous: true }, 'ask a person'],
    ['once', { dangerous: true, granted: true }, 'ask a person'],
    ['never', { doubted: true }, 'ask a person'],
    ['once', rules('auto'), 'run'],
    ['always', rules('auto'), 'run'],
    ['human', rules('auto'), 'ask a person'],
    ['never', { ...rules('auto'), dangerous: true }, 'ask a person'],
    ['always', { ...rules('auto'), doubted: true }, 'ask a person'],
    ['once', rules('reviewer'), 'ask after review for good'],
    ['always', rules('reviewer'), 'ask after review'],
    ['human', rules('reviewer'), 'ask a person'],
    ['never', rules('deny'), 'run'],
    ['on-risk', rules('deny'), 'run'],
    ['once', rules('deny'), 'APPROVAL_DENIED'],
    ['once', { ...rules('deny'), granted: true }, 'run'],
    ['human', rules('deny'), 'APPROVAL_DENIED'],
    ['never', { ...rules('deny'), dangerous: true }, 'APPROVAL_DENIED'],
    ['always', { ...rules('deny', true) }, 'APPROVAL_DENIED'],
    ['always', rules('approve', true), 'run'],
    ['always', { ...rules('approve', true), isMaster: false }, 'ask'],
    ['human', rules('approve', true), 'ask a person'],
    ['never', { ...rules('approve', true), dangerous: true }, 'ask a person'],
    ['always', { refusedBefore: true }, 'APPROVAL_DENIED'],
    ['never', { refusedBefore: true }, 'run'],
    ['always', { canAsk: false }, 'NEEDS_HUMAN'],
    ['human', { canAsk: false }, 'NEEDS_HUMAN'],
    ['never', { canAsk: false }, 'run'],
    ['always', { ...rules('auto'), canAsk: false }, 'run'],
  ] as const)('%s with %j: %s', (level, facts, expected) => {
    expect(word(requireApproval({ ...base, ...facts, level }))).toBe(expected);
  });

  it('never runs unasked, by any setting, what only a person may decide', () => {
    const facts = fc.record({
      rules: fc.record({
        mode: fc.constantFrom('approve', 'auto', 'reviewer', 'deny'),
        ownerSkips: fc.boolean(),
        approvers: fc.constant([]),
      }),
      level: fc.constantFrom('never', 'on-risk', 'once', 'always', 'human'),
      dangerous: fc.boolean(),
      isMaster: fc.boolean(),
      granted: fc.boolean(),
      doubted: fc.boolean(),
      refusedBefore: fc.boolean(),
      canAsk: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (one) => {
        const decided = requireApproval(one as ApprovalFacts);
        if (one.level !== 'human' && !one.dangerous && !one.doubted) return;
        expect(decided.kind).not.toBe('run');
        if (decided.kind === 'ask') expect(decided).toMatchObject({ needsPerson: true, review: false, grants: false });
      }),
    );
  });
});
