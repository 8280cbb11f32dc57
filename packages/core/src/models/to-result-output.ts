import type { JSONValue, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Locale } from '../contracts/locale.ts';
import type { ContentPart, Outcome } from '../contracts/outcome.ts';
import { errorJson } from '../contracts/outcome-json.ts';
import { partLabel } from '../contracts/part-label.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { type LooksAt, noMedia } from './media-in-results.ts';
import { wellFormed } from './well-formed.ts';

type ContentOutput = Extract<LanguageModelV4ToolResultOutput, { readonly type: 'content' }>['value'][number];

/** Malformed arguments beyond this many characters are shown cut. */
const SHOWN_ARGUMENTS = 2_000;

/**
 * What a model is told of a call's end. `badInput`: arguments that could not be sent back as the model's own, so that
 * they are shown beside the error. `looksAt`: which media types the asked provider takes in a result; in place of others
 * stands a text that names what was left out.
 */
export function toResultOutput(
  outcome: Outcome,
  badInput: string | undefined,
  locale: Locale,
  looksAt: LooksAt = noMedia,
): LanguageModelV4ToolResultOutput {
  if (outcome.status === 'success') {
    const { result } = outcome;
    if (result.kind === 'json') return { type: 'json', value: wellFormed(result.value) as JSONValue };
    if (result.kind === 'parts') return partsOutput(result.value, locale, looksAt);
    return textOutput(result.value, locale);
  }
  const error = errorJson(outcome, locale);
  if (badInput !== undefined) error.arguments_as_written = badInput.slice(0, SHOWN_ARGUMENTS);
  return { type: 'error-json', value: wellFormed(error) as JSONValue };
}

/** Several services refuse a result without content. */
function textOutput(value: string, locale: Locale): LanguageModelV4ToolResultOutput {
  return { type: 'text', value: value === '' ? renderText(text('models.empty-result'), locale) : wellFormed(value) };
}

/**
 * All texts in one part, in front: a service may make one result of each text, and none where there is no text. Without
 * anything to look at it is an ordinary text.
 */
function partsOutput(parts: readonly ContentPart[], locale: Locale, looksAt: LooksAt): LanguageModelV4ToolResultOutput {
  const said: string[] = [];
  const shown: ContentOutput[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text !== '') said.push(part.text);
    } else if (looksAt(part.mediaType)) {
      // Its place among the texts is kept by a label.
      said.push(`[${partLabel(part)}]`);
      shown.push({
        type: 'file',
        mediaType: part.mediaType,
        data: { type: 'data', data: part.data },
        ...(part.type === 'file' && part.name !== undefined ? { filename: wellFormed(part.name) } : {}),
      });
    } else {
      said.push(renderText(text('models.left-out', { part: partLabel(part) }), locale));
    }
  }
  const value = said.join('\n');
  if (shown.length === 0) return textOutput(value, locale);
  return { type: 'content', value: [{ type: 'text', text: wellFormed(value) }, ...shown] };
}
