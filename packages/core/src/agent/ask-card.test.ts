import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMask } from '../config/index.ts';
import type { ApprovalAsk, StoredAsk } from '../contracts/ask.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import { text } from '../contracts/texts/text.ts';
import { createAskCard } from './ask-card.ts';
import { createQuestionCard } from './question-card.ts';
import { renderAsk } from './render-ask.ts';

const tool = { name: 'send', description: 'Sends.', annotations: {}, dangerous: false, networkLabels: [] };
const base = {
  id: 'x-1',
  code: 'K7M2QD',
  state: 'open',
  callId: 't.1.0',
  turnId: 't',
  sessionKey: 's',
  toolKey: 'send',
  from: { id: 'chat:bot:eve', userId: 'eve', role: 'user', platformRoles: [], authentication: 'platform' },
  origin: { kind: 'im', platform: 'qq', scope: 'group', sceneId: '42' },
  openedAt: 0,
  answerBy: 1_000,
} as const;

function cardOf(input: JsonObject, mask = (one: string) => one) {
  return createAskCard({
    tool: tool as unknown as ToolCapability,
    input,
    level: 'always',
    reasons: [text('approval.because-always')],
    mask,
  });
}

function approval(input: JsonObject, more: Partial<ApprovalAsk> = {}): StoredAsk {
  const rest = { definitionDigest: 'd', argumentsDigest: 'a', needsPerson: false, useForMs: 60_000 };
  return { ...base, kind: 'approval', card: cardOf(input), ...rest, ...more };
}

const question = (asked: string, options?: readonly string[]): StoredAsk => ({
  ...base,
  kind: 'question',
  card: createQuestionCard({
    tool: tool as unknown as ToolCapability,
    text: asked,
    mask: (one) => one,
    ...(options === undefined ? {} : { options }),
  }),
  ordinal: 1,
});

describe('the arguments of a card', () => {
  it('are the same text for the same arguments, whatever their order', () => {
    for (const odd of ['b', '\ud800']) {
      expect(cardOf({ z: odd, a: { y: 1, x: [odd] } }).arguments).toBe(
        cardOf({ a: { x: [odd], y: 1 }, z: odd }).arguments,
      );
    }
  });

  it.each([['pass"word"1234'], ['back\\slash-1234'], ['-----BEGIN KEY-----\nabcdef\n-----END KEY-----'], ['12345678']])(
    'hold no secret, however JSON writes it: %j',
    (secret) => {
      const mask = createMask(new Set([secret]));
      const said = JSON.stringify(cardOf({ to: 'bob', [secret]: 1, deep: [`Bearer ${secret}`] }, mask));
      expect(said).not.toContain(secret);
      expect(said).not.toContain(JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1));
      expect(said).toContain('Bearer ••••');
    },
  );

  it('stay JSON where a number is a secret', () => {
    const { arguments: shown } = cardOf({ pin: 12_345_678, to: 'bob' }, createMask(new Set(['12345678'])));
    expect(JSON.parse(shown)).toEqual({ pin: '••••', to: 'bob' });
  });

  it('keep apart what has the same name without secrets', () => {
    const mask = createMask(new Set(['first-secret', 'other-secret']));
    const { arguments: shown } = cardOf({ 'first-secret': 'one', 'other-secret': 'two' }, mask);
    expect(Object.values(JSON.parse(shown) as JsonObject)).toEqual(['one', 'two']);
  });

  it('are never longer than 200,000 characters, and say how much is missing', () => {
    const { arguments: shown } = cardOf({ a: 'first', long: '\u202e'.repeat(100_000), z: 'last' });
    expect(shown.length).toBeLessThanOrEqual(200_000);
    expect(shown).toMatch(/^\{"a":"first"[\s\S]*100000 characters in all, sha256 [0-9a-f]{8}[\s\S]*"z":"last"\}$/);
  });

  it('keep every member when they are too long to be shown whole, and say that they are', () => {
    const long = 'x'.repeat(150_000);
    const ask = approval({ body: long, recipient: 'mallory', signature: long, z: { deep: [long, 'kept'] } });
    const card = renderAsk(ask, 'en', { fold: Number.MAX_SAFE_INTEGER });
    expect(card).toContain('recipient: "mallory"');
    expect(card).toContain('150000 characters in all');
    expect(card).toMatch(/deep.*kept/);
    expect(card).toContain('too long to be shown whole');
  });

  it('never look like other arguments when even their names are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`n${index}`, index]));
    const { arguments: shown } = cardOf({ ...many, mail: { recipient: 'mallory' } });
    expect(shown.length).toBeLessThanOrEqual(200_000);
    expect(() => JSON.parse(shown)).toThrow();
    const card = renderAsk(approval({ ...many, mail: { recipient: 'mallory' } }), 'en');
    expect(card).toMatch(/arguments: …? ?\(?.*characters in all/);
    expect(card).toContain('too long to be shown whole');
  });

  it('of a usual length are not said to be cut', () => {
    expect(renderAsk(approval({ to: 'bob' }), 'en')).not.toContain('too long');
  });
});

