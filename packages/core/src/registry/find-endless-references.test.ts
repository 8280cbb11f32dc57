import { expect, it } from 'vitest';
import type { JsonObject } from '../contracts/json.ts';
import { findEndlessReferences } from './find-endless-references.ts';

it.each<[string, JsonObject, string[]]>([
  ['the whole schema', { $ref: '#' }, ['/$ref']],
  ['one of all', { type: 'object', allOf: [{ $ref: '#' }] }, ['/allOf/0/$ref']],
  ['an alternative', { anyOf: [{ type: 'string' }, { $ref: '#' }] }, ['/anyOf/1/$ref']],
  ['a condition', { if: { $ref: '#' } }, ['/if/$ref']],
  ['a dependency', { dependentSchemas: { a: { $ref: '#' } } }, ['/dependentSchemas/a/$ref']],
  ['a detour', { $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } }, ['/$defs/b/not/$ref']],
  ['an anchor', { $defs: { a: { $anchor: 'q', oneOf: [{ $ref: '#q' }] } } }, ['/$defs/a/oneOf/0/$ref']],
  ['an identifier', { $id: 'https://a.b/c', allOf: [{ $ref: 'https://a.b/c' }] }, ['/allOf/0/$ref']],
  ['an escaped name', { $defs: { 'a b': { allOf: [{ $ref: '#/$defs/a%20b' }] } } }, ['/$defs/a b/allOf/0/$ref']],
  [
    'a property named default',
    { properties: { default: { $ref: '#/properties/default' } } },
    ['/properties/default/$ref'],
  ],
])('finds %s', (_, schema, pointers) => {
  expect(findEndlessReferences(schema).map(({ pointer }) => pointer)).toEqual(pointers);
});

it.each<[string, JsonObject]>([
  ['trees', { properties: { child: { $ref: '#' }, list: { items: { $ref: '#' } } } }],
  [
    'lists',
    { $defs: { n: { anyOf: [{ type: 'null' }, { properties: { x: { $ref: '#/$defs/n' } } }] } }, $ref: '#/$defs/n' },
  ],
  ['what is used twice', { $defs: { a: {} }, allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }],
  ['values that look like schemas', { const: { $ref: '#' }, enum: [{ allOf: [{ $ref: '#' }] }] }],
  ['then without if', JSON.parse('{ "then": { "$ref": "#" } }')],
  ['references that lead nowhere', { $ref: '#/a', allOf: [{ $ref: '#b' }, { $ref: 'http://[' }] }],
])('accepts %s', (_, schema) => {
  expect(findEndlessReferences(schema)).toEqual([]);
});
