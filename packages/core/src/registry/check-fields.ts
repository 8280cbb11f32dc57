import { hookPoints } from '../authoring/hook-definition.ts';
import type { CapabilityKind } from '../contracts/capability.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import type { SchemaChecker } from './create-schema-checker.ts';
import { type FieldFault, fieldRules, type KindRules } from './field-rules.ts';
import { findJsonFaults } from './find-json-faults.ts';

/** What faults are reported against. Both are safe to print; `tool` says the kind where it is no tool. */
export interface FieldPlace {
  readonly tool: string;
  readonly file?: string;
}

/** Checks every field that an author wrote, and that the required ones are there. */
export function checkFields(
  kind: CapabilityKind,
  fields: JsonObject,
  place: FieldPlace,
  schemas: SchemaChecker,
): readonly Problem[] {
  const known = fieldRules[kind];
  const problems: Problem[] = [];
  const report = (field: string, fault: FieldFault): void => {
    problems.push(fieldProblem(place, field, fault));
  };
  for (const field of known.required) {
    const isThere = Object.hasOwn(fields, field) || (field === 'content' && fields.dynamic === true);
    if (!isThere) problems.push(missing(kind, place, field));
  }
  for (const [field, value] of Object.entries(fields)) {
    const rule = known.rules.get(field);
    const isSchema = known.schemas.has(field);
    if (rule === undefined && !isSchema) {
      if (known.isOpen !== true) problems.push(unknownField(known, place, field));
      continue;
    }
    const before = problems.length;
    for (const fault of findJsonFaults(value)) report(field, fault);
    if (problems.length > before) continue;
    for (const fault of rule?.(value) ?? []) report(field, fault);
    if (isSchema) problems.push(...checkSchemaField(field, value, place, schemas));
    if (known.withoutEffect.has(field) && !isNetworkOnly(value)) problems.push(withoutEffect(place, field, value));
  }
  const annotations = Object.hasOwn(fields, 'annotations') ? fields.annotations : undefined;
  if (isObject(annotations) && annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    problems.push(contradiction(place));
  }
  if (kind === 'prompt-section') problems.push(...checkSectionLength(fields, place));
  return problems;
}

/** Hosts that `access` names bound `context.fetch` already. */
function isNetworkOnly(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 1 && Array.isArray(value.network);
}

/** A text that must be kept whole and may not be whole can never be shown. */
function checkSectionLength({ content, retention, maxChars }: JsonObject, place: FieldPlace): readonly Problem[] {
  if (retention !== 'required' || typeof content !== 'string' || typeof maxChars !== 'number') return [];
  if (content.length <= maxChars) return [];
  const found = `content.length = ${content.length}`;
  return [fieldProblem(place, 'maxChars', { pointer: '', kind: 'value', found, expected: `≥ ${content.length}` })];
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

function missing(kind: CapabilityKind, place: FieldPlace, field: string): Problem {
  return {
    ...base(place, field),
    code: 'MISSING_FIELD',
    found: 'undefined',
    expected: field === 'on' ? hookPoints.map((one) => JSON.stringify(one)).join(' | ') : 'string.trim().length ≥ 1',
    message: text('registry.missing-field', { tool: place.tool, field }),
    ...(field === 'description'
      ? { hint: text(kind === 'tool' ? 'registry.missing-field-hint' : 'registry.missing-skill-description-hint') }
      : {}),
  };
}

function unknownField(known: KindRules, place: FieldPlace, field: string): Problem {
  const knownFields = [...known.rules.keys(), ...known.schemas, ...known.functions];
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
