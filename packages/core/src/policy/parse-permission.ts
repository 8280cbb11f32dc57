import type { PermissionRule } from '../contracts/capability.ts';
import type { Role } from '../contracts/principal.ts';

const RANK: ReadonlyMap<string, number> = new Map([
  ['user', 0],
  ['trusted', 1],
  ['master', 2],
]);

/** Rules that the grammar has and that this version cannot decide yet. */
const LATER = /^(adapter|group|private|channel|user|platform)\([^()]+\)$/;

/**
 * Reads one permission rule. `role(trusted)` wants at least that role; in `role(trusted,master)` the comma means *or*,
 * so the lowest counts. Anything else admits nobody: a rule that cannot be read must not open a door.
 *
 * @example
 * parsePermission('role(master)') // { kind: 'role', atLeast: 'master' }
 */
export function parsePermission(text: string): PermissionRule {
  const rule = text.trim();
  const never: PermissionRule = { kind: 'never', text, isKnown: LATER.test(rule) };
  if (!rule.startsWith('role(') || !rule.endsWith(')')) return never;
  const names = rule.slice('role('.length, -1).split(',');
  let lowest: Role | undefined;
  for (const part of names) {
    const name = part.trim();
    const rank = RANK.get(name);
    if (rank === undefined) return never;
    if (lowest === undefined || rank < (RANK.get(lowest) ?? 0)) lowest = name as Role;
  }
  return lowest === undefined ? never : { kind: 'role', atLeast: lowest };
}
