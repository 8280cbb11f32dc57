import type { Ajv as AjvType, ErrorObject, ValidateFunction } from 'ajv';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { findEndlessReferences } from './find-endless-references.ts';
import { findSchemaParts, type SchemaParts } from './find-schema-parts.ts';

/** What is wrong with a schema, at a pointer into it. */
interface SchemaFault {
  readonly pointer: string;
  readonly found: string;
  readonly expected: string;
  readonly nearest?: string;
  /** The reference leads back to itself without end. */
  readonly reason?: 'endless';
}

/** Judges JSON Schemas (draft-07 and 2020-12) as such; no value is checked by them here. */
export interface SchemaChecker {
  /** Empty = valid. */
  check(schema: JsonObject): readonly SchemaFault[];
}

type Dialect = 'draft-07' | '2020-12';

/** What `$schema` is in the form that every validator knows. */
export const canonicalDialects: ReadonlyMap<Dialect, string> = new Map([
  ['draft-07', 'http://json-schema.org/draft-07/schema#'],
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
]);

/**
 * Loads the schema library. A schema is held against the meta-schema of its dialect, which takes microseconds; only
 * one with references or other things that the meta-schema cannot judge is compiled, which takes milliseconds.
 * Nothing is ever fetched: a reference that leads out of the schema is a fault.
 */
export async function createSchemaChecker(): Promise<SchemaChecker> {
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const create = (dialect: Dialect): AjvType => {
    // Schemas are held against their meta-schema by hand, which is compiled once.
    const options = { allErrors: true, strict: false, logger: false, validateSchema: false } as const;
    const library = (dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options)) as AjvType;
    formats.default.default(library);
    return library;
  };
  const metaSchemas = new Map<Dialect, ValidateFunction>();
  const metaSchemaOf = (dialect: Dialect): ValidateFunction => {
    let validate = metaSchemas.get(dialect);
    if (validate === undefined) {
      validate = create(dialect).getSchema(canonicalDialects.get(dialect) ?? '');
      if (validate === undefined) throw new Error(`the schema library lacks the meta-schema of ${dialect}`);
      metaSchemas.set(dialect, validate);
    }
    return validate;
  };
  return {
    check(schema) {
      const dialect = dialectOf(schema.$schema);
      if (dialect === undefined) {
        const expected = [...canonicalDialects.values()].join(' | ');
        return [{ pointer: '/$schema', found: showValue(schema.$schema), expected }];
      }
      const ofMeta = checkByMetaSchema(metaSchemaOf(dialect), schema);
      if (ofMeta.length > 0) return ofMeta;
      const parts = findSchemaParts(schema);
      const ofParts = [
        ...checkPatterns(parts),
        ...checkReferences(schema, parts),
        ...checkEndless(schema, parts),
        ...checkAsync(parts),
      ];
      if (ofParts.length > 0 || !parts.needsCompiling) return ofParts;
      // A library of its own: identifiers inside one schema must not be known to the next.
      return checkByCompiling(create(dialect), schema, parts);
    },
  };
}

/** The dialect that a `$schema` names; none = 2020-12. */
export function dialectOf(declared: Json | undefined): Dialect | undefined {
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return undefined;
  const address = declared.replace(/^https?:\/\//, '').replace(/#$/, '');
  if (address === 'json-schema.org/draft-07/schema') return 'draft-07';
  return address === 'json-schema.org/draft/2020-12/schema' ? '2020-12' : undefined;
}

function checkByMetaSchema(validate: ValidateFunction, schema: JsonObject): readonly SchemaFault[] {
  if (validate(schema)) return [];
  const byPointer = new Map<string, ErrorObject>();
  for (const error of validate.errors ?? []) {
    // Alternatives fail together (`type` is none of the names, nor a list): the first says most.
    if (!byPointer.has(error.instancePath)) byPointer.set(error.instancePath, error);
  }
  const pointers = [...byPointer.keys()];
  return [...byPointer.values()]
    .filter(({ instancePath }) => !pointers.some((other) => other.startsWith(`${instancePath}/`)))
    .map((error) => describe(error, valueAt(schema, error.instancePath)));
}

function describe(error: ErrorObject, value: Json | undefined): SchemaFault {
  const fault = { pointer: error.instancePath, found: showValue(value) };
  const allowed: unknown = error.keyword === 'enum' ? error.params.allowedValues : undefined;
  if (!Array.isArray(allowed)) return { ...fault, expected: showExpected(error) };
  const expected = allowed.map((one) => JSON.stringify(one)).join(' | ');
  const nearest = typeof value === 'string' ? nearestNames(value, allowed.map(String), 1)[0] : undefined;
  return nearest === undefined ? { ...fault, expected } : { ...fault, expected, nearest };
}

/** The broken rule in notation, not in the library's English. */
function showExpected({ keyword, params }: ErrorObject): string {
  if (keyword === 'type') return [params.type].flat().join(' | ').replaceAll(',', ' | ');
  return showText(`${keyword} ${JSON.stringify(params)}`);
}

/** Patterns are used as validators use them: with the flag `u`, which refuses needless escapes such as `\-`. */
function checkPatterns(parts: SchemaParts): readonly SchemaFault[] {
  return parts.patterns.flatMap(({ pointer, value }) => {
    try {
      new RegExp(value, 'u');
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ pointer, found: showValue(value), expected: `RegExp, flag u (${showText(reason)})` }];
    }
  });
}

function checkReferences(schema: JsonObject, parts: SchemaParts): readonly SchemaFault[] {
  // Identifiers inside the schema change what references mean: that is the library's to judge.
  if (parts.hasIds) return [];
  return parts.references.flatMap(({ pointer, value }) => {
    const resolves =
      value === '#' ||
      (value.startsWith('#/') && valueAt(schema, decodeFragment(value.slice(1))) !== undefined) ||
      (value.startsWith('#') && parts.anchors.has(value.slice(1)));
    return resolves ? [] : [{ pointer, found: showValue(value), expected: '#/…' }];
  });
}

/** Such a schema checks a value by checking that value, and never comes to an end. */
function checkEndless(schema: JsonObject, parts: SchemaParts): readonly SchemaFault[] {
  if (parts.references.length === 0) return [];
  return findEndlessReferences(schema).map(({ pointer, value }) => ({
    pointer,
    found: showValue(value),
    expected: '',
    reason: 'endless',
  }));
}

/** Such a schema would be checked after the answer is used. */
function checkAsync(parts: SchemaParts): readonly SchemaFault[] {
  return parts.async.map((pointer) => ({ pointer, found: '$async', expected: '{ $async?: undefined }' }));
}

function checkByCompiling(library: AjvType, schema: JsonObject, parts: SchemaParts): readonly SchemaFault[] {
  const { $schema: _, ...bare } = schema;
  try {
    library.compile(bare);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The library names the reference in a sentence; the longest that occurs there is meant.
    const [reference] = parts.references
      .filter(({ value }) => reason.includes(value))
      .sort((a, b) => b.value.length - a.value.length);
    return [
      {
        pointer: reference?.pointer ?? '',
        found: showValue(reference?.value ?? schema),
        expected: showText(reason.slice(0, 200)),
      },
    ];
  }
}

function valueAt(schema: JsonObject, pointer: string): Json | undefined {
  let value: Json = schema;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name] as Json;
  }
  return value;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
