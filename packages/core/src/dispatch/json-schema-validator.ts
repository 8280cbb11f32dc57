import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Digest } from '../contracts/digest.ts';
import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';

export interface SchemaFault {
  /** JSON pointer; empty = the whole. */
  readonly pointer: string;
  readonly expected: MessageKey;
  /** JSON, shortened; empty = nothing is there. */
  readonly found: string;
}

/** Checks values against JSON Schemas. Fills defaults into the value that it checks. */
export interface JsonSchemaValidator {
  /** All faults of the value; empty = valid. `key` names the schema, so that it is compiled once. */
  check(key: string, schema: JsonObject, value: Json): readonly SchemaFault[];
}

const NOTHING = '';

type Compile = (schema: JsonObject) => ValidateFunction;

/** Compiled schemas take memory: beyond this number all are dropped, and compiled again when needed. */
const COMPILED_AT_MOST = 5_000;

/**
 * Loads the schema library (a quarter of this package's start, so only when the first call needs it).
 * Schemas are compiled on first use and kept by key.
 */
export async function createJsonSchemaValidator(): Promise<JsonSchemaValidator> {
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const create = (draft7: boolean, addUsedSchema: boolean) => {
    // The registry has held every schema of the table against its meta-schema already.
    const options = {
      allErrors: true,
      strict: false,
      useDefaults: true,
      verbose: true,
      validateSchema: false,
    } as const;
    const ajv = draft7 ? new Ajv({ ...options, addUsedSchema }) : new Ajv2020({ ...options, addUsedSchema });
    formats.default.default(ajv);
    return ajv;
  };
  const shared = { draft7: create(true, false), draft2020: create(false, false) };
  const compile: Compile = (schema) => {
    const draft7 = String(schema.$schema ?? '').includes('draft-07');
    // Schemas that refer by name get an instance of their own: names of one tool must not be seen by another.
    if (refers(schema)) return create(draft7, true).compile(schema);
    return (draft7 ? shared.draft7 : shared.draft2020).compile(schema);
  };

  const compiled = new Map<string, ValidateFunction>();
  return {
    check(key, schema, value) {
      let validate = compiled.get(key);
      if (validate === undefined) {
        if (compiled.size >= COMPILED_AT_MOST) compiled.clear();
        validate = compile(schema);
        compiled.set(key, validate);
      }
      return validate(value) ? [] : (validate.errors ?? []).filter(isTelling).map(describe);
    },
  };
}

/** Does the schema name a part of itself or of another? An upper bound: the words may also stand in its data. */
function refers(schema: JsonObject): boolean {
  return /"(\$ref|\$id|\$anchor|\$dynamicRef|\$recursiveRef)"/.test(JSON.stringify(schema));
}

/** The key of a tool's schema for {@link JsonSchemaValidator.check}. */
export function schemaKey(definition: Digest, which: 'input' | 'output'): string {
  return `${which} ${definition}`;
}

/** `if` and the like only repeat what the faults within them say. */
function isTelling(error: ErrorObject): boolean {
  return error.keyword !== 'if';
}

function describe(error: ErrorObject): SchemaFault {
  const parameters = error.params as Readonly<Record<string, unknown>>;
  const at = (name: unknown) => `${error.instancePath}/${escapePointer(String(name))}`;
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return { pointer: at(parameters.missingProperty), expected: text('dispatch.expect-required'), found: NOTHING };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(parameters.additionalProperty ?? parameters.unevaluatedProperty);
      return { pointer: at(name), expected: text('dispatch.expect-no-property'), found: show(name) };
    }
    default:
      return { pointer: error.instancePath, expected: expectation(error.keyword, parameters), found: show(error.data) };
  }
}

/** What the keyword of a schema wants, for people and models. */
function expectation(keyword: string, parameters: Readonly<Record<string, unknown>>): MessageKey {
  const limit = String(parameters.limit);
  switch (keyword) {
    case 'type':
      return text('plain', { text: String(parameters.type) });
    case 'enum':
      return text('dispatch.expect-one-of', { values: show(parameters.allowedValues) });
    case 'const':
      return text('plain', { text: show(parameters.allowedValue) });
    case 'format':
      return parameters.format === 'date-time'
        ? text('dispatch.expect-date-time')
        : text('dispatch.expect-format', { format: String(parameters.format) });
    case 'pattern':
      return text('dispatch.expect-pattern', { pattern: String(parameters.pattern) });
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return text('plain', { text: `${String(parameters.comparison)} ${limit}` });
    case 'multipleOf':
      return text('dispatch.expect-multiple', { divisor: String(parameters.multipleOf) });
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return text(COUNTED[keyword], { count: `≥ ${limit}` });
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return text(COUNTED[keyword], { count: `≤ ${limit}` });
    case 'uniqueItems':
      return text('dispatch.expect-unique');
    case 'not':
      return text('dispatch.expect-not');
    case 'anyOf':
    case 'oneOf':
      return text('dispatch.expect-alternative');
    default:
      return text('dispatch.expect-keyword', { keyword });
  }
}

const COUNTED = {
  minLength: 'dispatch.expect-characters',
  maxLength: 'dispatch.expect-characters',
  minItems: 'dispatch.expect-items',
  maxItems: 'dispatch.expect-items',
  minProperties: 'dispatch.expect-properties',
  maxProperties: 'dispatch.expect-properties',
} as const;

function show(value: unknown): string {
  const json = JSON.stringify(value) ?? NOTHING;
  return json.length <= 120 ? json : `${json.slice(0, 119).toWellFormed()}…`;
}
