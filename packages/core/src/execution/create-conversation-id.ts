import { randomBytes } from 'node:crypto';

/**
 * A name for one conversation with a child that nobody can guess: 32 hex digits.
 *
 * @example
 * createConversationId() // '9f86d081884c7d659a2feaa0c55ad015'
 */
export function createConversationId(): string {
  return randomBytes(16).toString('hex');
}
