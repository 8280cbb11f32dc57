import { nearestNames } from '../contracts/nearest-names.ts';
import { findSchemaNode } from './find-schema-node.ts';
import { formatKeyPath } from './format-key-path.ts';
import type { KeyPath } from './key-path.ts';
import { schemaKeys } from './schema-keys.ts';

const SHOWN = 3;

/**
 * The keys that an unknown one most probably means, whole: keys that stand beside it first, then those of the same
 * name elsewhere in the tree, then similar ones elsewhere.
 *
 * @example
 * nearestKeys(['maxSteps']) // ['turn.maxSteps']
 */
export function nearestKeys(path: KeyPath): readonly string[] {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1) ?? '');
  const siblings = Object.keys(findSchemaNode(parent)?.node.properties ?? {}).filter((one) => one !== '$schema');
  const beside = nearestNames(name, siblings, 1);
  if (beside.length > 0) return beside.map((one) => formatKeyPath([...parent, one]));

  const paths = schemaKeys().flatMap((key) => key.path.map((_, index) => key.path.slice(0, index + 1)));
  const byPath = new Map(paths.map((one) => [formatKeyPath(one), one]));
  const whole = [...byPath.keys()].filter((one) => one.toLowerCase() === name.toLowerCase());
  if (whole.length > 0) return whole;
  const byName = Map.groupBy(byPath, ([, one]) => one.at(-1) ?? '');
  const names = [...byName.keys()].filter((one) => one !== '<name>' && one !== '$schema');
  const same = names.filter((one) => one.toLowerCase() === name.toLowerCase());
  const similar = same.length > 0 ? same : nearestNames(name, names, 1);
  return similar.flatMap((one) => (byName.get(one) ?? []).map(([key]) => key)).slice(0, SHOWN);
}
