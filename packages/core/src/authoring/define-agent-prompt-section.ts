import {
  type AgentPromptSection,
  type PromptSectionDefinition,
  promptSectionMark,
} from './prompt-section-definition.ts';

/**
 * Declares background knowledge for the model. The file `prompt-sections/<name>/index.ts` exports it as default.
 *
 * @example
 * export default defineAgentPromptSection({ title: 'Terms', content: 'PR means pull request.', layer: 'context' });
 */
export function defineAgentPromptSection(definition: PromptSectionDefinition): AgentPromptSection {
  return Object.freeze({ ...definition, [promptSectionMark]: true as const });
}
