import type { QuestionAsk } from '../contracts/ask.ts';
import { showInvisible } from '../contracts/show-invisible.ts';

/**
 * What somebody who typed this means: any text, or where there are options one of them, by its text (in any case) or its
 * number. Undefined: it is no answer.
 *
 * @example
 * readQuestionAnswer({ card: { options: ['red', 'blue'] } }, '2') // 'blue'
 */
export function readQuestionAnswer({ card }: Pick<QuestionAsk, 'card'>, typed: string): string | undefined {
  const answer = typed.trim();
  if (answer === '') return undefined;
  const { options } = card;
  if (options === undefined) return typed;
  // Options stand there as they are safe to print; who copies one from elsewhere means it too.
  const shown = showInvisible(answer);
  const named =
    options.find((option) => option.trim() === shown) ?? options.find((option) => fold(option) === fold(shown));
  if (named !== undefined) return named;
  return /^\d{1,3}$/.test(answer) ? options[Number(answer) - 1] : undefined;
}

function fold(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
