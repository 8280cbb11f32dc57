import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePermission } from './parse-permission.ts';

describe('parsePermission', () => {
  it.each([
    ['role(master)', 'master'],
    ['role(trusted)', 'trusted'],
    ['role(user)', 'user'],
    ['  role( master , trusted ) ', 'trusted'],
    ['role(master,user)', 'user'],
  ])('%s wants at least %s', (rule, atLeast) => {
    expect(parsePermission(rule)).toEqual({ kind: 'role', atLeast });
  });

  it.each([
    '',
    'role()',
    'role(',
    'role(admin)',
    'role(master',
    'role(master))',
    'role(master) x',
    'role(master,)',
    'Role(master)',
    'role(constructor)',
    'role(__proto__)',
    'group(1)',
    'user(*)',
    'role(master)role(user)',
  ])('%j admits nobody', (rule) => {
    expect(parsePermission(rule)).toEqual({
      kind: 'never',
      text: rule,
      isKnown: ['group(1)', 'user(*)'].includes(rule),
    });
  });

  it('never throws, and only the three roles open anything', () => {
    fc.assert(
      fc.property(fc.string(), (rule) => {
        const parsed = parsePermission(rule);
        expect(parsed.kind === 'never' || /^\s*role\(/.test(rule)).toBe(true);
      }),
    );
  });
});
