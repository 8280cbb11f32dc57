import type { EntryKind } from '../contracts/code-host.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { isStandardSchema } from './is-standard-schema.ts';
import type { StandardSchema } from './standard-schema.ts';
import { tokenMark } from './token.ts';

/** A definition as plain data. What could not be said in JSON is named in `faults`, by field. */
export interface DefinitionDescription {
  readonly fields: JsonObject;
  /** The schema of its input (a tool) or configuration (a plugin) validates beyond the JSON Schema that describes it. */
  readonly ownValidator: boolean;
  /** Texts that are too long for fields: `body` of a skill. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly faults: readonly DescriptionFault[];
}

export interface DescriptionFault {
  readonly kind:
    | 'not-json'
    | 'old-zod'
    | 'not-representable'
    | 'no-execute'
    | 'not-a-function'
    | 'not-tokens'
    | 'no-body';
  readonly field: string;
  /** What was found, or what the schema library said. */
  readonly found: string;
}

/** What a field holds beside plain data. */
type FieldForm = 'function' | 'input-schema' | 'output-schema' | 'tokens' | 'text-or-function' | 'body';

const FORMS: Readonly<Record<EntryKind | 'skill', ReadonlyMap<string, FieldForm>>> = {
  tool: new Map<string, FieldForm>([
    ['execute', 'function'],
    ['inputSchema', 'input-schema'],
    ['outputSchema', 'output-schema'],
    ['uses', 'tokens'],
  ]),
  'prompt-section': new Map([['content', 'text-or-function']]),
  hook: new Map([['handler', 'function']]),
  plugin: new Map<string, FieldForm>([
    ['setup', 'function'],
    ['config', 'input-schema'],
    ['provides', 'tokens'],
    ['uses', 'tokens'],
  ]),
  skill: new Map([['body', 'body']]),
};

/** Functions without which there is nothing to run. */
const REQUIRED: Readonly<Partial<Record<EntryKind | 'skill', string>>> = { tool: 'execute', hook: 'handler' };

// Taken before any code of authors runs, which may replace them.
const { parse, stringify } = JSON;

const JSON_SCHEMA_TARGET = 'draft-2020-12';

/**
 * Turns what an author defined into plain data: schemas become JSON Schema, tokens names, functions stay out. The
 * content of a prompt section that is a function is told as `dynamic: true`. Judges no values; the registry does.
 * Never throws, whatever getters or proxies the definition holds.
 *
 * @example
 * describeDefinition(defineHook({ on: 'error', handler() {} }), 'hook').fields // { on: 'error' }
 */
export function describeDefinition(definition: object, kind: EntryKind | 'skill'): DefinitionDescription {
  const description = new Description();
  const forms = FORMS[kind];
  for (const [field, value] of description.read(definition)) {
    if (value !== undefined) description.tell(field, value, forms.get(field));
  }
  const required = REQUIRED[kind];
  if (required !== undefined && !description.told.has(required)) description.miss(required, 'nothing');
  if (kind === 'skill' && !description.told.has('body')) {
    description.faults.push({ kind: 'no-body', field: 'body', found: 'nothing' });
  }
  const { fields, ownValidator, texts, faults } = description;
  return { fields, ownValidator, ...(texts.size === 0 ? {} : { texts: Object.fromEntries(texts) }), faults };
}

class Description {
  readonly fields: Record<string, Json> = Object.create(null) as Record<string, Json>;
  readonly texts = new Map<string, string>();
  readonly faults: DescriptionFault[] = [];
  readonly told = new Set<string>();
  ownValidator = false;

  *read(definition: object): Generator<readonly [field: string, value: unknown]> {
    let descriptors: Readonly<Record<string, PropertyDescriptor>>;
    try {
      descriptors = Object.getOwnPropertyDescriptors(definition);
    } catch {
      this.faults.push({ kind: 'not-json', field: '', found: 'a proxy that throws' });
      return;
    }
    for (const [field, { enumerable }] of Object.entries(descriptors)) {
      if (enumerable !== true) continue;
      let value: unknown;
      try {
        value = (definition as Record<string, unknown>)[field];
      } catch {
        this.faults.push({ kind: 'not-json', field, found: 'a getter that throws' });
        this.told.add(field);
        continue;
      }
      yield [field, value];
    }
  }

  tell(field: string, value: unknown, form: FieldForm | undefined): void {
    this.told.add(field);
    switch (form) {
      case 'function':
        if (typeof value !== 'function') this.miss(field, typeof value);
        return;
      case 'text-or-function':
        if (typeof value === 'function') this.fields.dynamic = true;
        else this.#tellPlain(field, value);
        return;
      case 'input-schema':
      case 'output-schema':
        this.#tellSchema(field, value, form);
        return;
      case 'tokens':
        this.#tellTokens(field, value);
        return;
      case 'body':
        if (typeof value === 'string') this.texts.set(field, value);
        else this.faults.push({ kind: 'no-body', field, found: typeof value });
        return;
      case undefined:
        this.#tellPlain(field, value);
    }
  }

  miss(field: string, found: string): void {
    this.faults.push({ kind: field === 'execute' ? 'no-execute' : 'not-a-function', field, found });
  }

  #tellPlain(field: string, value: unknown): void {
    try {
      const found = notJson(value, new Set());
      if (found === undefined) this.fields[field] = parse(stringify(value)) as Json;
      else this.faults.push({ kind: 'not-json', field: field + found.pointer, found: found.type });
    } catch {
      this.faults.push({ kind: 'not-json', field, found: 'a member that throws' });
    }
  }

  #tellSchema(field: string, value: unknown, form: 'input-schema' | 'output-schema'): void {
    if (!isStandardSchema(value)) {
      this.#tellPlain(field, value);
      return;
    }
    if (form === 'input-schema') this.ownValidator = true;
    const schema = this.#jsonSchemaOf(value, field, form);
    if (schema !== undefined) this.fields[field] = schema;
  }

  #jsonSchemaOf(schema: StandardSchema, field: string, form: 'input-schema' | 'output-schema'): Json | undefined {
    const standard = schema['~standard'];
    if (standard.jsonSchema === undefined) {
      this.faults.push({ kind: 'old-zod', field, found: standard.vendor });
      return undefined;
    }
    try {
      const convert = form === 'input-schema' ? standard.jsonSchema.input : standard.jsonSchema.output;
      return parse(stringify(convert({ target: JSON_SCHEMA_TARGET }))) as Json;
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      this.faults.push({ kind: 'not-representable', field, found });
      return undefined;
    }
  }

  #tellTokens(field: string, value: unknown): void {
    if (!Array.isArray(value)) {
      this.faults.push({ kind: 'not-tokens', field, found: typeof value });
      return;
    }
    const names: string[] = [];
    for (const [index, one] of value.entries()) {
      const name = tokenName(one);
      if (name !== undefined) names.push(name);
      else this.faults.push({ kind: 'not-tokens', field: `${field}/${index}`, found: typeof one });
    }
    this.fields[field] = names;
  }
}

/** The name that a token (of any copy of this package), or a plain text, stands for. */
function tokenName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const { name, [tokenMark]: mark } = value as { readonly name?: unknown; readonly [tokenMark]?: unknown };
    return mark === true && typeof name === 'string' ? name : undefined;
  } catch {
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
