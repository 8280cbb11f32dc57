/** A message of a session as plain data, for code that looks back. */
export interface HistoryMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** What was said; of a tool its result as text (images and files by name only), or `CODE: message` of its failure. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly turnId: string;
  /** Of a tool's message. */
  readonly toolName?: string;
}
