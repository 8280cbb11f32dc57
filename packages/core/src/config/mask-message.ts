import type { MessageKey } from '../contracts/message-key.ts';

/** A text with its values masked. */
export function maskMessage(message: MessageKey, mask: (text: string) => string): MessageKey {
  if (message.values === undefined) return message;
  const values = Object.entries(message.values).map(([name, value]) => [name, masked(value, mask)]);
  return { ...message, values: Object.fromEntries(values) };
}

function masked(value: string | number | MessageKey, mask: (text: string) => string): string | number | MessageKey {
  if (typeof value === 'object') return maskMessage(value, mask);
  return typeof value === 'string' ? mask(value) : value;
}
