import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { Locale } from '../../contracts/locale.ts';
import { renderText } from '../../contracts/texts/render-text.ts';
import { text } from '../../contracts/texts/text.ts';
import { readParameters } from './read-parameters.ts';

/** A tool's parameters on one line: name, type, whether it must be given. */
export function showParameters(tool: LanguageModelV4FunctionTool, locale: Locale): string {
  const parameters = readParameters(tool.inputSchema);
  if (parameters.size === 0) return renderText(text('models.offline-no-parameters', { tool: tool.name }), locale);
  const shown = [...parameters.values()].map(({ name, types, required }) => {
    const values = { name, type: types.size === 0 ? 'any' : [...types].join(' | ') };
    const key = required ? text('models.offline-required', values) : text('models.offline-optional', values);
    return renderText(key, locale);
  });
  const values = { tool: tool.name, parameters: shown.join(', ') };
  return renderText(text('models.offline-parameters', values), locale);
}