describe('the lines of a card', () => {
  it('leave no text the choice of where a terminal breaks it, nor a name that of being a line', () => {
    const gap = ' '.repeat(60);
    const card = renderAsk(
      approval({
        body: `noon.${gap}recipient: team`,
        [`  level: never${gap}`]: 1,
        'recipient: "bob"': 2,
        '': 3,
        收件人: 4,
      }),
      'en',
    );
    expect(card).toContain('body: "noon.\\u{20}×60recipient: team"');
    expect(card).toContain('"  level: never\\u{20}×60": 1');
    expect(card).toContain('"recipient: \\"bob\\"": 2');
    expect(card).toContain('    "": 3');
    expect(card).toContain('    收件人: 4');
  });

  it('fold each argument by itself, whatever is in another one', () => {
    const card = renderAsk(
      approval({ a: 'x'.repeat(600), command: 'rm -rf /data', hidden: '\u200b\u202e', z: 'y'.repeat(600) }),
      'en',
    );
    expect(card).toMatch(/^ {4}command: "rm -rf \/data"$/m);
    expect(card).toMatch(/^ {4}hidden: "\\u\{200b\}\\u\{202e\}"$/m);
  });

  it('show what is in a value, not what only looks like it', () => {
    const card = renderAsk(approval({ real: 'a\u200bb', typed: 'a\\u{200b}b', slashes: '\\\u200b' }), 'en');
    expect(card).toMatch(/^ {4}real: "a\\u\{200b\}b"$/m);
    expect(card).toMatch(/^ {4}typed: "a\\\\u\{200b\}b"$/m);
    expect(card).toMatch(/^ {4}slashes: "\\\\\\u\{200b\}"$/m);
  });

  it('are one for each argument, whatever they hold', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '\n', '\u200b', '\u202e', ' ', 'u', '{', '}', ':'),
    });
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile, { minKeys: 1, maxKeys: 5 }), (input) => {
        const lines = renderAsk(approval({ ...input }), 'en').split('\n');
        expect(lines.filter((line) => line.startsWith('    '))).toHaveLength(Object.keys(input).length);
      }),
    );
  });

  it.each([
    ['a line of the card', 'Which?\ncode: EVIL11', /^ {2}code: /],
    ['how to answer', 'Which?\n/approve EVIL11', /^ {2}\/\w+ /],
    ['an option', 'Which?\n1. Yes', /^ {2}1\. /],
  ])('cannot be faked by a question: %s', (_what, asked, own) => {
    const ask = question(asked, ['No', 'Never']);
    const lines = renderAsk(ask, 'en').split('\n');
    expect(lines.filter((line) => own.test(line))).toHaveLength(1);
    expect(lines.join('\n')).not.toMatch(/^ {2}(code: EVIL11|\/approve EVIL11|1\. Yes)/m);
  });

  it('never cut a character in half', () => {
    const from = { ...base.from, displayName: `${'x'.repeat(79)}😀😀` };
    expect(renderAsk(approval({}, { from }), 'en').isWellFormed()).toBe(true);
    expect(renderAsk(approval({ x: '😀'.repeat(1_000) }), 'en', { fold: 401 }).isWellFormed()).toBe(true);
  });

  it('never say that an approval is good for no time, or until no time', () => {
    const card = renderAsk(approval({}, { useForMs: 7, answerBy: 1_700_000_000_000 + Number.MAX_SAFE_INTEGER }), 'en');
    expect(card).not.toMatch(/\b0 min|NaN|Invalid/);
  });

  it('are all in the language of the reader', () => {
    expect(renderAsk(approval({}), 'zh')).not.toMatch(/\bsession\b/);
  });
});
