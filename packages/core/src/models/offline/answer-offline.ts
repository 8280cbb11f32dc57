import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { Locale } from '../../contracts/locale.ts';
import { nearestNames } from '../../contracts/nearest-names.ts';
import { renderText } from '../../contracts/texts/render-text.ts';
import { text } from '../../contracts/texts/text.ts';
import { buildRawInput } from './build-raw-input.ts';
import { introduce } from './introduce.ts';
import { replyLocale } from './reply-locale.ts';
import { showParameters } from './show-parameters.ts';
import { showResult } from './show-result.ts';
import { readToolCommand, type ToolCommand } from './tool-command.ts';

export type OfflineAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly toolName: string; readonly rawInput: string };

/** Longer names and values are shown cut. */
const SHOWN_LENGTH = 64;

/** What the offline model says to a prompt. Never throws, whatever the prompt holds. */
export function answerOffline(
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
  locale: Locale,
): OfflineAnswer {
  const last = prompt.at(-1);
  const userText = lastUserText(prompt);
  const reply = replyLocale(userText, locale);
  if (last?.role === 'tool') return say(showResults(last, reply));
  const command = last?.role === 'user' ? readToolCommand(userText) : undefined;
  if (command === undefined) return say(introduce(tools, reply));
  if (command.name === '')
    return say(`${renderText(text('models.offline-which-tool'), reply)}\n\n${introduce(tools, reply)}`);
  const tool = tools.find((one) => one.name === command.name);
  if (tool === undefined) return say(unknownTool(command.name, tools, reply));
  return call(tool, command, prompt, reply);
}

function call(
  tool: LanguageModelV4FunctionTool,
  command: ToolCommand,
  prompt: LanguageModelV4Prompt,
  locale: Locale,
): OfflineAnswer {
  const built = buildRawInput(command.rest, tool.inputSchema);
  if (built.stray !== undefined) {
    const stray = text('models.offline-stray-value', { tool: tool.name, value: cut(built.stray) });
    return say(`${renderText(stray, locale)}\n${showParameters(tool, locale)}`);
  }
  return { kind: 'call', id: `offline_${callsIn(prompt) + 1}`, toolName: tool.name, rawInput: built.rawInput };
}

function unknownTool(name: string, tools: readonly LanguageModelV4FunctionTool[], locale: Locale): string {
  const said = renderText(text('models.offline-unknown-tool', { name: cut(name) }), locale);
  const names = tools.map((tool) => tool.name);
  const near = nearestNames(name, names, 3);
  if (near.length > 0)
    return `${said} ${renderText(text('models.offline-near-tools', { names: near.join(', ') }), locale)}`;
  return `${said}\n\n${introduce(tools, locale)}`;
}

function showResults(message: Extract<LanguageModelV4Message, { role: 'tool' }>, locale: Locale): string {
  const results = message.content.filter((part): part is LanguageModelV4ToolResultPart => part.type === 'tool-result');
  if (results.length === 1 && results[0] !== undefined) return showResult(results[0], locale);
  return results
    .map((result) => {
      const heading = renderText(text('models.offline-result-of', { tool: result.toolName }), locale);
      return `${heading}\n${showResult(result, locale)}`;
    })
    .join('\n\n');
}

function lastUserText(prompt: LanguageModelV4Prompt): string {
  const message = prompt.findLast((one) => one.role === 'user');
  if (message === undefined) return '';
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function callsIn(prompt: LanguageModelV4Prompt): number {
  let calls = 0;
  for (const message of prompt) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'tool-call') calls += 1;
  }
  return calls;
}

function cut(value: string): string {
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
}

function say(said: string): OfflineAnswer {
  return { kind: 'text', text: said };
}
