import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { qualifiedName } from './qualified-name.ts';

const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/);

describe('qualifiedName', () => {
  it.each<[Owner, string, string]>([
    [{ plugin: [] }, 'lottery_sync', 'lottery_sync'],
    [{ plugin: ['lottery'] }, 'lottery_sync', 'lottery__lottery_sync'],
    [{ plugin: ['a', 'b'] }, 'c', 'a__b__c'],
    [{ plugin: ['a'], agent: 'reviewer' }, 'check-result', 'reviewer__check-result'],
    [{ plugin: ['a'], agent: 'reviewer', skill: 'review' }, 'check-result', 'review__check-result'],
    [{ plugin: [], skill: 'short-url' }, 'normalize', 'short-url__normalize'],
  ])('of what %j owns and calls %s is %s', (owner, local, qualified) => {
    expect(qualifiedName('tool', owner, local)).toBe(qualified);
  });

  it('is one that models accept, unless it is too long', () => {
    const owner = fc.record(
      { plugin: fc.array(name, { maxLength: 4 }), agent: name, skill: name },
      { requiredKeys: ['plugin'] },
    );
    const kind = fc.constantFrom<CapabilityKind>('tool', 'skill', 'prompt-section', 'agent', 'hook');
    fc.assert(
      fc.property(kind, owner, name, (kind, owner: Owner, local) => {
        const qualified = qualifiedName(kind, owner, local);
        expect(qualified).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(qualified.endsWith(local)).toBe(true);
      }),
    );
  });
});
