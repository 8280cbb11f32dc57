/** Longer names are no slips of the pen, and comparing them costs the product of their lengths. */
const COMPARED_LENGTH = 64;

/**
 * The candidates that a mistyped name most probably means, the nearest first: at most a third of the longer one's
 * characters differ (insertions, deletions, replacements and swaps of neighbours; case does not count). Candidates at
 * one distance keep their order. Names of more than 64 characters have no neighbours. Never throws.
 *
 * @example
 * nearestNames('inputShema', ['outputSchema', 'inputSchema'], 1) // ['inputSchema']
 */
export function nearestNames(name: string, candidates: readonly string[], atMost: number): readonly string[] {
  if (name.length > COMPARED_LENGTH) return [];

  const lowerName = name.toLowerCase();
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate.length > COMPARED_LENGTH) continue;
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const distance = editDistance(lowerName, candidate.toLowerCase(), limit);
    if (distance <= limit && distance < Math.max(name.length, candidate.length)) {
      near.push({ candidate, distance });
    }
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, atMost).map((one) => one.candidate);
}

/** Optimal string alignment distance; any number beyond `limit` stands for "too far". */
function editDistance(left: string, right: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
