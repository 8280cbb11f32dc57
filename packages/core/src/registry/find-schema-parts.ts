import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';

/** A text in a schema and where it stands. */
interface SchemaText {
  readonly pointer: string;
  readonly value: string;
}

/** What of a schema the meta-schema cannot judge. */
export interface SchemaParts {
  readonly patterns: readonly SchemaText[];
  readonly references: readonly SchemaText[];
  readonly anchors: ReadonlySet<string>;
  /** Places that declare `$async`. */
  readonly async: readonly string[];
  readonly hasIds: boolean;
  /** Holds a keyword that only compiling proves right. */
  readonly needsCompiling: boolean;
}

const HOLDS_SCHEMAS_BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

const HOLDS_SCHEMAS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** Keywords that validators refuse or read in ways of their own. */
const NEEDS_COMPILING: ReadonlySet<string> = new Set([...REFERENCES, '$id', 'id', 'nullable', 'discriminator']);

/**
 * Walks a schema where schemas stand (not in `enum`, `const`, `default` or `examples`) and gathers what has to be
 * judged beyond the meta-schema. The schema must already fit its meta-schema.
 */
export function findSchemaParts(schema: JsonObject): SchemaParts {
  const patterns: SchemaText[] = [];
  const references: SchemaText[] = [];
  const anchors = new Set<string>();
  const async: string[] = [];
  let hasIds = false;
  let needsCompiling = false;

  const path: string[] = [];
  const here = (): string => path.map((name) => `/${escapePointer(name)}`).join('');
  const inside = (name: string, visit: () => void): void => {
    path.push(name);
    visit();
    path.pop();
  };
  const walk = (value: Json): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) inside(String(index), () => walk(item));
    } else if (isObject(value)) {
      for (const [keyword, member] of Object.entries(value)) inside(keyword, () => visit(keyword, member));
    }
  };
  const visit = (keyword: string, member: Json): void => {
    if (NEEDS_COMPILING.has(keyword)) needsCompiling = true;
    if (keyword === '$id') hasIds = true;
    if (keyword === '$async') async.push(here());
    if (keyword === 'enum' && Array.isArray(member) && member.length === 0) needsCompiling = true;
    if (typeof member === 'string') {
      if (keyword === 'pattern') patterns.push({ pointer: here(), value: member });
      else if (REFERENCES.has(keyword)) references.push({ pointer: here(), value: member });
      else if (keyword === '$anchor' || keyword === '$dynamicAnchor') anchors.add(member);
    }
    if (HOLDS_SCHEMAS.has(keyword)) walk(member);
    else if (HOLDS_SCHEMAS_BY_NAME.has(keyword) && isObject(member)) {
      for (const [name, named] of Object.entries(member)) {
        inside(name, () => {
          if (keyword === 'patternProperties') patterns.push({ pointer: here(), value: name });
          walk(named);
        });
      }
    }
  };
  walk(schema);
  return { patterns, references, anchors, async, hasIds, needsCompiling };
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
