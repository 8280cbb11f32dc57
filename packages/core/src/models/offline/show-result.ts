import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { Locale } from '../../contracts/locale.ts';
import { renderText } from '../../contracts/texts/render-text.ts';
import { text } from '../../contracts/texts/text.ts';

/** JSON that is no longer than this stays on one line. */
const ONE_LINE = 80;

/** A tool's result for a person: text as it is, JSON readable, an error as its message and hint. */
export function showResult(result: LanguageModelV4ToolResultPart, locale: Locale): string {
  const { output } = result;
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return showJson(output.value);
    case 'error-text':
      return showError(result.toolName, output.value, locale);
    case 'error-json':
      return showErrorJson(result.toolName, output.value, locale);
    case 'execution-denied':
      return showError(result.toolName, output.reason ?? '', locale);
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
  }
}

function showJson(value: unknown): string {
  if (typeof value === 'string') return value;
  const compact = JSON.stringify(value) ?? '';
  return compact.length <= ONE_LINE ? compact : JSON.stringify(value, null, 2);
}

function showErrorJson(tool: string, value: unknown, locale: Locale): string {
  const { message, hint } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof message !== 'string') return showError(tool, showJson(value), locale);
  const said = showError(tool, message, locale);
  return typeof hint === 'string' && hint !== '' ? `${said}\n${hint}` : said;
}

function showError(tool: string, message: string, locale: Locale): string {
  return renderText(text('models.offline-failed', { tool, message }), locale);
}
