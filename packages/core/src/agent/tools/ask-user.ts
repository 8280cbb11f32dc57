import { type AgentTool, defineAgentTool, failure, QuestionError } from '../../authoring/index.ts';

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
          minLength: 1,
          maxLength: 4000,
          description: 'The question, in the language of the user.',
        },
        options: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 200 },
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
    async execute({ question: asked, options }, { question }) {
      if (question === undefined) {
        return failure({
          error_type: 'NOT_PERMITTED',
          message: 'Nobody can be asked in this turn.',
          hint: 'Do not retry. Go on with what is known, or say what is missing.',
        });
      }
      try {
        return String(await question(options === undefined ? { text: asked } : { text: asked, options }));
      } catch (error) {
        if (!QuestionError.isInstance(error)) throw error;
        return failure({
          error_type: 'NOT_PERMITTED',
          message: error.message,
          hint: 'Do not ask the same again. Go on with what is known, or say what is missing.',
        });
      }
    },
  }) as AgentTool;
}
