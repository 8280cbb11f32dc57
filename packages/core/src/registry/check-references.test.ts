import { describe, expect, it } from 'vitest';
import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import { checkReferences } from './check-references.ts';

function one(kind: CapabilityKind, name: string, fields: JsonObject = {}, owner: Owner = { plugin: [] }) {
  return { kind, name, owner, fields, file: `${kind}s/${name}` };
}

const told = (problems: ReturnType<typeof checkReferences>) =>
  problems.map(({ code, file, field, found, expected }) => [code, file, field, found, expected]);

describe('checkReferences', () => {
  it('accepts what exists, from the writer outward, and what exists with faults', () => {
    const inMaps = { plugin: ['maps'] };
    expect(
      checkReferences([
        one('skill', 'route', { tools: ['find', 'walk', 'clock', 'maps__find'], dependsOn: ['basics'] }, inMaps),
        one('tool', 'find', {}, inMaps),
        one('tool', 'walk', {}, { ...inMaps, skill: 'route' }),
        one('skill', 'basics'),
        { kind: 'tool', name: 'clock', owner: { plugin: [] } },
      ]),
    ).toEqual([]);
  });

  it('tells every name that leads nowhere, with the nearest that does not', () => {
    const problems = checkReferences([
      one('tool', 'weather', { dependsOn: ['clok', 'nothing-like-it'] }),
      one('tool', 'clock'),
      one('agent', 'guide', { tools: ['wether', 'constructor'] }),
      one('skill', 'route', { tools: ['guide'], dependsOn: ['rout'] }),
    ]);
    expect(told(problems)).toEqual([
      ['UNKNOWN_REFERENCE', 'tools/weather', 'dependsOn/0', '"clok"', '"clock"'],
      ['UNKNOWN_REFERENCE', 'tools/weather', 'dependsOn/1', '"nothing-like-it"', 'tool | skill'],
      ['UNKNOWN_REFERENCE', 'agents/guide', 'tools/0', '"wether"', '"weather"'],
      ['UNKNOWN_REFERENCE', 'agents/guide', 'tools/1', '"constructor"', 'tool'],
      ['UNKNOWN_REFERENCE', 'skills/route', 'tools/0', '"guide"', 'tool'],
      ['UNKNOWN_REFERENCE', 'skills/route', 'dependsOn/0', '"rout"', '"route"'],
    ]);
    expect(problems.every((problem) => problem.fatal)).toBe(true);
  });

  it('tells each circle once', () => {
    const problems = checkReferences([
      one('skill', 'a', { dependsOn: ['b'] }),
      one('skill', 'b', { dependsOn: ['c', 'd'] }),
      one('skill', 'c', { dependsOn: ['a'] }),
      one('skill', 'd', { dependsOn: ['d'] }),
      one('skill', 'e', { dependsOn: ['a'] }),
    ]);
    expect(problems.map(({ code, found }) => [code, found])).toEqual([
      ['DEPENDENCY_CYCLE', 'skill a → skill b → skill c → skill a'],
      ['DEPENDENCY_CYCLE', 'skill d → skill d'],
    ]);
  });

  it('follows a chain as long as there are capabilities', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      one('skill', `s${index}`, { dependsOn: [`s${index + 1}`] }),
    );
    expect(checkReferences([...chain, one('skill', 's20000')])).toEqual([]);
  });
});
