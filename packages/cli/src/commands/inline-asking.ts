import { createInterface, type Interface } from 'node:readline';
import type { StoredAsk, TurnEvent } from 'baigong';
import { discardLine } from '../terminal/discard-line.ts';
import { discardTyped } from '../terminal/discard-typed.ts';
import type { Output } from '../terminal/output.ts';
import { AskPerson, type AskPersonOptions } from './ask-person.ts';

export interface InlineAskingOptions extends Omit<AskPersonOptions, 'prompt' | 'discard'> {
  /** The terminal was closed, or Ctrl-D typed, while somebody was asked: nobody is there any more. */
  readonly onGone: () => void;
}

/** Asks at the terminal of a command that otherwise reads nothing. */
export class InlineAsking {
  readonly #asks: AskPerson;
  readonly #onGone: () => void;
  #lines: Interface | undefined;
  #isClosed = false;

  constructor(options: InlineAskingOptions) {
    this.#onGone = options.onGone;
    this.#asks = new AskPerson({
      ...options,
      prompt: (question) => this.#prompt(question),
      discard: () => this.#discard(),
    });
  }

  hear(event: TurnEvent): void {
    if (event.type === 'ask-open') this.open(event.ask);
    if (event.type === 'ask-closed') this.#asks.closed(event.askId, event.answer.kind);
    if (event.type === 'turn-parked' || event.type === 'turn-end') this.#asks.left(event.turnId);
  }

  open(ask: StoredAsk): void {
    this.#asks.opened(ask);
  }

  /** An output that waits as long as somebody is asked. */
  behind(output: Output): Output {
    return this.#asks.behind(output);
  }

  /** Asks no more; what was held back is said. */
  close(): void {
    this.#isClosed = true;
    this.#closeLines();
    this.#asks.flush();
  }

  #prompt(question: string | undefined): void {
    if (this.#isClosed) return;
    if (question === undefined) {
      this.#closeLines();
      return;
    }
    const lines = this.#lines ?? this.#open();
    lines.setPrompt(question);
    lines.prompt();
  }

  #discard(): Promise<void> {
    return this.#lines === undefined ? discardTyped(process.stdin) : discardLine(this.#lines, process.stdin);
  }

  #closeLines(): void {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  /** Made when it is needed: while nothing is asked, Ctrl-C is the program's own. */
  #open(): Interface {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    this.#lines = lines;
    lines.on('line', (line) => void this.#asks.line(line));
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // A terminal that is gone cannot be set back; the signal that says so ends the program in order.
    lines.on('error', () => {});
    lines.on('close', () => {
      if (this.#lines !== lines) return;
      this.#lines = undefined;
      this.#onGone();
    });
    return lines;
  }
}
