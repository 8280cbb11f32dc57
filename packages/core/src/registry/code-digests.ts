import { canonicalJson } from '../contracts/canonical-json.ts';
import { type Digest, digest } from '../contracts/digest.ts';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';

/**
 * For each module path the digest over all source files that it reaches (path, code, and what imports lead to), so
 * that a changed shared file changes the digest of those that use it and of no others. Paths that the graph does not
 * hold have none. Takes time in proportion to the graph, however many modules share a file.
 *
 * @example
 * codeDigests(graph, ['tools/weather/index.ts']).get('tools/weather/index.ts')
 */
export function codeDigests(graph: ModuleGraph, paths: Iterable<string>): ReadonlyMap<string, Digest> {
  const all = digestAll(new Map(graph.modules.map((module) => [module.path, module])));
  const wanted = new Map<string, Digest>();
  for (const path of paths) {
    const one = all.get(path);
    if (one !== undefined) wanted.set(path, one);
  }
  return wanted;
}

/** A module that is being visited. */
interface Visit {
  readonly module: SourceModule;
  readonly index: number;
  readonly targets: readonly string[];
  next: number;
  /** The earliest module on the stack that it leads back to. */
  low: number;
}

/**
 * By module path. Modules that reach one another form a circle, most often of one; its digest covers those of its
 * members and of the circles that these lead to. The circles come out targets first (Tarjan); no recursion, since
 * chains of imports may be long.
 */
function digestAll(modules: ReadonlyMap<string, SourceModule>): ReadonlyMap<string, Digest> {
  const digests = new Map<string, Digest>();
  const circleOf = new Map<string, Digest>();
  const visits = new Map<string, Visit>();
  const stack: Visit[] = [];
  const enter = (module: SourceModule): Visit => {
    const index = visits.size;
    const visit: Visit = { module, index, targets: Object.values(module.imports), next: 0, low: index };
    visits.set(module.path, visit);
    stack.push(visit);
    return visit;
  };
  const close = (visit: Visit): void => {
    const circle = stack.splice(stack.lastIndexOf(visit));
    const inside = new Set(circle.map(({ module }) => module.path));
    const outside = new Set<Digest>();
    for (const { targets } of circle) {
      for (const target of targets) {
        const reached = inside.has(target) ? undefined : circleOf.get(target);
        if (reached !== undefined) outside.add(reached);
      }
    }
    const members = circle.map(({ module }) => module.codeDigest ?? module.digest).sort();
    const whole = digest(canonicalJson([members, [...outside].sort()]));
    for (const path of inside) {
      circleOf.set(path, whole);
      digests.set(path, inside.size === 1 ? whole : digest(canonicalJson([path, whole])));
    }
  };
  for (const start of modules.values()) {
    if (visits.has(start.path)) continue;
    const open = [enter(start)];
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      const target = visit.targets[visit.next];
      if (target === undefined) {
        open.pop();
        const parent = open.at(-1);
        if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) close(visit);
        continue;
      }
      visit.next++;
      const known = visits.get(target);
      const module = modules.get(target);
      // What has a digest already lies in a finished circle.
      if (known !== undefined) {
        if (!digests.has(target)) visit.low = Math.min(visit.low, known.index);
      } else if (module !== undefined) open.push(enter(module));
    }
  }
  return digests;
}
