import type { Json } from './json.ts';

/** What the host answers to the context operation `question`. */
export type QuestionReply =
  | { readonly status: 'answered'; readonly value: Json }
  | { readonly status: 'expired' | 'refused' };
