import type { CapabilityKind, Owner } from '../contracts/capability.ts';

/** What a name is looked up among. */
export interface NamedCapability {
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly localName: string;
  readonly key: string;
  readonly owner: Owner;
}

export interface NameResolver {
  /**
   * The key of the capability that a writer inside `owner` means by `name`: own private ones of the skill, of the
   * agent, then the own plugin's, its parents', the root's; qualified names and keys always.
   */
  resolve(kind: CapabilityKind, name: string, owner: Owner): string | undefined;
  /** Keys of the tools that only this skill (or agent) has. */
  privateTools(owner: Owner): readonly string[];
  /** Every name that could have been written, for suggestions. */
  names(kind: CapabilityKind): readonly string[];
}

/**
 * Looks names up from the writer outward.
 *
 * @example
 * createNameResolver(capabilities).resolve('tool', 'normalize', { plugin: [], skill: 'short-url' })
 */
export function createNameResolver(capabilities: readonly NamedCapability[]): NameResolver {
  const inPlace = new Map<string, string>();
  const qualified = new Map<string, string | undefined>();
  const keys = new Set<string>();
  const privateTools = new Map<string, string[]>();
  for (const { kind, name, localName, key, owner } of capabilities) {
    inPlace.set(`${placeKey(kind, owner)} ${localName}`, key);
    keys.add(`${kind} ${key}`);
    const byName = `${kind} ${name}`;
    // A private name that several bear says nothing; a public one is not hidden by it.
    const isPublic = owner.agent === undefined && owner.skill === undefined;
    if (isPublic) qualified.set(byName, key);
    else if (!qualified.has(byName)) qualified.set(byName, key);
    else if (qualified.get(byName) !== name) qualified.set(byName, undefined);
    if (kind !== 'tool' || isPublic) continue;
    const place = placeKey('tool', owner);
    privateTools.set(place, [...(privateTools.get(place) ?? []), key]);
  }
  return {
    resolve(kind, name, owner) {
      for (const place of outward(owner)) {
        const key = inPlace.get(`${placeKey(kind, place)} ${name}`);
        if (key !== undefined) return key;
      }
      if (keys.has(`${kind} ${name}`)) return name;
      return qualified.get(`${kind} ${name}`);
    },
    privateTools: (owner) => privateTools.get(placeKey('tool', owner)) ?? [],
    names: (kind) => [
      ...new Set(
        capabilities
          .filter((one) => one.kind === kind)
          .flatMap(({ name, localName, owner }) =>
            owner.agent === undefined && owner.skill === undefined && owner.plugin.length === 0
              ? [name]
              : [name, localName],
          ),
      ),
    ],
  };
}

function* outward(owner: Owner): Iterable<Owner> {
  const { plugin, agent, skill } = owner;
  if (skill !== undefined) yield owner;
  if (agent !== undefined) yield { plugin, agent };
  for (let depth = plugin.length; depth >= 0; depth--) yield { plugin: plugin.slice(0, depth) };
}

function placeKey(kind: CapabilityKind, { plugin, agent, skill }: Owner): string {
  return JSON.stringify([kind, plugin, agent ?? null, skill ?? null]);
}
