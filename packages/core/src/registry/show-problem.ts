import type { MessageKey } from '../contracts/message-key.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';

/** Characters of one text. */
const LONGEST = 500;

/**
 * A problem of whatever source, safe to print: every text in it is at most 500 characters long and has its invisible
 * characters escaped. Places that end in `:line:column` keep that end.
 */
export function showProblem(problem: Problem): Problem {
  const { file, field, found, expected, hint } = problem;
  return {
    ...problem,
    code: showText(problem.code),
    ...(file === undefined ? {} : { file: showPlace(file).replaceAll('\n', '\\u000a') }),
    ...(field === undefined ? {} : { field: showText(field) }),
    ...(found === undefined ? {} : { found: showText(found) }),
    ...(expected === undefined ? {} : { expected: showText(expected) }),
    message: showMessage(problem.message),
    ...(hint === undefined ? {} : { hint: showMessage(hint) }),
  };
}

function showMessage(message: MessageKey): MessageKey {
  if (message.values === undefined) return message;
  const values = Object.entries(message.values).map(([name, value]) => [name, showValue(value)]);
  return { ...message, values: Object.fromEntries(values) };
}

function showValue(value: string | number | MessageKey): string | number | MessageKey {
  if (typeof value === 'object') return showMessage(value);
  return typeof value === 'string' ? showPlace(value) : value;
}

/** Lines of a library's message stay lines; the longest `:line:column` has 32 characters. */
function showPlace(text: string): string {
  const end = text.length <= LONGEST ? '' : (/:\d{1,15}:\d{1,15}$/.exec(text.slice(-32))?.[0] ?? '');
  const shown = text
    .slice(0, LONGEST + 1)
    .split('\n')
    .map((line) => showText(line))
    .join('\n');
  const most = LONGEST - end.length;
  return shown.length <= most ? shown + end : `${shown.slice(0, most - 1).toWellFormed()}…${end}`;
}
