import { describe, expect, it } from 'vitest';
import type { ScriptedAnswer } from './answer.ts';
import { AnswerScript } from './answer-script.ts';
import { readConversation } from './openai/read-conversation.ts';

const said = (content: string) => readConversation({ model: 'any', messages: [{ role: 'user', content }] });

function play(answers: ScriptedAnswer[], texts: string[]) {
  const script = new AnswerScript();
  script.add(answers);
  return { given: texts.map((text) => script.take(said(text))?.position), unused: script.unused };
}

describe('AnswerScript', () => {
  it.each<[string, ScriptedAnswer[], string[], (number | undefined)[], number[]]>([
    ['gives each once, in order', [{ text: '0' }, { text: '1' }], ['a', 'a', 'a'], [0, 1, undefined], []],
    ['passes over what does not fit', [{ when: { lastUser: 'b' } }, { text: '1' }], ['a', 'b'], [1, 0], []],
    ['repeats what repeats', [{ text: '0' }, { repeat: true, text: '1' }], ['a', 'a', 'a'], [0, 1, 1], []],
    ['keeps the order with repeats', [{ repeat: true, when: { lastUser: 'b' } }, {}], ['b', 'a', 'b'], [0, 1, 0], []],
    ['knows what is unused', [{ when: { lastUser: 'z' } }, { text: '1' }, () => ({})], ['a'], [1], [0, 2]],
    [
      'takes functions',
      [() => ({}), { reply: () => ({}), when: { lastUser: 'b' } }],
      ['a', 'a', 'b'],
      [0, undefined, 1],
      [],
    ],
  ])('%s', (_, answers, texts, given, unused) => {
    expect(play(answers, texts)).toEqual({ given, unused });
  });

  it('explains why nothing fits', () => {
    const script = new AnswerScript();
    expect(script.explain(said('a'))).toBe('The script is empty.');
    script.add([{ text: '0' }, { text: '1', when: { lastUser: 'b' } }]);
    script.take(said('a'));
    expect(script.explain(said('a'))).toBe(
      'Answer 0: already given. Answer 1: the last user message is "a", without "b".',
    );
    script.add(Array.from({ length: 20 }, () => ({ text: 'x' })));
    expect(script.explain(said('a'))).toMatch(/Answer 19: fits\. … and 2 more\.$/);
  });
});
