import type { CapabilityKind } from '../contracts/capability.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import type { CheckedCapability } from './check-declaration.ts';

/** Kinds that are checked and listed while this version does nothing more with them. */
const WITHOUT_EFFECT: readonly CapabilityKind[] = ['skill', 'prompt-section', 'agent', 'hook'];

/** Says once for each such kind of a project that it is not given to agents yet. */
export function kindsWithoutEffect(checked: readonly CheckedCapability[]): readonly Problem[] {
  return WITHOUT_EFFECT.flatMap((kind) => {
    const count = checked.filter(({ capability }) => capability.kind === kind).length;
    if (count === 0) return [];
    return [
      {
        code: 'NO_EFFECT_YET',
        field: kind,
        found: String(count),
        message: text('registry.kind-without-effect', { kind, count }),
        hint: text('registry.no-effect-yet-hint'),
        fatal: false,
      },
    ];
  });
}
