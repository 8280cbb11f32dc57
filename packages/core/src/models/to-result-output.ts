import type { JSONValue, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Locale } from '../contracts/locale.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { errorJson } from '../contracts/outcome-json.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { wellFormed } from './well-formed.ts';

/** Malformed arguments beyond this many characters are shown cut. */
const SHOWN_ARGUMENTS = 2_000;

/**
 * What a model is told of a call's end. `badInput`: arguments that could not be sent back as the model's own, so that
 * they are shown beside the error.
 */
export function toResultOutput(
  outcome: Outcome,
  badInput: string | undefined,
  locale: Locale,
): LanguageModelV4ToolResultOutput {
  if (outcome.status === 'success') {
    const { result } = outcome;
    if (result.kind === 'json') return { type: 'json', value: wellFormed(result.value) as JSONValue };
    // Several services refuse a result without content.
    const value = result.value === '' ? renderText(text('models.empty-result'), locale) : wellFormed(result.value);
    return { type: 'text', value };
  }
  const error = errorJson(outcome, locale);
  if (badInput !== undefined) error.arguments_as_written = badInput.slice(0, SHOWN_ARGUMENTS);
  return { type: 'error-json', value: wellFormed(error) as JSONValue };
}
