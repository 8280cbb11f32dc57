import type { CallId } from '../contracts/call.ts';

/**
 * What the calls of a turn do at this moment: says when all that is under way waits for people, since then the turn's
 * time stands still and it may park. Calls that code makes count with the call that a model made.
 */
export class TurnActivity {
  readonly #running = new Set<string>();
  /** How many asks each call waits for. */
  readonly #waiting = new Map<string, number>();
  /** Of those, the ones whose code cannot be run again. */
  readonly #held = new Map<string, number>();
  /** Calls that wait for their place in the step. */
  readonly #standing = new Set<string>();
  readonly #changed: (onlyWaits: boolean) => void;
  #onlyWaits = false;

  constructor(changed: (onlyWaits: boolean) => void) {
    this.#changed = changed;
  }

  get onlyWaits(): boolean {
    return this.#onlyWaits;
  }

  /** Nothing that waits would be lost by parking. */
  get mayPark(): boolean {
    return this.#held.size === 0;
  }

  begin(id: CallId): void {
    this.#running.add(id);
    this.#look();
  }

  end(id: CallId): void {
    this.#running.delete(id);
    this.#waiting.delete(id);
    this.#held.delete(id);
    this.#standing.delete(id);
    this.#look();
  }

  wait(id: CallId, mayPark: boolean): void {
    const root = rootOf(id);
    add(this.#waiting, root, 1);
    if (!mayPark) add(this.#held, root, 1);
    this.#look();
  }

  goOn(id: CallId, mayPark: boolean): void {
    const root = rootOf(id);
    add(this.#waiting, root, -1);
    if (!mayPark) add(this.#held, root, -1);
    this.#look();
  }

  stand(id: CallId): void {
    this.#standing.add(id);
    this.#look();
  }

  step(id: CallId): void {
    this.#standing.delete(id);
    this.#look();
  }

  #look(): void {
    const onlyWaits =
      this.#waiting.size > 0 && [...this.#running].every((id) => this.#waiting.has(id) || this.#standing.has(id));
    if (onlyWaits === this.#onlyWaits) return;
    this.#onlyWaits = onlyWaits;
    this.#changed(onlyWaits);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** `<turn>.<step>.<index>` of `<turn>.<step>.<index>.<n>…`; ids of turns have no dot. */
function rootOf(id: CallId): string {
  return id.split('.', 3).join('.');
}
