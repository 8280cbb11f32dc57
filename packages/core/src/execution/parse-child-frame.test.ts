import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { executionLimits as limits } from './execution-limits.ts';
import { FrameError } from './frame-error.ts';
import { parseChildFrame } from './parse-child-frame.ts';

const problem = {
  code: 'LOAD_ERROR',
  file: 'a.ts:1:2',
  field: 'x',
  found: 'y',
  expected: 'z',
  message: { key: 'execution.load-error', values: { file: 'a.ts', reason: 'no', n: 1 } },
  hint: { key: 'execution.load-error-hint' },
  fatal: true,
};
const declaration = { fields: { description: 'x' }, ownValidator: true };

const added = { kind: 'tool', name: 'a', fields: { description: 'x' }, ownValidator: false };
const setUp = {
  added: [added, { kind: 'skill', name: '__proto__', fields: {}, ownValidator: false, texts: { body: '# \u0007' } }],
  provided: [{ token: 'lottery.db', remote: ['sync'] }],
  config: { a: 1 },
  problems: [problem],
};
const name201 = 'n'.repeat(limits.nameChars + 1);
const forgedSetUps: Readonly<Record<string, unknown>> = {
  'nothing in it': {},
  'more added than may be': { ...setUp, added: Array(limits.addedPerPlugin + 1).fill(added) },
  'more provided than may be': { ...setUp, provided: Array(limits.providedPerPlugin + 1).fill(setUp.provided[0]) },
  'more methods than may be': {
    ...setUp,
    provided: [{ token: 'a', remote: Array(limits.remotePerService + 1).fill('m') }],
  },
  'a name without end': { ...setUp, added: [{ ...added, name: name201 }] },
  'a token without end': { ...setUp, provided: [{ token: name201, remote: [] }] },
  'a method without end': { ...setUp, provided: [{ token: 'a', remote: [name201] }] },
  'an added agent': { ...setUp, added: [{ ...added, kind: 'agent' }] },
  'an added thing of an inherited kind': { ...setUp, added: [{ ...added, kind: 'constructor' }] },
  'fields that are a list': { ...setUp, added: [{ ...added, fields: [] }] },
  'a text that is none': { ...setUp, added: [{ ...added, texts: { body: 1 } }] },
  'no configuration': { ...setUp, config: undefined },
  'a configuration that is nothing but depth': { ...setUp, config: nested(1_000_000) },
  'a problem of an unknown text': { ...setUp, problems: [{ ...problem, message: { key: 'constructor' } }] },
  'problems without end': { ...setUp, problems: Array(limits.problemsPerEntry + 1).fill(problem) },
};

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

