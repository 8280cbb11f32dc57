import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScript } from './parse-script.ts';

function problemsOf(script: unknown): string[] {
  const parsed = parseScript(typeof script === 'string' ? script : JSON.stringify(script));
  return 'problems' in parsed ? parsed.problems.map((problem) => `${problem.path} ${problem.code}`) : [];
}

const answer = (fields: object) => ({ answers: [fields] });

describe('a script that can be played', () => {
  it('becomes answers with patterns', () => {
    const full = {
      text: '好',
      reasoning: '想',
      calls: [{ name: 'a', input: { x: 1 } }, { name: 'b', rawInput: '{', id: 'mine' }, { name: 'c' }],
      finishReason: 'length',
      usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 1 },
      chunkSize: 1,
      delayMs: 0,
      hang: 3,
      cut: true,
      repeat: false,
    };
    const when = {
      lastUser: '/天气/i',
      lastRole: 'tool',
      toolResultContains: '晴',
      tool: 'get_weather',
      system: '/x/',
    };
    expect(parseScript(JSON.stringify(answer({ ...full, when })))).toEqual({
      answers: [{ ...full, when: { ...when, lastUser: /天气/i, system: /x/ } }],
    });
  });

  it.each([
    [{ error: { status: 529, message: 'm', body: [1], headers: { a: 'b' } } }],
    [{ rawEvents: 'data: x\n\n' }],
    [{ rawEvents: ['a', 'b'] }],
    [{ hang: true }],
    [{ text: '' }],
    [{ finishReason: 'content-filter' }],
  ])('%j', (fields) => {
    expect(problemsOf(answer(fields))).toEqual([]);
  });

  it('is the example of this package', () => {
    expect(problemsOf(readFileSync(new URL('../examples/weather.json', import.meta.url), 'utf-8'))).toEqual([]);
  });
});

describe('a script with mistakes', () => {
  it.each<[unknown, string[]]>([
    ['{', [' not-json']],
    ['[]', [' wrong-type']],
    [{}, ['answers missing']],
    [{ answers: [] }, ['answers empty-list']],
    [{ answers: {} }, ['answers wrong-type']],
    [{ answers: [3] }, ['answers[0] wrong-type']],
    [answer({}), ['answers[0] says-nothing']],
    [answer({ delayMs: 5 }), ['answers[0] says-nothing']],
    [answer({ text: 1 }), ['answers[0].text wrong-type']],
    [answer({ text: 'a', constructor: 1 }), ['answers[0].constructor unknown-key']],
    [`{"answers":[{"text":"a","__proto__":{}}]}`, ['answers[0].__proto__ unknown-key']],
    [answer({ text: 'a', chunkSize: 0 }), ['answers[0].chunkSize wrong-type']],
    [answer({ text: 'a', delayMs: 1.5 }), ['answers[0].delayMs wrong-type']],
    [answer({ text: 'a', cut: -1 }), ['answers[0].cut wrong-type']],
    [answer({ text: 'a', hang: 'yes' }), ['answers[0].hang wrong-type']],
    [answer({ text: 'a', repeat: 1 }), ['answers[0].repeat wrong-type']],
    [answer({ text: 'a', usage: { inputTokens: '1' } }), ['answers[0].usage.inputTokens wrong-type']],
    [answer({ calls: [] }), ['answers[0].calls empty-list']],
    [answer({ calls: [{ input: [] }] }), ['answers[0].calls[0].input wrong-type', 'answers[0].calls[0].name missing']],
    [answer({ calls: [{ name: 'a', input: {}, rawInput: '' }] }), ['answers[0].calls[0] exclusive']],
    [answer({ error: { status: 600 } }), ['answers[0].error.status wrong-type']],
    [answer({ error: { status: 199 } }), ['answers[0].error.status wrong-type']],
    [answer({ error: {} }), ['answers[0].error.status missing']],
    [answer({ error: { status: 500, headers: { a: 1 } } }), ['answers[0].error.headers wrong-type']],
    [answer({ error: { status: 500 }, text: 'a' }), ['answers[0] exclusive']],
    [answer({ rawEvents: 'x', calls: [{ name: 'a' }] }), ['answers[0] exclusive']],
    [answer({ rawEvents: ['x', 1] }), ['answers[0].rawEvents wrong-type']],
    [answer({ text: 'a', when: { lastUser: '/(/' } }), ['answers[0].when.lastUser bad-pattern']],
    [answer({ text: 'a', when: { lastRole: 'assistant' } }), ['answers[0].when.lastRole wrong-type']],
    [answer({ text: 'a', when: { user: 'x' } }), ['answers[0].when.user unknown-key']],
    [{ answers: [{ text: 'a', repeat: true }, { text: 'b' }] }, ['answers[1] unreachable']],
    [{ answers: [{ text: 'a', repeat: true, when: {} }, { text: 'b' }] }, ['answers[1] unreachable']],
  ])('%j', (script, problems) => {
    expect(problemsOf(script)).toEqual(problems);
  });

  it('names the nearest right key', () => {
    expect(parseScript('{"answers":[{"txt":"a","text":"a"}]}')).toMatchObject({
      problems: [{ path: 'answers[0].txt', code: 'unknown-key', nearest: 'text' }],
    });
  });

  it('reports all at once', () => {
    const script = { answer: 1, answers: [{ txt: 'a' }, { text: 2, calls: [{ nam: 'x' }] }] };
    expect(problemsOf(script)).toEqual([
      'answer unknown-key',
      'answers[0].txt unknown-key',
      'answers[0] says-nothing',
      'answers[1].text wrong-type',
      'answers[1].calls[0].nam unknown-key',
      'answers[1].calls[0].name missing',
    ]);
  });
});
