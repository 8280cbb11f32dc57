import { canonicalJson } from '../contracts/canonical-json.ts';
import { type Digest, digest } from '../contracts/digest.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { compareCodeUnits } from './compare-code-units.ts';

/**
 * For each module path the digest over all source files that it reaches (path, code, and what imports lead to), so
 * that a changed shared file changes the digest of those that use it and of no others. Paths that the graph does not
 * hold have none.
 *
 * @example
 * codeDigests(graph, ['tools/weather/index.ts']).get('tools/weather/index.ts')
 */
export function codeDigests(graph: ModuleGraph, paths: Iterable<string>): ReadonlyMap<string, Digest> {
  const modules = new Map(graph.modules.map((module) => [module.path, module]));
  const own = new Map(graph.modules.map((module) => [module.path, digest(module.code)]));
  const digests = new Map<string, Digest>();
  for (const path of paths) {
    if (!modules.has(path)) continue;
    const reached = new Set([path]);
    for (const one of reached) {
      for (const target of Object.values(modules.get(one)?.imports ?? {})) reached.add(target);
    }
    const parts = [...reached]
      .sort(compareCodeUnits)
      .map((one) => [one, own.get(one) ?? null, modules.get(one)?.imports ?? {}]);
    digests.set(path, digest(canonicalJson([path, ...parts])));
  }
  return digests;
}
