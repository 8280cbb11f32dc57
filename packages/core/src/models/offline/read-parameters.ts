export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** One parameter of a tool, as its JSON Schema tells. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** Empty = any. */
  readonly types: ReadonlySet<JsonType>;
  /** The same for the elements, where it is an array. */
  readonly itemTypes: ReadonlySet<JsonType>;
}

type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
const JSON_TYPES: ReadonlySet<unknown> = new Set<JsonType>([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
]);

/** The parameters of a tool by name, in the order of its schema. Reads any value, schema or not. */
export function readParameters(inputSchema: unknown): ReadonlyMap<string, Parameter> {
  const root = asSchema(inputSchema);
  const properties = asSchema(root.properties);
  const required = new Set(Array.isArray(root.required) ? root.required : []);
  return new Map(
    Object.entries(properties).map(([name, schema]) => {
      const items = new SchemaWalk(root).itemsOf(schema, 0);
      const parameter = {
        name,
        required: required.has(name),
        types: new SchemaWalk(root).typesOf(schema),
        itemTypes: new SchemaWalk(root).typesOf(items),
      };
      return [name, parameter];
    }),
  );
}

/** One look through a schema. Each reference is followed once, so that circles and fans of references end. */
class SchemaWalk {
  readonly #root: Schema;
  readonly #followed = new Set<string>();

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Empty = any. */
  typesOf(schema: unknown): ReadonlySet<JsonType> {
    const types = new Set<JsonType>();
    return this.#collect(schema, types, 0) ? types : new Set();
  }

  /** The schema of an array's elements, wherever it stands. */
  itemsOf(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) return undefined;
    const schema = asSchema(value);
    if (schema.items !== undefined) return schema.items;
    if (typeof schema.$ref === 'string') return this.itemsOf(this.#follow(schema.$ref), depth + 1);
    const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as unknown[] | undefined;
    return choices?.map((choice) => this.itemsOf(choice, depth + 1)).find((items) => items !== undefined);
  }

  /** Adds the types that a schema names. False when some part of it allows any. */
  #collect(value: unknown, types: Set<JsonType>, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    const schema = asSchema(value);
    const { type, $ref } = schema;
    if (type !== undefined) {
      for (const one of Array.isArray(type) ? type : [type]) if (JSON_TYPES.has(one)) types.add(one as JsonType);
      return true;
    }
    if (typeof $ref === 'string')
      return this.#followed.has($ref) || this.#collect(this.#follow($ref), types, depth + 1);
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as unknown[] | undefined;
    if (choices !== undefined && choices.length > 0) {
      return choices.map((choice) => this.#collect(choice, types, depth + 1)).every(Boolean);
    }
    const values = 'const' in schema ? [schema.const] : schema.enum;
    if (Array.isArray(values) && values.length > 0) {
      for (const one of values) types.add(typeOf(one));
      return true;
    }
    return Array.isArray(schema.allOf) && schema.allOf.some((one) => this.#collect(one, types, depth + 1));
  }

  /** Local references only: `#/$defs/Name`. */
  #follow(reference: string): unknown {
    if (this.#followed.has(reference) || !reference.startsWith('#/')) return undefined;
    this.#followed.add(reference);
    let current: unknown = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const schema = asSchema(current);
      if (!Object.hasOwn(schema, name)) return undefined;
      current = schema[name];
    }
    return current;
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return 'object';
    default:
      return 'string';
  }
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
