import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { capabilityKey } from './capability-key.ts';
import { createNameResolver, type NamedCapability } from './create-name-resolver.ts';
import { qualifiedName } from './qualified-name.ts';

function named(owner: Owner, localName: string, kind: CapabilityKind = 'tool'): NamedCapability {
  const key = capabilityKey(kind, owner, localName);
  return { kind, owner, localName, name: qualifiedName(kind, owner, localName), key };
}

const root: Owner = { plugin: [] };
const maps: Owner = { plugin: ['maps'] };
const inner: Owner = { plugin: ['maps', 'inner'] };

describe('createNameResolver', () => {
  const resolver = createNameResolver([
    named(root, 'find'),
    named(root, 'only_root'),
    named(maps, 'find'),
    named(inner, 'find'),
    named({ ...maps, skill: 'route' }, 'find'),
    named({ ...maps, agent: 'guide' }, 'find'),
    named({ ...maps, agent: 'guide', skill: 'route' }, 'find'),
    named({ ...root, skill: 'route' }, 'find'),
    named({ ...root, skill: 'alone' }, 'secret'),
    named(root, 'find', 'skill'),
  ]);

  it.each<[string, Owner, string | undefined]>([
    ['find', root, 'find'],
    ['find', maps, 'maps__find'],
    ['find', inner, 'maps__inner__find'],
    ['find', { plugin: ['maps', 'other'] }, 'maps__find'],
    ['find', { plugin: ['elsewhere'] }, 'find'],
    ['find', { ...maps, skill: 'route' }, 'plugins/maps/skills/route/tools/find'],
    ['find', { ...maps, agent: 'guide' }, 'plugins/maps/agents/guide/tools/find'],
    ['find', { ...maps, agent: 'guide', skill: 'route' }, 'plugins/maps/agents/guide/skills/route/tools/find'],
    ['find', { ...maps, agent: 'guide', skill: 'none' }, 'plugins/maps/agents/guide/tools/find'],
    ['only_root', inner, 'only_root'],
    ['maps__inner__find', root, 'maps__inner__find'],
    ['skills/alone/tools/secret', root, 'skills/alone/tools/secret'],
    ['alone__secret', inner, 'skills/alone/tools/secret'],
    // Several private tools bear this name: it says nothing.
    ['route__find', root, undefined],
    ['secret', root, undefined],
    ['constructor', inner, undefined],
    ['__proto__', root, undefined],
  ])('%s from %j is %s', (name, owner, expected) => {
    expect(resolver.resolve('tool', name, owner)).toBe(expected);
  });

  it('keeps kinds apart', () => {
    expect(resolver.resolve('skill', 'find', inner)).toBe('find');
    expect(resolver.resolve('agent', 'find', inner)).toBeUndefined();
  });

  it('knows what only a skill has', () => {
    expect(resolver.privateTools({ ...root, skill: 'route' })).toEqual(['skills/route/tools/find']);
    expect(resolver.privateTools({ ...root, skill: 'none' })).toEqual([]);
  });

  it('finds every capability by its key, and from its own place by its local name', () => {
    const name = fc.stringMatching(/^[a-z_]{1,6}$/);
    const owner = fc.record(
      { plugin: fc.array(name, { maxLength: 3 }), agent: name, skill: name },
      { requiredKeys: ['plugin'] },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(owner, name), { selector: (one) => JSON.stringify(one), maxLength: 30 }),
        (all) => {
          const capabilities = all.map(([place, local]) => named(place, local));
          const found = createNameResolver(capabilities);
          for (const one of capabilities) {
            // A place finds its own before anything of another plugin that merely looks like it.
            const own = found.resolve('tool', one.localName, one.owner);
            expect(capabilities.find(({ key }) => key === own)?.localName).toBe(one.localName);
            if (one.key.includes('/')) expect(found.resolve('tool', one.key, root)).toBe(one.key);
          }
        },
      ),
    );
  });
});
