import type { WireFormat } from '../wire-format.ts';
import { errorBody } from './error-body.ts';
import { findProblem } from './find-problem.ts';
import { readConversation } from './read-conversation.ts';
import { streamEvents } from './stream-events.ts';
import { wholeBody } from './whole-body.ts';

/** OpenAI's chat completions, as spoken by most other providers too. */
export const openaiFormat: WireFormat = {
  name: 'openai',
  path: '/chat/completions',
  requestIdHeader: 'x-request-id',
  readConversation,
  findProblem,
  streamEvents,
  wholeBody,
  errorBody,
  modelList: (models) => ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_735_689_600, owned_by: 'scripted' })),
  }),
};
