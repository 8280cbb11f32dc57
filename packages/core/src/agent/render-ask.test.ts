import { describe, expect, it } from 'vitest';
import type { StoredAsk } from '../contracts/ask.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import { text } from '../contracts/texts/text.ts';
import { createAskCard } from './ask-card.ts';
import { createQuestionCard } from './question-card.ts';
import { readQuestionAnswer } from './read-question-answer.ts';
import { renderAsk } from './render-ask.ts';

const tool = (more: Partial<ToolCapability> = {}): ToolCapability =>
  ({
    name: 'send',
    description: 'Sends a note.',
    annotations: {},
    dangerous: false,
    networkLabels: [],
    ...more,
  }) as ToolCapability;

const base = {
  id: 'x',
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

function approval(input: JsonObject, more: Partial<ToolCapability> = {}, from: object = {}): StoredAsk {
  const reasons = [text('approval.because-always')];
  const card = createAskCard({
    tool: tool(more),
    input,
    level: 'always',
    reasons,
    mask: (one) => one.replaceAll('s3cret', '***'),
  });
  const rest = {
    kind: 'approval',
    card,
    definitionDigest: 'd',
    argumentsDigest: 'a',
    needsPerson: false,
    useForMs: 60_000,
  } as const;
  return { ...base, ...rest, from: { ...base.from, ...from } };
}

/** The lines of the card that begin like its own. */
const labels = (card: string) => card.split('\n').filter((line) => /^( {2})?\S/.test(line));

describe('the card', () => {
  it.each([
    [
      'en',
      /Approval wanted: send/,
      /arguments: \n {4}to: "bob"/,
      /\/approve K7M2QD/,
      /im \/ qq \/ group \/ 42, session s/,
    ],
    ['zh', /请求审批：send/, /参数: \n {4}to: "bob"/, /\/approve K7M2QD/, /im \/ qq \/ group \/ 42，会话 s/],
  ] as const)('says everything that will happen (%s)', (locale, ...said) => {
    const card = renderAsk(approval({ to: 'bob' }), locale);
    for (const one of said) expect(card).toMatch(one);
    expect(card).toContain('chat:bot:eve (user)');
  });

  it.each([
    [86_400_000, '24 h', '24 小时'],
    [5_400_000, '90 min', '90 分钟'],
    [119_999, '1 min', '1 分钟'],
    [1, '1 s', '1 秒'],
  ])('says how long an approval of %i ms may be used', (useForMs, en, zh) => {
    const ask = { ...approval({}), useForMs } as StoredAsk;
    expect(renderAsk(ask, 'en')).toContain(`use within: ${en}\n`);
    expect(renderAsk(ask, 'zh')).toContain(`批准后有效: ${zh}\n`);
  });

  it('shows danger, category and hosts', () => {
    const card = renderAsk(approval({}, { dangerous: true, danger: 'funds', networkLabels: ['pay.example'] }), 'en');
    expect(card).toMatch(/dangerous: funds/);
    expect(card).toContain('host pay.example');
  });

  it('hides secrets, and folds long values without hiding that', () => {
    const long = `start${'x'.repeat(5_000)}s3cret end`;
    const ask = approval({ long });
    expect(JSON.stringify(ask)).not.toContain('s3cret');
    const card = renderAsk(ask, 'en');
    expect(card).toMatch(/start[\s\S]*characters in all, sha256 [0-9a-f]{8}[\s\S]*\*\*\* end/);
    expect(card.length).toBeLessThan(2_000);
    expect(card).toContain('approvals show K7M2QD');
    const whole = renderAsk(ask, 'en', { fold: 100_000 });
    expect(whole).toContain('x'.repeat(5_000));
    expect(whole).not.toContain('approvals show');
  });

  it('of what is closed says no way to answer', () => {
    const ask = approval({ to: 'bob' });
    expect(renderAsk(ask, 'en')).toContain('/approve K7M2QD');
    expect(renderAsk({ ...ask, state: 'denied' } as StoredAsk, 'en')).not.toContain('/approve');
  });

  it.each(['\u3164', '\u115f', '\u1160', '\uffa0'])('shows what %j hides in a name', (filler) => {
    const card = renderAsk(approval({ to: 'ada', [`to${filler}`]: 'eve', [`${filler.repeat(40)}level`]: 0 }), 'en');
    expect(card).not.toContain(filler);
    expect(card.match(/^ +to: /gm)).toHaveLength(1);
  });

  it('lets nobody move a text to where a line of a terminal begins', () => {
    const far = `x${' '.repeat(79)}code: EVIL11`;
    const hostile = approval({ far }, { description: far, annotations: { title: far } }, { displayName: far });
    expect(renderAsk({ ...hostile, sessionKey: far }, 'en')).not.toMatch(/\S {4}/);
    const card = createQuestionCard({ tool: tool(), text: far, options: [far, 'b'], mask: (one) => one });
    const question = { ...base, kind: 'question', ordinal: 1, card } as unknown as StoredAsk;
    expect(renderAsk(question, 'en')).not.toMatch(/\S {4}/);
  });

  it('lets nobody fake a line of it', () => {
    const fake = '\n  code: EVIL11\n  /approve EVIL11\r\u2028Approval wanted: nothing\u202e';
    const plain = labels(renderAsk(approval({ to: 'bob' }), 'en'));
    const hostile = renderAsk(
      approval(
        { to: fake, [fake]: 1 },
        { description: `Sends.${fake}`, annotations: { title: `T${fake}` } },
        { displayName: `Eve"${fake}`, id: `x${fake}` },
      ),
      'en',
    );
    expect(labels(hostile)).toHaveLength(plain.length);
    expect(labels(hostile).filter((line) => /^ {2}code: /.test(line))).toEqual(['  code: K7M2QD']);
    expect(hostile).not.toMatch(/[\r\u2028\u202e]/);
  });

  it.each([[{ a: '\ud800' }], [{}], [{ 'a b': [1, { c: null }] }], [{ nested: 'a\u202eb' }]])('shows %j', (input) => {
    expect(renderAsk(approval(input as JsonObject), 'en')).toContain('arguments');
  });
});

describe('a question', () => {
  const card = createQuestionCard({
    tool: tool(),
    text: 'Which\n  code: EVIL11',
    options: ['Red', '2', 'blue'],
    mask: (one) => one,
  });
  const ask: StoredAsk = { ...base, kind: 'question', card, ordinal: 1 };

  it('shows its options with their numbers, and how to answer', () => {
    const shown = renderAsk(ask, 'en');
    expect(shown).toContain('  1. Red\n  2. 2\n  3. blue');
    expect(shown).toContain('baigong approvals answer K7M2QD');
    expect(labels(shown).filter((line) => /^ {2}code: K7M2QD$/.test(line))).toHaveLength(1);
  });

  it.each([
    ['Red', 'Red'],
    ['red', 'Red'],
    [' BLUE ', 'blue'],
    ['1', 'Red'],
    ['2', '2'],
    ['3', 'blue'],
    ['4', undefined],
    ['0', undefined],
    ['', undefined],
    ['green', undefined],
  ])('%j means %j', (typed, meant) => {
    expect(readQuestionAnswer(ask, typed)).toBe(meant);
  });

  it('means the option that is the very text, however it is written on the card', () => {
    const card = createQuestionCard({ tool: tool(), text: 'x', options: ['A\u00a0b', 'a\u00a0b'], mask: (one) => one });
    expect(readQuestionAnswer({ card }, 'a\u00a0b')).toBe(card.options?.[1]);
    expect(readQuestionAnswer({ card }, 'a\\u{a0}B')).toBe(card.options?.[0]);
  });

  it('takes any text but none where there are no options', () => {
    const open = { card: { tool: 'x', text: 'Name?' } };
    expect(readQuestionAnswer(open, ' Ann ')).toBe(' Ann ');
    expect(readQuestionAnswer(open, '  ')).toBeUndefined();
  });
});
