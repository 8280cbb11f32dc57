import { describe, expect, it } from 'vitest';
import type { AdmissionRule, ToolCapability } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { Origin, Principal } from '../contracts/principal.ts';
import { admit } from './admit.ts';
import { parsePermission } from './parse-permission.ts';

const cli: Origin = { kind: 'cli' };
const group: Origin = { kind: 'im', platform: 'icqq', adapter: 'icqq', scope: 'group', sceneId: '1' };

const nothing = () => undefined;
const NO_CAPABILITIES = { capabilities: [], tools: [], get: nothing, find: nothing, resolve: nothing };

function decide(rule: Partial<AdmissionRule>, origin: Origin, role: string) {
  const table: CapabilityTable = {
    generation: 1,
    digest: 'sha256:0',
    ...NO_CAPABILITIES,
    admissionClasses: [{ platforms: [], scopes: [], permissions: [], ...rule }],
  };
  const principal = {
    id: 'a:b:c',
    userId: 'c',
    role: role as Principal['role'],
    platformRoles: [],
    authentication: 'none',
  } satisfies Principal;
  const tool = { admissionClass: 0 } as ToolCapability;
  const admitted = admit(table, { origin, principal });
  expect(admitted.has(tool)).toBe(admitted.why(tool).allow);
  return admitted.why(tool).code;
}

describe('admit', () => {
  const permissions = (rule: string) => ({ permissions: [parsePermission(rule)] });
  it.each([
    ['nothing declared', {}, cli, 'user', 'ADMITTED'],
    ['master wanted, master asks', permissions('role(master)'), cli, 'master', 'ADMITTED'],
    ['master wanted, trusted asks', permissions('role(master)'), cli, 'trusted', 'ROLE'],
    ['trusted wanted, master asks', permissions('role(trusted)'), cli, 'master', 'ADMITTED'],
    ['user wanted', permissions('role(user)'), cli, 'user', 'ADMITTED'],
    ['an unknown role of the principal', permissions('role(user)'), cli, 'god', 'ROLE'],
    ['a rule nobody can read', permissions('role(god)'), cli, 'master', 'UNREADABLE_RULE'],
    ['platform fits', { platforms: ['icqq'] }, group, 'user', 'ADMITTED'],
    ['platform missing is no wildcard', { platforms: ['icqq'] }, cli, 'master', 'PLATFORM'],
    ['another platform', { platforms: ['discord'] }, group, 'master', 'PLATFORM'],
    ['scope fits', { scopes: ['group'] }, group, 'user', 'ADMITTED'],
    ['scope missing is no wildcard', { scopes: ['group'] }, cli, 'master', 'SCOPE'],
    ['another scope', { scopes: ['private'] }, group, 'master', 'SCOPE'],
  ] as const)('%s', (_name, rule, origin, role, code) => {
    expect(decide(rule, origin, role)).toBe(code);
  });

  it('refuses a tool whose class the table does not hold', () => {
    const table: CapabilityTable = {
      generation: 1,
      digest: 'sha256:0',
      ...NO_CAPABILITIES,
      admissionClasses: [],
    };
    const principal: Principal = { id: 'a', userId: 'a', role: 'master', platformRoles: [], authentication: 'none' };
    expect(admit(table, { origin: cli, principal }).has({ admissionClass: 7 } as ToolCapability)).toBe(false);
  });
});
