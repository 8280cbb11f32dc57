import { canonicalJson } from '../contracts/canonical-json.ts';
import type { AdmissionRule, Capability, CapabilityKind, ToolCapability } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import { digest } from '../contracts/digest.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { CheckedCapability } from './check-declaration.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { createNameResolver, type NameResolver } from './create-name-resolver.ts';
import { fieldTexts } from './field-texts.ts';

const KIND_ORDER: readonly CapabilityKind[] = ['tool', 'skill', 'prompt-section', 'agent', 'hook'];

/** The table of capabilities that are known to fit together. */
export function makeTable(generation: number, checked: readonly CheckedCapability[]): CapabilityTable {
  const classes: AdmissionRule[] = [];
  const classOf = new Map<string, number>();
  const resolver = createNameResolver(checked.map(({ capability }) => capability));
  const sorted = checked.toSorted((a, b) => compareCapabilities(a.capability, b.capability));
  // Classes are numbered in the order of names, so that equal sets of capabilities have equal tables.
  const byName = checked.toSorted(({ capability: a }, { capability: b }) => compareByName(a, b));
  for (const { admission } of byName) {
    // Built in one place, its lists sorted: equal rules have equal texts.
    const key = JSON.stringify(admission);
    if (classOf.has(key)) continue;
    classOf.set(key, classes.length);
    classes.push(deepFreeze(admission as unknown as JsonObject) as unknown as AdmissionRule);
  }
  const capabilities = sorted.map((one) => place(one, classOf.get(JSON.stringify(one.admission)) ?? -1, resolver));
  const tools = capabilities.filter((one): one is ToolCapability => one.kind === 'tool').sort(compareByName);
  const byKey = new Map(capabilities.map((one) => [`${one.kind} ${one.key}`, one]));
  const toolsByName = new Map<string, ToolCapability | undefined>();
  // A name that several private tools bear says nothing.
  for (const tool of tools) toolsByName.set(tool.name, toolsByName.has(tool.name) ? undefined : tool);
  for (const tool of tools) toolsByName.set(tool.key, tool);
  return Object.freeze({
    generation,
    digest: digest(canonicalJson(capabilities.map((one) => [one.kind, one.key, one.definitionDigest]))),
    capabilities: Object.freeze(capabilities),
    tools: Object.freeze(tools),
    admissionClasses: Object.freeze(classes),
    get: (name: string) => toolsByName.get(name),
    find: (kind: CapabilityKind, key: string) => byKey.get(`${kind} ${key}`),
    resolve(name: string, from: ToolCapability) {
      const key = resolver.resolve('tool', name, from.owner);
      return key === undefined ? undefined : toolsByName.get(key);
    },
  });
}

function place(
  { capability, declaration }: CheckedCapability,
  admissionClass: number,
  names: NameResolver,
): Capability {
  const { owner, localName } = capability;
  const dependsOn = Object.freeze(
    fieldTexts(declaration.fields.dependsOn).flatMap(
      (name) => names.resolve('tool', name, owner) ?? names.resolve('skill', name, owner) ?? [],
    ),
  );
  if (capability.kind !== 'skill' && capability.kind !== 'agent') {
    return Object.freeze({ ...capability, admissionClass, dependsOn });
  }
  // What is private to a skill or an agent is found from inside it.
  const inside = { ...owner, [capability.kind]: localName };
  const listed = fieldTexts(declaration.fields.tools).flatMap((name) => names.resolve('tool', name, inside) ?? []);
  const own = capability.kind === 'skill' ? names.privateTools(inside) : [];
  const tools = Object.freeze([...new Set([...listed, ...own])]);
  return Object.freeze({ ...capability, admissionClass, dependsOn, tools });
}

function compareCapabilities(a: CheckedCapability['capability'], b: CheckedCapability['capability']): number {
  return (
    compareCodeUnits(a.owner.plugin.join('/'), b.owner.plugin.join('/')) ||
    KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
    compareCodeUnits(a.key, b.key)
  );
}

function compareByName(
  a: { readonly name: string; readonly key: string; readonly kind: CapabilityKind },
  b: { readonly name: string; readonly key: string; readonly kind: CapabilityKind },
): number {
  return (
    compareCodeUnits(a.name, b.name) ||
    KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
    compareCodeUnits(a.key, b.key)
  );
}
