import type { AdmissionRule, ToolCapability } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { Admitted, Decision, Facts } from '../contracts/policy.ts';
import type { Role } from '../contracts/principal.ts';
import { text } from '../contracts/texts/text.ts';

const RANK: Readonly<Record<Role, number>> = { user: 0, trusted: 1, master: 2 };

const ADMITTED: Decision = Object.freeze({ allow: true, code: 'ADMITTED', reason: text('policy.admitted') });

/**
 * Decides what one principal may see at one place. Once per admission class, never per tool: the cost does not grow
 * with the number of tools. Platform and scope that an origin lacks are never a wildcard.
 *
 * @example
 * admit(table, { origin, principal }).has(tool)
 */
export function admit(table: CapabilityTable, facts: Facts): Admitted {
  const decisions = table.admissionClasses.map((rule) => decide(rule, facts));
  let signature = '';
  for (const decision of decisions) signature += decision.allow ? '1' : '0';
  // An index that the table does not hold would be a fault of ours; it must not open a door.
  const missing: Decision = { allow: false, code: 'NO_CLASS', reason: text('policy.unreadable-rule', { rule: '' }) };
  return {
    signature,
    has: (tool: ToolCapability) => decisions[tool.admissionClass]?.allow === true,
    why: (tool: ToolCapability) => decisions[tool.admissionClass] ?? missing,
  };
}

function decide(rule: AdmissionRule, { origin, principal }: Facts): Decision {
  const { platforms, scopes, permissions } = rule;
  if (platforms.length > 0 && !platforms.some((name) => name === origin.platform || name === origin.adapter)) {
    return refuse('PLATFORM', 'policy.platform', {
      found: origin.platform ?? origin.kind,
      wanted: platforms.join(', '),
    });
  }
  if (scopes.length > 0 && !scopes.some((scope) => scope === origin.scope)) {
    return refuse('SCOPE', 'policy.scope', { found: origin.scope ?? origin.kind, wanted: scopes.join(', ') });
  }
  for (const permission of permissions) {
    if (permission.kind === 'never') {
      return refuse('UNREADABLE_RULE', 'policy.unreadable-rule', { rule: permission.text });
    }
    // A role that we do not know ranks below everybody.
    if ((RANK[principal.role] ?? -1) < RANK[permission.atLeast]) {
      return refuse('ROLE', 'policy.role', { found: principal.role, wanted: permission.atLeast });
    }
  }
  return ADMITTED;
}

function refuse(code: string, key: Parameters<typeof text>[0], values: Readonly<Record<string, string>>): Decision {
  return { allow: false, code, reason: text(key, values) };
}
