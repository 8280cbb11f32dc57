import { createInterface, type Interface } from 'node:readline';
import type { StoredAsk, TurnEvent } from 'baigong';
import { AskPerson, type AskPersonOptions } from './ask-person.ts';

/** Asks at the terminal of a command that otherwise reads nothing. */
export class InlineAsking {
  readonly #asks: AskPerson;
  #lines: Interface | undefined;

  constructor(options: Omit<AskPersonOptions, 'prompt'>) {
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
    this.#lines?.close();
    this.#lines = undefined;
  }

  #prompt(question: string | undefined): void {
    if (question === undefined) {
      this.close();
      return;
    }
    // Made when it is needed: while nothing is asked, Ctrl-C is the program's own.
    if (this.#lines === undefined) {
      this.#lines = createInterface({ input: process.stdin, output: process.stderr });
      this.#lines.on('line', (line) => void this.#asks.line(line));
      this.#lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    }
    this.#lines.setPrompt(question);
    this.#lines.prompt();
  }
}
