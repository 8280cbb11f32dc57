import type { CallScope } from '../contracts/call.ts';
import type { Json } from '../contracts/json.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { plainJson } from '../execution/plain-json.ts';
import { AskRefused } from './ask-refused.ts';
import { shortened } from './shortened.ts';

const MESSAGE_CHARS = 8_192;

/**
 * Calls a method of a service for code in another process: one that its provider declared as `remote`, with plain data
 * in both directions. What the service throws reaches the code as its message alone.
 */
export async function callService(
  { services, locale }: Pick<CallScope, 'services' | 'locale'>,
  token: string,
  method: string,
  args: readonly Json[],
): Promise<Json | undefined> {
  const refuse = (...reason: Parameters<typeof text>) => new AskRefused(text(...reason), locale);
  const values = { token: shortened(token), method: shortened(method) };
  const provided = services.get(token);
  if (provided === undefined) throw refuse('execution.no-service', { token: values.token });
  if (provided.remote.length === 0) throw refuse('execution.service-not-remote', { token: values.token });
  if (!provided.remote.includes(method)) {
    throw refuse('dispatch.method-not-remote', { ...values, methods: provided.remote.join(', ') });
  }
  let result: unknown;
  try {
    const { value } = provided;
    const run: unknown = (value as Readonly<Record<string, unknown>>)[method];
    if (typeof run !== 'function') throw refuse('dispatch.method-missing', values);
    // The service's own code may change what it gets; the code that asked has its own copy anyway.
    result = await Reflect.apply(run, value, structuredClone(args));
  } catch (error) {
    if (error instanceof AskRefused) throw error;
    throw refuse('plain', { text: messageOf(error) });
  }
  const plain = plainJson(result);
  if (plain.ok) return plain.value;
  const where = plain.pointer === '' ? renderText(text('execution.top'), locale) : shortened(plain.pointer);
  throw refuse('dispatch.service-not-json', { ...values, where, found: renderText(plain.found, locale) });
}

function messageOf(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : error;
  return String(message).slice(0, MESSAGE_CHARS);
}
