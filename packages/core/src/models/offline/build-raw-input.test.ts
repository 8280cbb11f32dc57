import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildRawInput } from './build-raw-input.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    factor: { type: 'number' },
    exact: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'number' } },
    place: { type: 'object' },
    id: { type: ['string', 'integer'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    mode: { enum: ['fast', 'slow'] },
    level: { enum: [1, 2] },
    unit: { $ref: '#/$defs/unit' },
    node: { $ref: '#/$defs/node' },
    lines: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/unit' } }, { type: 'null' }] },
    any: {},
  },
  required: ['city'],
  $defs: {
    unit: { type: 'string' },
    node: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }, { type: 'string' }] },
  },
};

describe('arguments of a command', () => {
  test.each<[string, string, string]>([
    ['none', '', '{}'],
    ['a text stays one', 'city=5', '{"city":"5"}'],
    ['a text that says null', 'city=null', '{"city":"null"}'],
    ['an integer', 'days=3', '{"days":3}'],
    ['an integer in quotation marks', 'days="3"', '{"days":3}'],
    ['an integer that is none', 'days=three', '{"days":"three"}'],
    ['a number that no JSON is', 'days=007', '{"days":"007"}'],
    ['a number with all its digits', 'factor=12345678901234567890.10', '{"factor":12345678901234567890.10}'],
    ['an exponent', 'factor=-1.5e3', '{"factor":-1.5e3}'],
    ['a truth', 'exact=true', '{"exact":true}'],
    ['a truth that is none', 'exact=yes', '{"exact":"yes"}'],
    ['a list as JSON', 'tags=["a","b"]', '{"tags":["a","b"]}'],
    ['a list by repetition', 'tags=a tags=2 tags="c d"', '{"tags":["a","2","c d"]}'],
    ['a list of numbers by repetition', 'numbers=1 numbers=2', '{"numbers":[1,2]}'],
    ['a list that is none', 'tags=a', '{"tags":"a"}'],
    ['an object as JSON', 'place={"a":[1]}', '{"place":{"a":[1]}}'],
    ['an object that is none', 'place={a}', '{"place":"{a}"}'],
    ['a long id where a number is welcome', 'id=12345678901234567890', '{"id":12345678901234567890}'],
    ['a long id as text', 'id="12345678901234567890"', '{"id":"12345678901234567890"}'],
    ['a text or nothing: nothing', 'note=null', '{"note":null}'],
    ['a text or nothing: text', 'note=5', '{"note":"5"}'],
    ['one of several words', 'mode=fast', '{"mode":"fast"}'],
    ['one of several numbers', 'level=1', '{"level":1}'],
    ['a referenced type', 'unit=5', '{"unit":"5"}'],
    ['a type that refers to itself', 'node=5', '{"node":"5"}'],
    ['a list behind a choice', 'lines=1 lines=2', '{"lines":["1","2"]}'],
    ['anything', 'any=5 city=x', '{"any":5,"city":"x"}'],
    ['anything in quotation marks', 'any="5"', '{"any":"5"}'],
    ['a parameter that the schema lacks', 'other=true', '{"other":true}'],
    ['the later of two', 'days=1 days=2', '{"days":2}'],
    ['JSON as it stands', '{"days": 12345678901234567890, "x":', '{"days": 12345678901234567890, "x":'],
    ['a value without a name', 'Beijing', '{"city":"Beijing"}'],
    ['a value in quotation marks without a name', '"New  York"', '{"city":"New  York"}'],
    ['several words without a name', 'New  York City', '{"city":"New  York City"}'],
    ['a value without a name beside another', 'Beijing days=2', '{"days":2,"city":"Beijing"}'],
    ['names of Object', '__proto__=1 constructor=x', '{"__proto__":1,"constructor":"x"}'],
  ])('%s', (_name, rest, expected) => {
    expect(buildRawInput(rest, schema)).toEqual({ rawInput: expected });
  });

  test.each<[string, string, object]>([
    ['several words beside a pair', 'New York days=2', schema],
    ['a parameter that has its value', 'city=a b', { type: 'object', properties: { city: { type: 'string' } } }],
    ['no parameter', 'x', { type: 'object', properties: {} }],
    ['two required parameters', 'x', { properties: { a: {}, b: {} }, required: ['a', 'b'] }],
    ['two optional parameters', 'x', { properties: { a: {}, b: {} } }],
    ['no schema', 'x', []],
  ])('cannot be told with %s', (_name, rest, inputSchema) => {
    expect(buildRawInput(rest, inputSchema).stray).toBeTypeOf('string');
  });

  test('words without names fill the only list', () => {
    const sum = { properties: { numbers: { type: 'array', items: { type: 'number' } } } };
    expect(buildRawInput('1 2 3', sum).rawInput).toBe('{"numbers":[1,2,3]}');
    expect(buildRawInput('[1, 2]', sum).rawInput).toBe('{"numbers":[1, 2]}');
  });

  test('are always JSON, and texts come through unchanged', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { maxLength: 5, selector: ([key]) => key }), (pairs) => {
        const rest = pairs.map(([key, value]) => `${JSON.stringify(key)}=${JSON.stringify(value)}`).join(' ');
        const properties = Object.fromEntries(pairs.map(([key]) => [key, { type: 'string' }]));
        const parsed = JSON.parse(buildRawInput(rest, { type: 'object', properties }).rawInput) as object;
        expect(Object.entries(parsed).sort()).toEqual(pairs.toSorted());
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=" {}[]1.-\\'.split('')), maxLength: 40 }), (rest) => {
        const trimmed = rest.trim();
        fc.pre(!trimmed.startsWith('{'));
        expect(() => JSON.parse(buildRawInput(trimmed, schema).rawInput)).not.toThrow();
      }),
    );
  });
});
