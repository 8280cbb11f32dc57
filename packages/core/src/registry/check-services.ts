import type { CapabilityDeclaration } from '../contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from '../contracts/capability-source.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { fieldTexts } from './field-texts.ts';

type Snapshots = readonly { readonly source: Pick<CapabilitySource, 'id'>; readonly snapshot: SourceSnapshot }[];

/** Services that tools declare to use and nobody provides, and those that several sources provide. */
export function checkServices(snapshots: Snapshots): readonly Problem[] {
  const providers = new Map<string, string[]>();
  for (const { source, snapshot } of snapshots) {
    for (const token of snapshot.services?.keys() ?? [])
      providers.set(token, [...(providers.get(token) ?? []), source.id]);
  }
  const problems: Problem[] = [];
  for (const [token, sources] of providers) {
    if (sources.length > 1) problems.push(duplicateService(token, sources));
  }
  for (const { snapshot } of snapshots) {
    for (const declaration of snapshot.declarations) {
      const local = snapshot.localServices?.get(declaration.owner.plugin.join('__'));
      for (const [index, token] of fieldTexts(declaration.fields.uses).entries()) {
        if (providers.has(token) || local?.has(token) === true) continue;
        problems.push(unknownService(declaration, index, token, [...providers.keys(), ...(local ?? [])]));
      }
    }
  }
  return problems;
}

/** `places` says who provides it. */
export function duplicateService(token: string, places: readonly string[], file?: string): Problem {
  const shown = places.map(showText).join(', ');
  return {
    code: 'DUPLICATE_SERVICE',
    ...(file === undefined ? {} : { file: showText(file) }),
    field: 'provides',
    found: showValue(token),
    message: text('registry.duplicate-service', { token: showValue(token), places: shown }),
    hint: text('registry.duplicate-service-hint'),
    fatal: true,
  };
}

function unknownService(
  { name, file, kind }: CapabilityDeclaration,
  index: number,
  token: string,
  known: readonly string[],
): Problem {
  const [nearest] = nearestNames(token, known, 1);
  const tool = kind === 'tool' ? showText(name.slice(0, 100)) : `${kind} ${showText(name.slice(0, 100))}`;
  return {
    code: 'UNKNOWN_SERVICE',
    ...(file === undefined ? {} : { file: showText(file) }),
    field: `uses/${index}`,
    found: showValue(token),
    ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
    message: text('registry.unknown-service', { tool, token: showValue(token) }),
    hint:
      nearest === undefined
        ? text('registry.unknown-service-hint', { token: showValue(token) })
        : text('registry.did-you-mean', { name: showText(nearest) }),
    fatal: true,
  };
}
