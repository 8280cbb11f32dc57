import type { AssistantMessage } from '../contracts/message.ts';
import { profileOf } from './profile-of.ts';

const ANY_ID = /^\S{1,128}$/;

/**
 * Gives every call of one request the id that the provider is told: its own where it gave one that it takes back,
 * else ours. Ids are unique within a request (Anthropic refuses repeated ones, and small models give `call_0` at every
 * step).
 */
export class WireCallIds {
  readonly #pattern: RegExp;
  readonly #used = new Set<string>();

  constructor(provider: string) {
    this.#pattern = profileOf(provider)?.callId ?? ANY_ID;
  }

  idOf(call: AssistantMessage['calls'][number]): string {
    const { providerCallId } = call;
    if (this.#pattern.test(providerCallId) && !this.#used.has(providerCallId)) {
      this.#used.add(providerCallId);
      return providerCallId;
    }
    const base = call.id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(-40);
    let id = base;
    for (let number = 2; this.#used.has(id); number += 1) id = `${base.slice(-36)}-${number}`;
    this.#used.add(id);
    return id;
  }
}
