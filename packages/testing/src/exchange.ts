import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExchangeEnd } from './received-request.ts';

/** One request and its response on the wire, up to the moment either side is done with it. */
export class Exchange {
  readonly response: ServerResponse;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();
  readonly ended: Promise<ExchangeEnd>;
  readonly #controller = new AbortController();
  #early: ExchangeEnd | undefined;

  constructor(response: ServerResponse) {
    this.response = response;
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        resolve(this.#early ?? (response.writableFinished ? 'sent' : 'client-left'));
        this.#controller.abort();
      });
    });
  }

  /** Aborted when the exchange is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Drops the connection once what was written has left, as the script asks. A client discards what it has not read yet
   * when it sees the end, so it first gets some turns to read, in this process as well as in another.
   */
  async cut(): Promise<void> {
    await new Promise<void>((resolve) => this.response.write('', () => resolve()));
    for (let turn = 0; turn < 10; turn += 1) await delay(5, undefined, { signal: this.signal });
    this.#early = 'cut';
    this.response.destroy();
  }

  /** Drops the connection because the server closes. */
  close(): void {
    this.#early ??= 'server-closed';
    this.response.destroy();
  }
}
