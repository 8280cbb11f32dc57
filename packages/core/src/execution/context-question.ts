import { QuestionError } from '../authoring/question-error.ts';
import type { ToolContext } from '../authoring/tool-context.ts';
import { codePoints } from '../contracts/code-points.ts';
import type { Json } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { QuestionReply } from '../contracts/question-reply.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { AskHost } from './ask-host.ts';
import { executionLimits as limits } from './execution-limits.ts';

/**
 * `context.question`, where the tool runs: numbers the questions of one call in the order in which they are asked, so
 * that code which runs again gets the answers of the same questions back.
 */
export function createContextQuestion(ask: AskHost, locale: Locale): NonNullable<ToolContext['question']> {
  let asked = 0;
  return async (question) => {
    const { text: asks, options: given } = (question ?? {}) as { readonly text?: unknown; readonly options?: unknown };
    // With holes filled, and the author's list cannot change any more.
    const options: unknown = Array.isArray(given) ? Array.from(given) : given;
    const isText = (value: unknown, most: number): value is string =>
      typeof value === 'string' && value.trim() !== '' && (value.length <= most || codePoints(value) <= most);
    if (!isText(asks, limits.questionChars)) {
      throw new TypeError(renderText(text('execution.question-text', { limit: limits.questionChars }), locale));
    }
    const isList =
      Array.isArray(options) &&
      options.length > 0 &&
      options.length <= limits.questionOptions &&
      options.every((option) => isText(option, limits.questionOptionChars)) &&
      new Set(options).size === options.length;
    if (options !== undefined && !isList) {
      const values = { limit: limits.questionOptions, chars: limits.questionOptionChars };
      throw new TypeError(renderText(text('execution.question-options', values), locale));
    }
    asked += 1;
    if (asked > limits.questionsPerCall) {
      throw new RangeError(
        renderText(text('execution.too-many-questions', { limit: limits.questionsPerCall }), locale),
      );
    }
    const answer = (await ask('question', [asked, asks, (options ?? null) as Json])) as unknown as QuestionReply;
    if (answer.status === 'answered') return answer.value;
    const reason = answer.status === 'expired' ? 'expired' : 'refused';
    throw new QuestionError(renderText(text(`execution.question-${reason}`), locale), reason);
  };
}
