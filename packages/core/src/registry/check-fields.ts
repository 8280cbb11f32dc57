import type { Json, JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import type { SchemaChecker } from './create-schema-checker.ts';
import { type FieldFault, fieldRules } from './field-rules.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

/** What faults are reported against. Both are safe to print. */
export interface FieldPlace {
  readonly tool: string;
  readonly file?: string;
}

const schemaFields: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema']);
const knownFields: readonly string[] = [...fieldRules.keys(), ...schemaFields, 'execute'];

/** Fields whose shape is checked while this version does not act on them. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'access',
  'memoryMb',
  'maxConcurrency',
  'rateLimit',
  'retry',
  'dependsOn',
]);

/** Checks every field that an author wrote, and that the required ones are there. */
export function checkFields(fields: JsonObject, place: FieldPlace, schemas: SchemaChecker): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (field: string, fault: FieldFault): void => {
    problems.push(fieldProblem(place, field, fault));
  };
  if (!Object.hasOwn(fields, 'description')) problems.push(missing(place, 'description'));
  for (const [field, value] of Object.entries(fields)) {
    const rule = fieldRules.get(field);
    if (rule === undefined && !schemaFields.has(field)) {
      problems.push(unknownField(place, field));
      continue;
    }
    const before = problems.length;
    for (const fault of findJsonFaults(value)) report(field, fault);
    if (problems.length > before) continue;
    for (const fault of rule?.(value) ?? []) report(field, fault);
    if (schemaFields.has(field)) problems.push(...checkSchemaField(field, value, place, schemas));
    if (WITHOUT_EFFECT.has(field)) problems.push(withoutEffect(place, field, value));
  }
  const annotations = Object.hasOwn(fields, 'annotations') ? fields.annotations : undefined;
  if (isObject(annotations) && annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    problems.push(contradiction(place));
  }
  return problems;
}

function checkSchemaField(field: string, value: Json, place: FieldPlace, schemas: SchemaChecker): readonly Problem[] {
  if (!isObject(value)) {
    return [
      fieldProblem(place, field, {
        pointer: '',
        kind: 'value',
        found: showValue(value),
        expected: 'JSON Schema, { … }',
      }),
    ];
  }
  const faults = schemas.check(value);
  const problems = faults.map((fault) => schemaProblem(place, `${field}${fault.pointer}`, fault));
  const type = Object.hasOwn(value, 'type') ? value.type : 'object';
  if (field === 'inputSchema' && type !== 'object' && !faults.some((fault) => fault.pointer === '/type')) {
    problems.push(schemaProblem(place, 'inputSchema/type', { found: showValue(type), expected: '"object"' }));
  }
  return problems;
}

function base({ file }: FieldPlace, field: string) {
  return { ...(file === undefined ? {} : { file }), field: showText(field), fatal: true } as const;
}

function missing(place: FieldPlace, field: string): Problem {
  return {
    ...base(place, field),
    code: 'MISSING_FIELD',
    found: 'undefined',
    expected: 'string.trim().length ≥ 1',
    message: text('registry.missing-field', { tool: place.tool, field }),
    hint: text('registry.missing-field-hint'),
  };
}

function unknownField(place: FieldPlace, field: string): Problem {
  const nearest = nearestNames(field, knownFields, 1)[0];
  const shown = showText(field.slice(0, 100));
  return {
    ...base(place, field.slice(0, 100)),
    code: 'UNKNOWN_FIELD',
    found: showValue(field),
    expected: nearest ?? knownFields.join(', '),
    message: text('registry.unknown-field', { tool: place.tool, field: shown }),
    hint:
      field === 'name'
        ? text('registry.name-field-hint')
        : nearest === undefined
          ? text('registry.unknown-field-hint', { fields: knownFields.join(', ') })
          : text('registry.did-you-mean', { name: nearest }),
  };
}

function fieldProblem(place: FieldPlace, name: string, fault: FieldFault): Problem {
  const field = showText(`${name}${fault.pointer}`);
  const { found, expected, nearest } = fault;
  return {
    ...base(place, field),
    code: fault.kind === 'value' ? 'INVALID_FIELD' : 'UNKNOWN_FIELD',
    found,
    expected,
    message:
      fault.kind === 'value'
        ? text('registry.invalid-field', { tool: place.tool, field, found, expected })
        : text('registry.unknown-field', { tool: place.tool, field }),
    ...(nearest === undefined ? {} : { hint: text('registry.did-you-mean', { name: nearest }) }),
  };
}

function schemaProblem(
  place: FieldPlace,
  pointer: string,
  fault: {
    readonly found: string;
    readonly expected: string;
    readonly nearest?: string;
    readonly reason?: 'endless';
  },
): Problem {
  const { found, expected, nearest } = fault;
  const field = showText(pointer);
  if (fault.reason === 'endless') {
    return {
      ...base(place, field),
      code: 'INVALID_SCHEMA',
      found,
      message: text('registry.endless-schema', { tool: place.tool, field, found }),
      hint: text('registry.endless-schema-hint'),
    };
  }
  return {
    ...base(place, field),
    code: 'INVALID_SCHEMA',
    found,
    expected,
    message: text('registry.invalid-schema', { tool: place.tool, field, found, expected }),
    hint:
      nearest === undefined ? text('registry.invalid-schema-hint') : text('registry.did-you-mean', { name: nearest }),
  };
}

function withoutEffect(place: FieldPlace, field: string, value: Json): Problem {
  return {
    ...base(place, field),
    code: 'NO_EFFECT_YET',
    found: showValue(value),
    message: text('registry.no-effect-yet', { tool: place.tool, field }),
    hint: text('registry.no-effect-yet-hint'),
    fatal: false,
  };
}

function contradiction(place: FieldPlace): Problem {
  return {
    ...base(place, 'annotations'),
    code: 'CONTRADICTION',
    found: 'readOnlyHint: true, destructiveHint: true',
    expected: 'readOnlyHint: true | destructiveHint: true',
    message: text('registry.contradiction', { tool: place.tool }),
    hint: text('registry.contradiction-hint'),
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
