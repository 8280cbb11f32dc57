import type { Reply, ReplyChannel } from '../contracts/reply.ts';
import type { Store } from '../contracts/store.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { restoreTurn } from './restore-turn.ts';

/** Milliseconds after which a reply that surely was not delivered is tried again. */
const AGAIN_AFTER_MS = 5_000;

/** Hands waiting replies to whoever reaches the place that they are for, each at most once at a time. */
export class ReplyDelivery {
  readonly #store: Store;
  readonly #project: string;
  readonly #channel: ReplyChannel;
  readonly #closing = new AbortController();
  readonly #notBefore = new Map<string, number>();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(store: Store, project: string, channel: ReplyChannel) {
    this.#store = store;
    this.#project = project;
    this.#channel = channel;
  }

  /** Delivers what waits. Never rejects: what could not be delivered waits for the next time. */
  async deliver(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#closing.signal.aborted) {
      this.#again = false;
      await this.#deliverAll().catch(() => {});
    }
  }

  async #deliverAll(): Promise<void> {
    const deduplicates = this.#channel.deduplicates === true;
    for (const stored of await this.#store.replies(this.#project)) {
      if (this.#closing.signal.aborted) return;
      const { turnId, state } = stored;
      if (state === 'unknown' && !deduplicates) continue;
      if ((this.#notBefore.get(turnId) ?? 0) > Date.now() || !this.#channel.reaches(stored)) continue;
      if (!(await this.#store.claimReply(turnId, deduplicates))) continue;
      const { said } = restoreTurn(await this.#store.messages(turnId));
      const locale = (await this.#store.turn(turnId))?.request.locale ?? 'en';
      const why = stored.error === undefined ? [] : [renderText(stored.error.message, locale)];
      const reply: Reply = { ...stored, state: 'sending', text: [...said, ...why].join('\n\n') };
      let isSent = false;
      try {
        await this.#channel.send(reply, this.#closing.signal);
        isSent = true;
        this.#notBefore.delete(turnId);
      } catch {
        this.#notBefore.set(turnId, Date.now() + AGAIN_AFTER_MS);
      }
      await this.#store.settleReply(turnId, isSent ? 'delivered' : 'pending');
    }
  }
}
