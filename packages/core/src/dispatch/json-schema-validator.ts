import { createContext, Script } from 'node:vm';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Digest } from '../contracts/digest.ts';
import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import { bareCopy, takeDefaults } from './bare-copy.ts';

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

interface CompiledSchema {
  /** Stops at the first fault. Fills defaults in. */
  readonly validate: ValidateFunction;
  /** Finds all faults; compiled when the first value has one. */
  explain?: ValidateFunction;
  /** A value may keep the check busy for much longer than its size suggests. */
  readonly risky: boolean;
  /** It has a property with a name that every object inherits. */
  readonly inherited: boolean;
}

/** Compiled schemas take memory: beyond this number all are dropped, and compiled again when needed. */
const COMPILED_AT_MOST = 5_000;

/** Milliseconds. Checks run in the host, where nothing else goes on meanwhile. */
const CHECK_LIMIT_MS = 500;
const COMPILE_LIMIT_MS = 5_000;

/** Characters of JSON. Of a larger value only the first fault is told: each one found takes memory. */
const EXPLAINED_CHARS = 100_000;

/**
 * Loads the schema library (a quarter of this package's start, so only when the first call needs it).
 * Schemas are compiled on first use and kept by key. A check that takes too long (`pattern` and `uniqueItems` can be
 * made to) is given up and counts as a fault.
 */
export async function createJsonSchemaValidator(): Promise<JsonSchemaValidator> {
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const guard = createGuard();
  const create = (draft7: boolean, allErrors: boolean, addUsedSchema: boolean) => {
    const options = {
      allErrors,
      addUsedSchema,
      strict: false,
      useDefaults: true,
      verbose: true,
      // A parameter may be called `constructor`: what an object inherits is none of its members.
      ownProperties: true,
      // The registry has held every schema of the table against its meta-schema already.
      validateSchema: false,
      logger: false,
    } as const;
    const ajv = draft7 ? new Ajv(options) : new Ajv2020(options);
    formats.default.default(ajv);
    return ajv;
  };
  const shared = new Map<string, ReturnType<typeof create>>();
  const compile = (schema: JsonObject, allErrors: boolean): ValidateFunction => {
    const draft7 = String(schema.$schema ?? '').includes('draft-07');
    // Schemas that refer by name get an instance of their own: names of one tool must not be seen by another.
    if (refers(schema)) return guard(COMPILE_LIMIT_MS, () => create(draft7, allErrors, true).compile(schema));
    const key = `${draft7} ${allErrors}`;
    let ajv = shared.get(key);
    if (ajv === undefined) {
      ajv = create(draft7, allErrors, false);
      shared.set(key, ajv);
    }
    const instance = ajv;
    return guard(COMPILE_LIMIT_MS, () => instance.compile(schema));
  };

  const compiled = new Map<string, CompiledSchema>();
  const compiledOf = (key: string, schema: JsonObject): CompiledSchema => {
    let known = compiled.get(key);
    if (known === undefined) {
      if (compiled.size >= COMPILED_AT_MOST) compiled.clear();
      known = { validate: compile(schema, false), risky: isRisky(schema), inherited: namesInherited(schema) };
      compiled.set(key, known);
    }
    return known;
  };
  return {
    check(key, schema, value) {
      try {
        const known = compiledOf(key, schema);
        const { validate, risky, inherited } = known;
        const subject = inherited ? bareCopy(value) : value;
        if (risky ? guard(CHECK_LIMIT_MS, () => validate(subject)) : validate(subject)) {
          if (inherited) takeDefaults(value, subject);
          return [];
        }
        const first = (validate.errors ?? []).filter(isTelling).map(describe);
        if (JSON.stringify(value).length > EXPLAINED_CHARS) return first;
        known.explain ??= compile(schema, true);
        const { explain } = known;
        guard(CHECK_LIMIT_MS, () => explain(subject));
        return (explain.errors ?? []).filter(isTelling).map(describe);
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        return [{ pointer: '', expected: text('dispatch.expect-quick', { limitMs: CHECK_LIMIT_MS }), found: NOTHING }];
      }
    },
  };
}

/** Runs synchronous work with a time limit; throws `ERR_SCRIPT_EXECUTION_TIMEOUT` at its end. */
function createGuard(): <Result>(limitMs: number, work: () => Result) => Result {
  const context: { run?: () => unknown } = createContext({});
  const script = new Script('run()');
  return <Result>(limitMs: number, work: () => Result): Result => {
    context.run = work;
    try {
      return script.runInContext(context, { timeout: limitMs }) as Result;
    } finally {
      context.run = () => undefined;
    }
  };
}

/** Keywords whose check can take more than linear time. */
function isRisky(schema: JsonObject): boolean {
  const keywords = /"(pattern|patternProperties|uniqueItems|\$ref|\$dynamicRef|anyOf|oneOf|allOf|if|not|contains)"/;
  return keywords.test(JSON.stringify(schema));
}

const INHERITED = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

function namesInherited(schema: JsonObject): boolean {
  return INHERITED.test(JSON.stringify(schema));
}

/** The key of a tool's schema for {@link JsonSchemaValidator.check}. */
export function schemaKey(definition: Digest, which: 'input' | 'output'): string {
  return `${which} ${definition}`;
}

/** Does the schema name a part of itself or of another? An upper bound: the words may also stand in its data. */
function refers(schema: JsonObject): boolean {
  return /"(\$ref|\$id|\$anchor|\$dynamicRef|\$recursiveRef)"/.test(JSON.stringify(schema));
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
