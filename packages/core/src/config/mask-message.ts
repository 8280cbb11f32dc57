import type { MessageKey } from '../contracts/message-key.ts';

/** A text with its values masked. */
export function maskMessage(message: MessageKey, mask: (text: string) => string): MessageKey {
  if (message.values === undefined) return message;
  const values = Object.entries(message.values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'string' ? mask(value) : value,
  ]);
  return { ...message, values: Object.fromEntries(values) };
}