describe('parseChildFrame', () => {
  it.each([
    { type: 'ready' },
    { type: 'started', id: 'a1' },
    { type: 'pong', id: 'a1' },
    { type: 'described', id: 'a1', entry: { entry: 'a.ts', problems: [problem], declaration } },
    { type: 'described', id: 'a1', entry: { entry: 'a.ts', problems: [] } },
    { type: 'validated', id: 'a1', issues: [{ pointer: '/a', message: 'no' }] },
    { type: 'disposed', id: 'a1' },
    { type: 'set-up', id: 'a1', plugin: setUp },
    { type: 'context', id: 'a1', request: 2, operation: 'session-set', args: ['a\u0000', null] },
    { type: 'context', id: 'a1', request: 2, operation: 'service', args: ['__proto__', 'constructor', [{}]] },
    { type: 'result', id: 'a1', value: [], isParts: true },
    { type: 'error', id: 'a1', code: 'ACCESS_DENIED', message: 'x' },
    { type: 'error', id: 'a1', code: 'RATE_LIMITED', message: 'x' },
    { type: 'error', id: 'a1', code: 'NOT_PERMITTED', message: 'x' },
    { type: 'progress', id: 'a1', value: [1] },
    { type: 'log', id: 'a1', level: 'warn', message: 'x\ny' },
    { type: 'result', id: 'a1' },
    { type: 'result', id: 'a1', value: { __proto__: null } },
    { type: 'error', id: 'a1', code: 'EXECUTION_ERROR', message: 'x', hint: 'y', retryable: false, stack: 'z' },
  ])('takes $type', (frame) => {
    expect(parseChildFrame(JSON.parse(JSON.stringify(frame)))).toEqual(JSON.parse(JSON.stringify(frame)));
  });

  it.each<[string, unknown]>([
    ['no object', null],
    ['a list', [{ type: 'ready' }]],
    ['an unknown type', { type: 'constructor', id: 'a1' }],
    ['an inherited type', Object.create({ type: 'ready' })],
    ['no id', { type: 'started' }],
    ['an id as number', { type: 'started', id: 1 }],
    ['an id without end', { type: 'result', id: 'f'.repeat(33) }],
    ['a verdict of ours', { type: 'error', id: 'a1', code: 'OUTCOME_UNKNOWN', message: 'x' }],
    ['a message that is no text', { type: 'error', id: 'a1', code: 'EXECUTION_ERROR', message: {} }],
    ['an unknown level', { type: 'log', id: 'a1', level: 'fatal', message: 'x' }],
    ['an unknown operation', { type: 'context', id: 'a1', request: 1, operation: 'list', args: [] }],
    ['an inherited operation', { type: 'context', id: 'a1', request: 1, operation: 'constructor', args: [] }],
    ['no arguments', { type: 'context', id: 'a1', request: 1, operation: 'history' }],
    ['five arguments', { type: 'context', id: 'a1', request: 1, operation: 'history', args: [1, 2, 3, 4, 5] }],
    [
      'an argument that is nothing but depth',
      { type: 'context', id: 'a1', request: 1, operation: 'invoke', args: [nested(1_000_000)] },
    ],
    ...Object.entries(forgedSetUps).map(([name, forged]): [string, unknown] => [
      `a setup with ${name}`,
      { type: 'set-up', id: 'a1', plugin: forged },
    ]),
    ['no value', { type: 'progress', id: 'a1' }],
    ['a result deeper than any reader may recurse', { type: 'result', id: 'a1', value: nested(limits.depth + 1) }],
    ['a result that is nothing but depth', { type: 'result', id: 'a1', value: nested(1_000_000) }],
    [
      'issues without end',
      { type: 'validated', id: 'a1', issues: Array(limits.issues + 1).fill({ pointer: '', message: '' }) },
    ],
    [
      'a declaration without fields',
      { type: 'described', id: 'a1', entry: { entry: 'a', problems: [], declaration: {} } },
    ],
    [
      'a problem with a text of its own',
      {
        type: 'described',
        id: 'a1',
        entry: { entry: 'a', problems: [{ ...problem, message: { key: 'no.such-text' } }] },
      },
    ],
    [
      'a problem with a prototype’s text',
      {
        type: 'described',
        id: 'a1',
        entry: { entry: 'a', problems: [{ ...problem, message: { key: 'constructor' } }] },
      },
    ],
    [
      'a problem with odd values',
      {
        type: 'described',
        id: 'a1',
        entry: { entry: 'a', problems: [{ ...problem, message: { key: 'plain', values: { text: [] } } }] },
      },
    ],
  ])('refuses %s', (_name, frame) => {
    expect(() => parseChildFrame(frame)).toThrow(FrameError);
  });

  it('either refuses or bounds whatever comes', () => {
    const types = [
      'ready',
      'started',
      'described',
      'set-up',
      'disposed',
      'validated',
      'context',
      'progress',
      'log',
      'result',
      'error',
    ];
    const frame = fc.record(
      {
        type: fc.constantFrom(...types),
        id: fc.oneof(fc.constant(1), fc.jsonValue()),
        request: fc.jsonValue(),
        operation: fc.jsonValue(),
        args: fc.jsonValue(),
        plugin: fc.oneof(
          fc.jsonValue(),
          fc.record({
            added: fc.jsonValue(),
            provided: fc.jsonValue(),
            config: fc.jsonValue(),
            problems: fc.jsonValue(),
          }),
        ),
        value: fc.jsonValue(),
        level: fc.constantFrom('info', 'x'),
        message: fc.jsonValue(),
        code: fc.constantFrom('EXECUTION_ERROR', 'x'),
        issues: fc.jsonValue(),
        entry: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(frame, (value) => {
        try {
          expect(types).toContain(parseChildFrame(value).type);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
    );
  });

  it('takes control characters out of texts for people, and cuts them', () => {
    const long = `\u001b[2J\u0000\u009b31m\r${'x'.repeat(limits.messageChars)}`;
    const frame = parseChildFrame({ type: 'error', id: 'a1', code: 'EXECUTION_ERROR', message: long });
    expect(frame).toMatchObject({ message: ` [2J  31m ${'x'.repeat(limits.messageChars - 10)}` });
    const described = parseChildFrame({
      type: 'described',
      id: 'a1',
      entry: {
        entry: 'a',
        problems: [{ ...problem, message: { key: 'plain', values: { text: '\u001b]0;title\u0007' } } }],
      },
    });
    expect(described).toMatchObject({ entry: { problems: [{ message: { values: { text: ' ]0;title ' } } }] } });
  });
});
