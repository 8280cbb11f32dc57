import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

/** Whose code runs in the host. */
export interface HostCodeOwner {
  readonly kind: 'plugin' | 'tool' | 'config';
  /** As people know it. */
  readonly name: string;
  /** What a thrown value says to people, and the author's line. */
  tell(thrown: unknown): { readonly message: string; readonly file?: string };
}

type Exit = typeof process.exit;

// One for the process, however many copies of this package it has: there is but one `process.exit`.
const KEY = Symbol.for('baigong.host-code.1');

/**
 * Knows whose code runs: whatever begins within {@link HostCode.enter}, timers included, belongs to that owner. While
 * somebody holds it, `process.exit` throws for owners, and goes on ending the program for everybody else.
 *
 * @example
 * const release = HostCode.ofProcess().hold();
 * await HostCode.ofProcess().enter(owner, () => setup(context));
 */
export class HostCode {
  readonly #owners = new AsyncLocalStorage<HostCodeOwner>();
  #holders = 0;
  #exit: { readonly original: Exit; readonly guarded: Exit } | undefined;

  static ofProcess(): HostCode {
    const known: unknown = Reflect.get(globalThis, KEY);
    if (known !== undefined) return known as HostCode;
    const made = new HostCode();
    Object.defineProperty(globalThis, KEY, { value: made });
    return made;
  }

  get owner(): HostCodeOwner | undefined {
    return this.#owners.getStore();
  }

  enter<Value>(owner: HostCodeOwner, work: () => Value): Value {
    return this.#owners.run(owner, work);
  }

  /** Guards `process.exit` until the returned function has been called, by each holder once. */
  hold(): () => void {
    this.#holders += 1;
    if (this.#holders === 1) this.#guard();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) this.#unguard();
    };
  }

  #guard(): void {
    const original = process.exit;
    const guarded = (...codes: Parameters<Exit>): never => {
      const owner = this.#holders > 0 ? this.owner : undefined;
      if (owner === undefined) return Reflect.apply(original, process, codes);
      throw new Error(renderText(text('execution.no-exit', { name: owner.name }), 'en'));
    };
    this.#exit = { original, guarded };
    process.exit = guarded;
    (process as EventEmitter).prependListener('newListener', this.#onListener);
    syncBuiltinESMExports();
  }

  #unguard(): void {
    (process as EventEmitter).off('newListener', this.#onListener);
    // Another one may have laid itself over ours; it calls on, and ours lets everything through from now on.
    if (this.#exit !== undefined && process.exit === this.#exit.guarded) process.exit = this.#exit.original;
    syncBuiltinESMExports();
  }

  /**
   * All listeners of a signal run in the context in which the first one came. Were that an owner's, nobody could end
   * the program on this signal any more: so the first one is ours, outside of every owner.
   */
  readonly #onListener = (name: string | symbol): void => {
    if (typeof name !== 'string' || !Object.hasOwn(constants.signals, name) || this.owner === undefined) return;
    if (process.listenerCount(name) > 0) return;
    const first = (): void => undefined;
    this.#owners.exit(() => process.on(name, first));
    queueMicrotask(() => process.off(name, first));
  };
}
