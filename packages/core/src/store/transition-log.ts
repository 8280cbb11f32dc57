import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { type Failpoint, type TransitionName, transitions } from '../contracts/turn-machine.ts';
import { StoreError } from './store-error.ts';

/** Stands for the state of what is not there yet. */
const NEW = '-';

/** The transitions of one transaction. Each change of a state is noted here first, and refused if it is none of them. */
export class TransitionLog {
  readonly #failpoint: ((name: Failpoint) => void) | undefined;
  #names: TransitionName[] = [];

  constructor(failpoint: ((name: Failpoint) => void) | undefined) {
    this.#failpoint = failpoint;
  }

  /** Throws a `StoreError` of code `FAILED` for what the state machine does not have. */
  note(name: TransitionName, from: string | null, id: string): void {
    const { from: allowed } = transitions[name];
    if (!(allowed as readonly (string | null)[]).includes(from)) {
      const values = { transition: name, id: showText(id), from: from ?? NEW, allowed: allowed.map(shown).join(', ') };
      throw new StoreError('FAILED', text('store.illegal-transition', values));
    }
    this.#names.push(name);
  }

  /** All statements are done, nothing is committed. */
  before(): void {
    if (this.#failpoint !== undefined) for (const name of this.#names) this.#failpoint(`${name}:before`);
  }

  /** Everything is committed. */
  after(): void {
    if (this.#failpoint !== undefined) for (const name of this.#names) this.#failpoint(`${name}:after`);
  }
}

function shown(state: string | null): string {
  return state ?? NEW;
}
