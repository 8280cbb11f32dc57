import type {
  AdmissionRule,
  CallLimits,
  CapabilityDeclaration,
  PermissionRule,
  Provenance,
} from '../contracts/capability.ts';
import type { Scope } from '../contracts/principal.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { checkFields, type FieldPlace } from './check-fields.ts';
import { checkName } from './check-name.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import type { SchemaChecker } from './create-schema-checker.ts';
import { distinct } from './distinct.ts';
import { fieldTexts } from './field-texts.ts';
import { makeCapability, type UnplacedCapability } from './make-capability.ts';
import { packageName } from './package-name.ts';

export interface CheckOptions {
  readonly source: { readonly id: string; readonly provenance: Provenance };
  /** Limits of tools that declare none. */
  readonly defaults: CallLimits;
  readonly parsePermission: (rule: string) => PermissionRule;
  readonly schemas: SchemaChecker;
}

/** A capability that may stand in a table, which then gives it a place and looks up what it refers to. */
export interface CheckedCapability {
  readonly declaration: CapabilityDeclaration;
  readonly capability: UnplacedCapability;
  readonly admission: AdmissionRule;
}

/**
 * Judges what a source says of one capability and makes the capability of it. All faults are reported, not only the
 * first; a capability comes out only where none is fatal. Whatever the source, nothing is believed unchecked.
 */
export function checkDeclaration(
  declaration: CapabilityDeclaration,
  options: CheckOptions,
): { readonly checked?: CheckedCapability; readonly problems: readonly Problem[] } {
  const { kind, name, file } = declaration;
  const provenance = declaration.provenance ?? options.source.provenance;
  const isTrusted = declaration.trusted ?? (provenance === 'framework' || provenance === 'project');
  const shown = showText(name.slice(0, 100));
  const place = {
    tool: kind === 'tool' ? shown : `${kind} ${shown}`,
    ...(file === undefined ? {} : { file: showText(file) }),
  };
  const problems: Problem[] = [
    ...checkName(declaration, provenance === 'framework'),
    ...checkFields(kind, declaration.fields, place, options.schemas),
    ...(kind === 'tool' ? checkIsolation(declaration, place, isTrusted) : []),
  ];
  const fields = new Map(Object.entries(declaration.fields));
  const permissions = new Map<string, PermissionRule>();
  for (const [index, rule] of fieldTexts(fields.get('permissions')).entries()) {
    const parsed = options.parsePermission(rule);
    permissions.set(JSON.stringify(parsed), parsed);
    if (parsed.kind === 'never') problems.push(admitsNobody(place, index, rule, parsed.isKnown));
  }
  if (problems.some((problem) => problem.fatal)) return { problems };

  const admission: AdmissionRule = {
    platforms: distinct(fieldTexts(fields.get('platforms'))),
    scopes: distinct(fieldTexts(fields.get('scopes'))) as Scope[],
    permissions: [...permissions].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, rule]) => rule),
  };
  const capability = makeCapability({ declaration, fields, isTrusted, provenance, ...options });
  return { checked: { declaration, capability, admission }, problems };
}

function checkIsolation(
  { fields, code, owner }: CapabilityDeclaration,
  { tool, file }: FieldPlace,
  isTrusted: boolean,
): readonly Problem[] {
  const isolation = Object.hasOwn(fields, 'isolation') ? fields.isolation : undefined;
  const base = {
    ...(file === undefined ? {} : { file }),
    field: 'isolation',
    found: showValue(isolation),
    fatal: true,
  };
  if (isolation === 'sandbox') {
    return [
      {
        ...base,
        code: 'SANDBOX_UNAVAILABLE',
        expected: '"process" | "inline"',
        message: text('registry.sandbox-unavailable', { tool }),
        hint: text('registry.sandbox-unavailable-hint'),
      },
    ];
  }
  if (isolation === 'inline' && !isTrusted) {
    const plugin = showText(packageOf(file) ?? owner.plugin[0] ?? tool);
    return [
      {
        ...base,
        code: 'UNTRUSTED_INLINE',
        expected: '"process"',
        message: text('registry.untrusted-inline', { tool, plugin }),
        hint: text('registry.untrusted-inline-hint', { plugin }),
      },
    ];
  }
  if (isolation === 'process' && code?.kind === 'live') {
    return [
      {
        ...base,
        code: 'ISOLATION_UNAVAILABLE',
        expected: '"inline"',
        message: text('registry.isolation-unavailable', { tool }),
        hint: text('registry.isolation-unavailable-hint'),
      },
    ];
  }
  return [];
}

/** npm name of the package that a file is shown in. */
function packageOf(file: string | undefined): string | undefined {
  const [, inside] = /^node_modules\/(.+)$/.exec(file ?? '') ?? [];
  return inside === undefined ? undefined : packageName(inside);
}

function admitsNobody({ tool, file }: FieldPlace, index: number, rule: string, isKnown: boolean): Problem {
  const shown = showValue(rule);
  return {
    code: isKnown ? 'ADMITS_NOBODY' : 'UNKNOWN_PERMISSION',
    ...(file === undefined ? {} : { file }),
    field: `permissions/${index}`,
    found: shown,
    expected: 'role(user | trusted | master)',
    message: text(isKnown ? 'registry.admits-nobody' : 'registry.unknown-permission', { tool, rule: shown }),
    hint: text(isKnown ? 'registry.admits-nobody-hint' : 'registry.unknown-permission-hint'),
    fatal: !isKnown,
  };
}
