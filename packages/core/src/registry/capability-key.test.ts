import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { capabilityKey, placeOf } from './capability-key.ts';
import { qualifiedName } from './qualified-name.ts';

const name = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/),
  fc.constantFrom('a', 'b', 'tools', 'skills', 'agents', 'plugins', '__proto__', 'a__b'),
);
const kind = fc.constantFrom<CapabilityKind>('tool', 'skill', 'prompt-section', 'agent', 'hook');
const owner: fc.Arbitrary<Owner> = fc.record(
  { plugin: fc.array(name, { maxLength: 3 }), agent: name, skill: name },
  { requiredKeys: ['plugin'] },
);
const capability = fc.tuple(kind, owner, name);

function identity([kind, { plugin, agent, skill }, name]: [CapabilityKind, Owner, string]): string {
  return JSON.stringify([kind, plugin, agent ?? null, skill ?? null, name]);
}

describe('capabilityKey', () => {
  it.each<[CapabilityKind, Owner, string, string, string]>([
    ['tool', { plugin: [] }, 'weather', 'weather', 'tools/weather'],
    ['tool', { plugin: ['maps'] }, 'get-weather', 'maps__get-weather', 'plugins/maps/tools/get-weather'],
    ['prompt-section', { plugin: ['a', 'b'] }, 'c', 'a__b__c', 'plugins/a/plugins/b/prompt-sections/c'],
    ['tool', { plugin: [], skill: 'short-url' }, 'normalize', 'skills/short-url/tools/normalize', ''],
    ['skill', { plugin: [], agent: 'reviewer' }, 'review', 'agents/reviewer/skills/review', ''],
    ['hook', { plugin: ['m'], agent: 'r', skill: 's' }, 'h', 'plugins/m/agents/r/skills/s/hooks/h', ''],
  ])('of %s in %j called %s', (kind, owner, name, key, place) => {
    expect(capabilityKey(kind, owner, name)).toBe(key);
    expect(placeOf(kind, owner, name)).toBe(place || key);
  });

  it('differs for different capabilities, but for public ones that models cannot tell apart', () => {
    fc.assert(
      fc.property(capability, capability, (a, b) => {
        fc.pre(identity(a) !== identity(b));
        expect(placeOf(...a)).not.toBe(placeOf(...b));
        if (a[0] === b[0] && capabilityKey(...a) === capabilityKey(...b)) {
          expect([a[1].agent, a[1].skill, b[1].agent, b[1].skill]).toEqual([
            undefined,
            undefined,
            undefined,
            undefined,
          ]);
          expect(qualifiedName(...a)).toBe(qualifiedName(...b));
        }
      }),
    );
  });
});
