import type { WireFormat } from '../wire-format.ts';
import { errorBody } from './error-body.ts';
import { findProblem } from './find-problem.ts';
import { readConversation } from './read-conversation.ts';
import { streamEvents } from './stream-events.ts';
import { wholeBody } from './whole-body.ts';

/** Anthropic's messages. */
export const anthropicFormat: WireFormat = {
  name: 'anthropic',
  path: '/messages',
  requestIdHeader: 'request-id',
  readConversation,
  findProblem,
  streamEvents,
  wholeBody,
  errorBody,
  modelList: (models) => ({
    data: models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }),
};
