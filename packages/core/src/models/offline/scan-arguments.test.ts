import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ScannedArgument, scanArguments } from './scan-arguments.ts';

function word(key: string | undefined, value: string, quoted = false): ScannedArgument {
  return { key, value, quoted };
}

describe('words of a command', () => {
  test.each<[string, string, ScannedArgument[]]>([
    ['nothing', '  \n ', []],
    ['a pair', 'city=Beijing', [word('city', 'Beijing')]],
    ['a pair in Han', '城市=北京', [word('城市', '北京')]],
    ['full-width sign and blank', 'city＝北京　days=3', [word('city', '北京'), word('days', '3')]],
    ['no value', 'note= next', [word('note', ''), word(undefined, 'next')]],
    ['a second sign', 'formula=a=b', [word('formula', 'a=b')]],
    ['double quotation marks', 'text="a \\"b\\" c"', [word('text', 'a "b" c', true)]],
    ['single quotation marks', "text='it\\'s \"so\"'", [word('text', 'it\'s "so"', true)]],
    [
      'Chinese quotation marks',
      'text=“你好 “world” x=‘a b’',
      [word('text', '你好 “world', true), word('x', 'a b', true)],
    ],
    ['escapes', 'a="x\\n\\t\\\\\\u4f60\\/"', [word('a', 'x\n\t\\你/', true)]],
    [
      'backslashes without meaning',
      'a="C:\\Users\\x" b="\\u12"',
      [word('a', 'C:\\Users\\x', true), word('b', '\\u12', true)],
    ],
    ['line breaks in quotation marks', 'a="1\n2"\nb=3', [word('a', '1\n2', true), word('b', '3')]],
    ['an apostrophe within a word', "it's fine", [word(undefined, "it's"), word(undefined, 'fine')]],
    ['quotation marks never closed', 'a="b c=d', [word('a', 'b c=d', true)]],
    ['text that touches quotation marks', 'a="b c"d e', [word('a', 'b cd', true), word(undefined, 'e')]],
    ['JSON', 'a={"x y": [1, "}"]} b=[1, 2]', [word('a', '{"x y": [1, "}"]}'), word('b', '[1, 2]')]],
    ['brackets that are no JSON', 'a=[hi there] b={x', [word('a', '[hi there]'), word('b', '{x')]],
    ['brackets never closed', 'a={"b": 1 c=2', [word('a', '{"b": 1 c=2')]],
    ['a name in quotation marks', '"a b"="c"', [word('a b', 'c', true)]],
    ['an address', 'https://host/?q=1', [word(undefined, 'https://host/?q=1')]],
    ['names with dots, digits and hyphens', 'a.b-2=1', [word('a.b-2', '1')]],
    ['a sign alone', '= =x', [word(undefined, '='), word(undefined, '=x')]],
    ['names of Object', '__proto__=1 constructor=2', [word('__proto__', '1'), word('constructor', '2')]],
  ])('%s', (_name, input, expected) => {
    expect(scanArguments(input)).toEqual(expected);
  });

  test('give back every name and value that stands in quotation marks', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), (pairs) => {
        const command = pairs.map(([key, value]) => `${JSON.stringify(key)}=${JSON.stringify(value)}`).join(' ');
        expect(scanArguments(command)).toEqual(pairs.map(([key, value]) => word(key, value, true)));
      }),
    );
  });

  test('never throw and never get lost', () => {
    const unit = fc.constantFrom(...'ab=＝"\'“”‘’{}[]\\u \n　1'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (command) => {
        const length = scanArguments(command).reduce((sum, { key = '', value }) => sum + key.length + value.length, 0);
        expect(length).toBeLessThanOrEqual(command.length);
      }),
    );
  });
});
