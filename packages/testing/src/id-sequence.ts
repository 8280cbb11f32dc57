/** Counts ids instead of drawing them, so that the same requests in the same order get the same answers. */
export class IdSequence {
  #messages = 0;
  #calls = 0;

  nextMessage(format: 'openai' | 'anthropic' | undefined): string {
    this.#messages += 1;
    return `${format === 'anthropic' ? 'msg_' : 'chatcmpl-'}${this.#messages}`;
  }

  /** Skips `taken`: a restarted server must not repeat an id the conversation has, for providers refuse that. */
  nextCall(format: 'openai' | 'anthropic' | undefined, taken: ReadonlySet<string>): string {
    const prefix = format === 'anthropic' ? 'toolu' : 'call';
    do {
      this.#calls += 1;
    } while (taken.has(`${prefix}_${this.#calls}`));
    return `${prefix}_${this.#calls}`;
  }
}
