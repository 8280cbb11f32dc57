import type { CapabilityDeclaration, CapabilityKind } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { capabilityKey } from './capability-key.ts';
import { createNameResolver, type NameResolver } from './create-name-resolver.ts';
import { fieldTexts } from './field-texts.ts';
import { qualifiedName } from './qualified-name.ts';

/** A capability, or what is known of one whose faults hid the rest. */
type Referring = Pick<CapabilityDeclaration, 'kind' | 'name' | 'owner' | 'file'> & {
  readonly fields?: JsonObject;
};

/**
 * Names in `tools` and `dependsOn` that exist nowhere, and circles of `dependsOn`. Faulty capabilities count as
 * existing: their own faults are told, and a name that leads to them is none.
 */
export function checkReferences(declarations: readonly Referring[]): readonly Problem[] {
  const named = declarations.map((declaration) => {
    const { kind, owner, name } = declaration;
    const key = capabilityKey(kind, owner, name);
    return { kind, owner, localName: name, name: qualifiedName(kind, owner, name), key, declaration };
  });
  const resolver = createNameResolver(named);
  const problems: Problem[] = [];
  const edges = new Map<string, string[]>();
  for (const { declaration, kind, key, localName, owner } of named) {
    const { fields = {} } = declaration;
    if (kind === 'skill' || kind === 'agent') {
      const inside = { ...owner, [kind]: localName };
      for (const [index, name] of fieldTexts(fields.tools).entries()) {
        if (resolver.resolve('tool', name, inside) !== undefined) continue;
        problems.push(unknown(declaration, `tools/${index}`, name, ['tool'], resolver));
      }
    }
    for (const [index, name] of fieldTexts(fields.dependsOn).entries()) {
      const tool = resolver.resolve('tool', name, owner);
      const skill = resolver.resolve('skill', name, owner);
      const target = tool !== undefined ? `tool ${tool}` : skill !== undefined ? `skill ${skill}` : undefined;
      if (target === undefined)
        problems.push(unknown(declaration, `dependsOn/${index}`, name, ['tool', 'skill'], resolver));
      else edges.set(`${kind} ${key}`, [...(edges.get(`${kind} ${key}`) ?? []), target]);
    }
  }
  const files = new Map(named.map(({ kind, key, declaration }) => [`${kind} ${key}`, declaration.file]));
  for (const circle of findCircles(edges)) problems.push(cycle(circle, files));
  return problems;
}

/** Each circle once, from its first member in code unit order. */
function findCircles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  for (const start of [...edges.keys()].sort()) {
    if (done.has(start)) continue;
    // Depth first without recursion: a chain may be as long as there are capabilities.
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { readonly node: string; next: number }[] = [{ node: start, next: 0 }];
    path.push(start);
    onPath.add(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = edges.get(top.node)?.[top.next];
      top.next += 1;
      if (target === undefined) {
        stack.pop();
        path.pop();
        onPath.delete(top.node);
        done.add(top.node);
      } else if (onPath.has(target)) {
        const circle = path.slice(path.indexOf(target));
        circles.set([...circle].sort().join('\n'), circle);
      } else if (!done.has(target)) {
        stack.push({ node: target, next: 0 });
        path.push(target);
        onPath.add(target);
      }
    }
  }
  return [...circles.values()];
}

function unknown(
  { kind, name, file }: Referring,
  field: string,
  wanted: string,
  kinds: readonly CapabilityKind[],
  resolver: NameResolver,
): Problem {
  const [nearest] = nearestNames(
    wanted,
    kinds.flatMap((one) => resolver.names(one)),
    1,
  );
  const tool = kind === 'tool' ? showText(name.slice(0, 100)) : `${kind} ${showText(name.slice(0, 100))}`;
  return {
    code: 'UNKNOWN_REFERENCE',
    ...(file === undefined ? {} : { file: showText(file) }),
    field,
    found: showValue(wanted),
    expected: nearest === undefined ? kinds.join(' | ') : showValue(nearest),
    message: text('registry.unknown-reference', { tool, field, name: showValue(wanted) }),
    hint:
      nearest === undefined
        ? text('registry.unknown-reference-hint')
        : text('registry.did-you-mean', { name: showText(nearest) }),
    fatal: true,
  };
}

function cycle(circle: readonly string[], files: ReadonlyMap<string, string | undefined>): Problem {
  const names = [...circle, circle[0] ?? ''].map((one) => showText(one)).join(' → ');
  const file = files.get(circle[0] ?? '');
  return {
    code: 'DEPENDENCY_CYCLE',
    ...(file === undefined ? {} : { file: showText(file) }),
    field: 'dependsOn',
    found: names,
    message: text('registry.dependency-cycle', { names }),
    hint: text('registry.dependency-cycle-hint'),
    fatal: true,
  };
}
