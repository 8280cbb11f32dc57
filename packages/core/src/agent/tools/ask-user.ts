import { type AgentTool, defineAgentTool, failure, QuestionError } from '../../authoring/index.ts';
import { renderText } from '../../contracts/texts/render-text.ts';
import { text } from '../../contracts/texts/text.ts';

interface Input {
  readonly question: string;
  readonly options?: readonly string[];
}

/**
 * The framework's tool with which a model asks the person whose message it answers. It only reads and may run again, so
 * that its turn can park while it waits; the stored answer comes back then.
 */
export function createAskUserTool(): AgentTool {
  return defineAgentTool<Input>({
    description: [
      'Asks the user a question and returns the answer.',
      'Use when something is missing that only the user can know or decide, and that cannot be found out by other tools.',
      'Ask one thing at a time; give options when there are few possible answers.',
      'Not for approvals: calls that need one are asked about by themselves.',
    ].join(' '),
    summary: 'Ask the user for something that only they know.',
    inputSchema: {
      type: 'object',
      properties: {
        question: {
          type: 'string',
          maxLength: 4000,
          pattern: '\\S',
          description: 'The question, in the language of the user.',
        },
        options: {
          type: 'array',
          items: { type: 'string', maxLength: 200, pattern: '\\S' },
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
          description: 'The possible answers, when there are few.',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    requiresApproval: 'never',
    isolation: 'inline',
    annotations: { title: 'Ask the user', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async execute({ question: asked, options }, { question, locale }) {
      const refuse = (message: string) =>
        failure({ error_type: 'NOT_PERMITTED', message, hint: renderText(text('agent.ask-no-more'), locale) });
      if (question === undefined) return refuse(renderText(text('agent.nobody-to-ask'), locale));
      try {
        return String(await question(options === undefined ? { text: asked } : { text: asked, options }));
      } catch (error) {
        if (!QuestionError.isInstance(error)) throw error;
        return refuse(error.message);
      }
    },
  }) as AgentTool;
}
