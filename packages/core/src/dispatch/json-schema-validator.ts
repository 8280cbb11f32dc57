import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Digest } from '../contracts/digest.ts';
import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';

export interface SchemaFault {
  /** JSON pointer; empty = the whole. */
  readonly pointer: string;
  readonly expected: string;
  readonly found: string;
}

/** Checks values against JSON Schemas. Fills defaults into the value that it checks. */
export interface JsonSchemaValidator {
  /** All faults of the value; empty = valid. `key` names the schema, so that it is compiled once. */
  check(key: string, schema: JsonObject, value: Json): readonly SchemaFault[];
}

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
  switch (error.keyword) {
    case 'required':
      return {
        pointer: `${error.instancePath}/${escapePointer(String(parameters.missingProperty))}`,
        expected: 'a value (required)',
        found: 'nothing',
      };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(parameters.additionalProperty ?? parameters.unevaluatedProperty);
      return {
        pointer: `${error.instancePath}/${escapePointer(name)}`,
        expected: 'no such property',
        found: show(name),
      };
    }
    case 'type':
      return { pointer: error.instancePath, expected: String(parameters.type), found: show(error.data) };
    case 'enum':
      return {
        pointer: error.instancePath,
        expected: `one of ${show(parameters.allowedValues)}`,
        found: show(error.data),
      };
    case 'const':
      return { pointer: error.instancePath, expected: show(parameters.allowedValue), found: show(error.data) };
    case 'format':
      return {
        pointer: error.instancePath,
        expected: expectFormat(String(parameters.format)),
        found: show(error.data),
      };
    default:
      return {
        pointer: error.instancePath,
        expected: (error.message ?? error.keyword).replace(/^must (be )?/, ''),
        found: show(error.data),
      };
  }
}

function expectFormat(format: string): string {
  return format === 'date-time' ? 'ISO 8601, e.g. 2024-06-20T10:00:00Z' : `format ${format}`;
}

function show(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length <= 120 ? json : `${json.slice(0, 119).toWellFormed()}…`;
}
