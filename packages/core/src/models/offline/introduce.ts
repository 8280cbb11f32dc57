import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { Locale } from '../../contracts/locale.ts';
import type { MessageKey } from '../../contracts/message-key.ts';
import { renderText } from '../../contracts/texts/render-text.ts';
import { text } from '../../contracts/texts/text.ts';
import { providerProfiles } from '../provider-profiles.ts';
import { firstSentence } from './first-sentence.ts';

const LISTED_TOOLS = 20;

/** What the offline model is, what it can do here, and how to get a real one. */
export function introduce(tools: readonly LanguageModelV4FunctionTool[], locale: Locale): string {
  const say = (key: MessageKey) => renderText(key, locale);
  const paragraphs = [say(text('models.offline-about'))];
  if (tools.length === 0) {
    paragraphs.push(say(text('models.offline-no-tools')));
  } else {
    const lines = tools.slice(0, LISTED_TOOLS).map((tool) => {
      const summary = firstSentence(tool.description ?? '');
      return summary === '' ? `- ${tool.name}` : say(text('models.offline-tool', { name: tool.name, summary }));
    });
    const more = tools.length - LISTED_TOOLS;
    if (more > 0) lines.push(say(text('models.offline-more-tools', { count: more })));
    paragraphs.push(say(text('models.offline-how')), [say(text('models.offline-tools')), ...lines].join('\n'));
  }
  const variables = [...new Set([...providerProfiles.values()].map((profile) => profile.keyVariable))].join(', ');
  paragraphs.push(say(text('models.offline-configure', { variables })));
  return paragraphs.join('\n\n');
}
