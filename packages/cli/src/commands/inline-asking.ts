import { createInterface, type Interface } from 'node:readline';
import type { StoredAsk, TurnEvent } from 'baigong';
import { discardTyped } from '../terminal/discard-typed.ts';
import { AskPerson, type AskPersonOptions } from './ask-person.ts';

export interface InlineAskingOptions extends Omit<AskPersonOptions, 'prompt'> {
  /** The terminal was closed, or Ctrl-D typed, while somebody was asked: nobody is there any more. */
  readonly onGone: () => void;
}

/** Asks at the terminal of a command that otherwise reads nothing. */
export class InlineAsking {
  readonly #asks: AskPerson;
  readonly #onGone: () => void;
  #question: string | undefined;
  #lines: Interface | undefined;
  #isOpening = false;

  constructor(options: InlineAskingOptions) {
    this.#onGone = options.onGone;
    this.#asks = new AskPerson({ ...options, prompt: (question) => this.#prompt(question) });
  }

  hear(event: TurnEvent): void {
    if (event.type === 'ask-open') this.open(event.ask);
    if (event.type === 'ask-closed') this.#asks.closed(event.askId, event.answer.kind);
    if (event.type === 'turn-parked' || event.type === 'turn-end') this.#asks.left(event.turnId);
  }

  open(ask: StoredAsk): void {
    this.#asks.opened(ask);
  }

  close(): void {
    this.#question = undefined;
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
  }

  #prompt(question: string | undefined): void {
    if (question === undefined) {
      this.close();
      return;
    }
    this.#question = question;
    if (this.#lines !== undefined) this.#ask(this.#lines, question);
    else if (!this.#isOpening) void this.#open();
  }

  /** Made when it is needed: while nothing is asked, Ctrl-C is the program's own. */
  async #open(): Promise<void> {
    this.#isOpening = true;
    await discardTyped(process.stdin);
    this.#isOpening = false;
    if (this.#question === undefined) return;
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
    this.#ask(lines, this.#question);
  }

  #ask(lines: Interface, question: string): void {
    lines.setPrompt(question);
    lines.prompt();
  }
}
