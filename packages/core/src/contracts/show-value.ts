import { showText } from './show-text.ts';

const SHOWN_LENGTH = 80;

/**
 * A value as people are shown it in a problem: JSON on one line, at most 80 characters, invisible and control
 * characters escaped. What is not there is `undefined`.
 *
 * @example
 * showValue({ risk: 'high' }) // '{"risk":"high"}'
 */
export function showValue(value: unknown): string {
  const json = showText(JSON.stringify(value) ?? 'undefined');
  return json.length <= SHOWN_LENGTH ? json : `${json.slice(0, SHOWN_LENGTH - 1).toWellFormed()}…`;
}
