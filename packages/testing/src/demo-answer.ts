import type { Answer } from './answer.ts';
import { findJsonObject } from './find-json-object.ts';
import type { Conversation } from './received-request.ts';
import { textsFor } from './texts.ts';

/**
 * The model without a script, which needs no knowledge of its caller. A user message that names an offered tool makes it
 * call that tool with the JSON object in the message (`{}` without one); any other is answered with what was received;
 * tool results are quoted. It answers in Chinese when the last user message has Chinese characters.
 */
export function demoAnswer(request: Conversation): Answer {
  const spoken = request.messages.filter((message) => message.role !== 'system');
  const last = spoken.at(-1);
  const userText = spoken.findLast((message) => message.role === 'user')?.text ?? '';
  const texts = textsFor(/\p{Script=Han}/u.test(userText) ? 'zh' : 'en');
  if (last?.role === 'tool') {
    return { text: last.results.map(({ name, callId, text }) => texts.demoResult(name ?? callId, text)).join('\n') };
  }
  const name = request.toolNames.find((tool) => mentions(userText, tool));
  if (name !== undefined) return { calls: [{ name, rawInput: findJsonObject(userText) ?? '{}' }] };
  return { text: texts.demoReport(request.messages.length, request.toolNames) };
}

/** As a whole word: `get_weather` is not mentioned by `get_weather_week`. */
function mentions(text: string, name: string): boolean {
  if (name === '') return false;
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1)) {
    const around = (text[start - 1] ?? '') + (text[start + name.length] ?? '');
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
