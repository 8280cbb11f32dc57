import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../contracts/json.ts';
import { createSchemaChecker } from './create-schema-checker.ts';

const draft7 = 'http://json-schema.org/draft-07/schema#';
const checker = await createSchemaChecker();

/** Pointers of the faults. */
function faultsOf(schema: JsonObject): readonly string[] {
  return checker.check(schema).map((fault) => fault.pointer);
}

describe('createSchemaChecker', () => {
  it.each<[string, JsonObject]>([
    ['an empty schema', {}],
    ['formats that nobody knows', { type: 'string', format: 'phone-number' }],
    ['keywords that nobody knows', { type: 'object', 'x-order': 3 }],
    ['2020-12 by its address', { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{}] }],
    ['draft-07 by its address', { $schema: draft7, items: [{ type: 'string' }, {}] }],
    ['draft-07 by other spellings', { $schema: 'https://json-schema.org/draft-07/schema', items: [{}] }],
    [
      'references inside',
      { $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' },
    ],
    ['a reference to itself', { properties: { child: { $ref: '#' } } }],
    ['escaped references', { definitions: { 'a/b %': {} }, $ref: '#/definitions/a~1b%20%25' }],
    ['anchors', { $defs: { a: { $anchor: 'here' } }, $ref: '#here' }],
    ['identifiers of draft-07', { $schema: draft7, definitions: { a: { $id: '#here' } }, $ref: '#here' }],
    ['an identifier', { $id: 'https://example.org/a', $defs: { b: { $id: 'b' } }, $ref: 'b' }],
    [
      'properties that are named like keywords',
      { properties: { $ref: { type: 'string' }, pattern: { type: 'string' } } },
    ],
    [
      'values that look like schemas',
      { const: { $ref: '#/nowhere' }, default: { pattern: '(' }, enum: [{ $id: '(' }] },
    ],
    ['properties of the prototype', { properties: JSON.parse('{"constructor":{},"__proto__":{"type":"string"}}') }],
  ])('accepts %s', (_, schema) => {
    expect(checker.check(schema)).toEqual([]);
    // The same identifiers again: nothing is kept from one schema to the next.
    expect(checker.check(structuredClone(schema))).toEqual([]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a wrong type', { properties: { city: { type: 'strin' } } }, ['/properties/city/type']],
    [
      'every fault',
      { type: 'objekt', required: 'city', properties: { 'a/b': { minimum: '1' } } },
      ['/type', '/required', '/properties/a~1b/minimum'],
    ],
    ['a wrong type in one of two alternatives', { $schema: draft7, items: { type: 'strin' } }, ['/items/type']],
    ['a list of properties', { properties: [] }, ['/properties']],
    [
      'a pattern',
      { properties: { a: { pattern: '(' } }, patternProperties: { '[': {} } },
      ['/properties/a/pattern', '/patternProperties/['],
    ],
    ['an escape that the flag u refuses', { pattern: '\\-' }, ['/pattern']],
    ['a reference to itself without end', { type: 'object', allOf: [{ $ref: '#' }] }, ['/allOf/0/$ref']],
    ['references to nothing', { $ref: '#/a', allOf: [{ $ref: '#b' }] }, ['/$ref', '/allOf/0/$ref']],
    ['references to the prototype', { $ref: '#/constructor' }, ['/$ref']],
    [
      'references out of the schema',
      { properties: { a: { $ref: 'https://example.org/a.json' } } },
      ['/properties/a/$ref'],
    ],
    ['references to neighbours', { properties: { a: { $ref: 'other.json#/b' } } }, ['/properties/a/$ref']],
    ['lists as items in 2020-12', { properties: { a: { items: [{}] } } }, ['/properties/a/items']],
    ['an unknown dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, ['/$schema']],
    ['a dialect that is no text', { $schema: 7 }, ['/$schema']],
    ['checking in the background', { properties: { a: { $async: true } } }, ['/properties/a/$async']],
    ['an old identifier', { properties: { a: { id: 'a' } } }, ['']],
    ['nullable without a type', { properties: { a: { nullable: true } } }, ['']],
    ['an empty list of values', { enum: [] }, ['']],
  ])('refuses %s', (_, schema, pointers) => {
    expect([...faultsOf(schema)].sort()).toEqual([...pointers].sort());
  });

  it('says what was found, what is expected and what was probably meant', () => {
    expect(checker.check({ properties: { city: { type: 'strin' } } })).toEqual([
      {
        pointer: '/properties/city/type',
        found: '"strin"',
        expected: '"array" | "boolean" | "integer" | "null" | "number" | "object" | "string"',
        nearest: 'string',
      },
    ]);
  });
});
