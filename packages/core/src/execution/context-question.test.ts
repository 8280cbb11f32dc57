import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuestionError } from '../authoring/question-error.ts';
import type { ToolQuestion } from '../authoring/tool-context.ts';
import type { ContextOperation } from '../contracts/executor.ts';
import type { Json } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import { createContextQuestion } from './context-question.ts';
import { createToolContext } from './create-tool-context.ts';
import { executionLimits as limits } from './execution-limits.ts';
import { liveTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';

type Asked = readonly [ContextOperation, readonly Json[]];

/** A question whose host answers with what it was asked for. */
function asking(locale: Locale = 'en', reply?: Json) {
  const asked: Asked[] = [];
  const question = createContextQuestion(async (operation, args) => {
    asked.push([operation, args]);
    return reply ?? { status: 'answered', value: args[1] ?? null };
  }, locale);
  return { asked, question };
}

const options = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);

describe('context.question', () => {
  it.each<[string, ToolQuestion, readonly Json[]]>([
    ['any text', { text: 'Name?' }, [1, 'Name?', null]],
    ['one of some', { text: 'Size?', options: ['S', 'M'] }, [1, 'Size?', ['S', 'M']]],
    ['undefined options', { text: 'Name?', options: undefined } as never, [1, 'Name?', null]],
    ['all that fits', { text: 'x'.repeat(4_000), options: options(20) }, [1, 'x'.repeat(4_000), options(20)]],
    ['a long option', { text: 'x', options: ['o'.repeat(200)] }, [1, 'x', ['o'.repeat(200)]]],
  ])('asks the host for %s', async (_what, asks, args) => {
    const { asked, question } = asking();
    expect(await question(asks)).toBe(asks.text);
    expect(asked).toEqual([['question', args]]);
  });

  it.each<[string, unknown, RegExp, RegExp]>([
    ['nothing', undefined, /1 to 4000 characters/, /4000 个字符/],
    ['null', null, /1 to 4000 characters/, /4000 个字符/],
    ['a mere text', 'Name?', /1 to 4000 characters/, /4000 个字符/],
    ['an empty text', { text: '' }, /1 to 4000 characters/, /4000 个字符/],
    ['blanks', { text: ' \n' }, /1 to 4000 characters/, /4000 个字符/],
    ['a text too long', { text: 'x'.repeat(4_001) }, /1 to 4000 characters/, /4000 个字符/],
    ['a number', { text: 7 }, /1 to 4000 characters/, /4000 个字符/],
    ['no options', { text: 'x', options: [] }, /1 to 20 different texts of 1 to 200/, /20 个互不相同/],
    ['too many options', { text: 'x', options: options(21) }, /1 to 20 different/, /20 个互不相同/],
    ['the same option twice', { text: 'x', options: ['a', 'b', 'a'] }, /different/, /互不相同/],
    ['an empty option', { text: 'x', options: ['a', ''] }, /1 to 200/, /200 个字符/],
    ['an option too long', { text: 'x', options: ['o'.repeat(201)] }, /1 to 200/, /200 个字符/],
    ['an option that is no text', { text: 'x', options: ['a', 1] }, /different texts/, /互不相同的文本/],
    ['a text for options', { text: 'x', options: 'ab' }, /different texts/, /互不相同的文本/],
    ['null for options', { text: 'x', options: null }, /different texts/, /互不相同的文本/],
  ])('refuses %s, in the language of the person, and takes no number for it', async (_what, asks, english, chinese) => {
    const { asked, question } = asking();
    const refused = await question(asks as never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect((refused as Error).message).toMatch(english);
    await expect(asking('zh').question(asks as never)).rejects.toThrow(chinese);
    expect(asked).toEqual([]);
    await question({ text: 'next' });
    expect(asked).toEqual([['question', [1, 'next', null]]]);
  });

  it('numbers questions in the order in which they are asked, whichever is answered first', async () => {
    const waiting: ((reply: Json) => void)[] = [];
    const ordinals: Json[] = [];
    const question = createContextQuestion((_operation, [ordinal]) => {
      ordinals.push(ordinal ?? null);
      return new Promise((resolve) => waiting.push(resolve));
    }, 'en');
    const answers = ['a', 'b', 'c'].map((text) => question({ text }));
    for (const at of [2, 0, 1]) waiting[at]?.({ status: 'answered', value: at });
    expect(await Promise.all(answers)).toEqual([0, 1, 2]);
    expect(ordinals).toEqual([1, 2, 3]);
  });

  it('asks as often as a call may, and then no more', async () => {
    const { asked, question } = asking();
    for (let n = 1; n <= limits.questionsPerCall; n += 1) await question({ text: `question ${n}` });
    await expect(question({ text: 'one more' })).rejects.toThrow('One call may ask at most 100 questions.');
    await expect(question({ text: 'and one more' })).rejects.toThrow(RangeError);
    expect(asked).toHaveLength(100);
    expect(asked.at(-1)).toEqual(['question', [100, 'question 100', null]]);
  });

  it.each<[Locale, 'expired' | 'refused', string]>([
    ['en', 'expired', 'Nobody answered the question in time.'],
    ['en', 'refused', 'The question was declined.'],
    ['zh', 'expired', '提问在限定时间内无人回答。'],
    ['zh', 'refused', '对方拒绝回答该提问。'],
  ])('rejects in %s when it is %s', async (locale, status, message) => {
    const { question } = asking(locale, { status });
    const error = await question({ text: 'x' }).catch((thrown: unknown) => thrown);
    expect(QuestionError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ name: 'QuestionError', reason: status, message });
  });

  it('hands on whatever the answer is, and why the host asks nobody', async () => {
    const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(await asking('en', { status: 'answered', value }).question({ text: 'x' })).toEqual(value);
      }),
      { numRuns: 50 },
    );
    const question = createContextQuestion(() => Promise.reject(new Error('not now')), 'en');
    await expect(question({ text: 'x' })).rejects.toThrow('not now');
  });

  it('belongs to a context only where somebody can be asked, and only until its call ends', async () => {
    const tool = liveTool({ execute: () => 1 });
    const request = requestFor(tool);
    const { signal } = new AbortController();
    const host = new RecordingHost();
    host.onAsk = (_operation, args) => ({ status: 'answered', value: args[1] ?? null });
    const attended = createToolContext(request, host, signal);
    expect(await attended.context.question?.({ text: 'x' })).toBe('x');
    attended.end();
    await expect(attended.context.question?.({ text: 'x' })).rejects.toThrow(/call has ended/);
    const policy = { ...request.policy, attended: false };
    expect('question' in createToolContext({ ...request, policy }, host, signal).context).toBe(false);
  });
});

describe('QuestionError', () => {
  it.each([[undefined], [null], ['QuestionError'], [new Error('x')], [{ name: 'QuestionError', reason: 'expired' }]])(
    'does not take %s for one',
    (value) => {
      expect(QuestionError.isInstance(value)).toBe(false);
    },
  );
});
