import type { Facts } from './contracts/policy.ts';
import type { Role } from './contracts/principal.ts';
import type { StoredTurn } from './contracts/stored-turn.ts';
import type { RuntimeOptions } from './runtime-options.ts';

const ORDER: readonly Role[] = ['user', 'trusted', 'master'];

/** Who and where, for a turn that goes on: roles are read anew, and whatever was lost since then stays lost. */
export async function factsAnew({ request }: StoredTurn, roleOf: RuntimeOptions['roleOf']): Promise<Facts> {
  const { origin, principal } = request;
  if (roleOf === undefined) return { origin: Object.freeze(origin), principal: Object.freeze(principal) };
  let now: Role = 'user';
  try {
    now = await roleOf(principal, origin);
  } catch {
    // What cannot be found out counts as refused.
  }
  const role = ORDER[Math.min(Math.max(0, ORDER.indexOf(now)), ORDER.indexOf(principal.role))] ?? 'user';
  return { origin: Object.freeze(origin), principal: Object.freeze({ ...principal, role }) };
}
