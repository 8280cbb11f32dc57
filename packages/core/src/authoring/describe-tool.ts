import type { Json, JsonObject } from '../contracts/json.ts';
import { isStandardSchema } from './is-standard-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A definition as plain data. What could not be said in JSON is named in `faults`, by field. */
export interface ToolDescription {
  readonly fields: JsonObject;
  /** The input schema validates by itself, beyond the JSON Schema that describes it. */
  readonly ownValidator: boolean;
  readonly faults: readonly DescriptionFault[];
}

export interface DescriptionFault {
  readonly kind: 'not-json' | 'old-zod' | 'not-representable' | 'no-execute';
  readonly field: string;
  /** What was found, or what the schema library said. */
  readonly found: string;
}

const JSON_SCHEMA_TARGET = 'draft-2020-12';

/**
 * Turns what an author defined into plain data: schemas become JSON Schema, functions stay out.
 * Judges no values; the registry does. Never throws, whatever getters or proxies the definition holds.
 */
export function describeTool(definition: object): ToolDescription {
  const faults: DescriptionFault[] = [];
  const fields: Record<string, Json> = Object.create(null) as Record<string, Json>;
  let ownValidator = false;
  let hasExecute = false;
  for (const [field, read] of Object.entries(Object.getOwnPropertyDescriptors(definition))) {
    if (read.enumerable !== true) continue;
    let value: unknown;
    try {
      value = (definition as Record<string, unknown>)[field];
    } catch {
      faults.push({ kind: 'not-json', field, found: 'a getter that throws' });
      continue;
    }
    if (value === undefined) continue;
    if (field === 'execute') {
      hasExecute = typeof value === 'function';
      if (!hasExecute) faults.push({ kind: 'no-execute', field, found: typeof value });
      continue;
    }
    const isSchemaField = field === 'inputSchema' || field === 'outputSchema';
    if (isSchemaField && isStandardSchema(value)) {
      if (field === 'inputSchema') ownValidator = true;
      const schema = describeSchema(value, field, faults);
      if (schema !== undefined) fields[field] = schema;
      continue;
    }
    const found = notJson(value, new Set());
    if (found !== undefined) faults.push({ kind: 'not-json', field: field + found.pointer, found: found.type });
    else fields[field] = JSON.parse(JSON.stringify(value)) as Json;
  }
  if (!hasExecute && !faults.some((fault) => fault.kind === 'no-execute')) {
    faults.push({ kind: 'no-execute', field: 'execute', found: 'nothing' });
  }
  return { fields, ownValidator, faults };
}

function describeSchema(schema: StandardSchema, field: string, faults: DescriptionFault[]): Json | undefined {
  const standard = schema['~standard'];
  if (standard.jsonSchema === undefined) {
    faults.push({ kind: 'old-zod', field, found: standard.vendor });
    return undefined;
  }
  try {
    const convert = field === 'inputSchema' ? standard.jsonSchema.input : standard.jsonSchema.output;
    return JSON.parse(JSON.stringify(convert({ target: JSON_SCHEMA_TARGET }))) as Json;
  } catch (error) {
    faults.push({ kind: 'not-representable', field, found: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

/** The first place where a value is not JSON. */
function notJson(value: unknown, ancestors: Set<object>): { pointer: string; type: string } | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { pointer: '', type: String(value) };
    case 'object': {
      if (value === null) return undefined;
      if (ancestors.has(value)) return { pointer: '', type: 'a value that contains itself' };
      const prototype: unknown = Object.getPrototypeOf(value);
      if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        return { pointer: '', type: value.constructor?.name ?? 'object' };
      }
      ancestors.add(value);
      for (const [name, member] of Object.entries(value)) {
        const inner = notJson(member, ancestors);
        if (inner !== undefined) return { pointer: `/${name}${inner.pointer}`, type: inner.type };
      }
      ancestors.delete(value);
      return undefined;
    }
    default:
      return { pointer: '', type: typeof value };
  }
}
