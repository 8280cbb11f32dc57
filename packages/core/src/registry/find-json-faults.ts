import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json } from '../contracts/json.ts';
import { showValue } from '../contracts/show-value.ts';
import type { FieldFault } from './field-rules.ts';

/** Levels of nesting: what walks schemas and digests recurses once per level. */
const DEEPEST = 100;

/** What keeps a value from having a digest or from being walked: lone surrogates and boundless nesting. */
export function findJsonFaults(value: Json): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  walk(value, [], faults);
  return faults;
}

/** `path` is written out only where there is a fault: this runs over everything that is ever declared. */
function walk(value: Json, path: string[], faults: FieldFault[]): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) faults.push(malformed(path, value));
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (path.length === DEEPEST) {
    faults.push({ ...fault(path), found: `[[[…]]] > ${DEEPEST}`, expected: `[[[…]]] ≤ ${DEEPEST}` });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    path.push(name);
    if (!name.isWellFormed()) faults.push(malformed(path, name));
    walk(member as Json, path, faults);
    path.pop();
  }
}

function malformed(path: readonly string[], text: string): FieldFault {
  return { ...fault(path), found: showValue(text), expected: 'string.isWellFormed()' };
}

function fault(path: readonly string[]) {
  return { pointer: path.map((name) => `/${escapePointer(name)}`).join(''), kind: 'value' } as const;
}
