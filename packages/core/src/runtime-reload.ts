import type { CapabilitySource } from './contracts/capability-source.ts';
import type { Problem } from './contracts/problem.ts';
import { keepWatching, watchFiles } from './registry/index.ts';

/** What a reload led to. */
export type ReloadResult =
  /** A new generation serves from now on. */
  | { readonly status: 'changed'; readonly generation: number; readonly problems: readonly Problem[] }
  /** Nothing that counts has changed. */
  | { readonly status: 'unchanged'; readonly generation: number }
  /** What is there now has faults: the generation before goes on serving. */
  | { readonly status: 'refused'; readonly generation: number; readonly problems: readonly Problem[] };

/** What a runtime that watches its files has to say. */
export type RuntimeNotice =
  | ({ readonly type: 'reload' } & ReloadResult)
  /** Only a new process takes up what changed there. */
  | { readonly type: 'restart-needed'; readonly path: string }
  /** Some changes may go unseen from now on. */
  | { readonly type: 'watch-failed'; readonly reason: string };

export interface ReloaderOptions {
  readonly load: () => Promise<ReloadResult>;
  /** Milliseconds without a change after which one counts as complete. */
  readonly quietMs: () => number;
  readonly notice: (notice: RuntimeNotice) => void;
}

/** How many times the quiet time a change may go on before it is loaded all the same. */
const MOST_QUIET_TIMES = 20;

/**
 * Reloads one after the other, and on its own when files change: what is saved in a burst is one reload.
 */
export class Reloader {
  readonly #options: ReloaderOptions;
  #running: Promise<ReloadResult> | undefined;
  #next: Promise<ReloadResult> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstChangeAt = 0;
  #stops: (() => Promise<void>)[] = [];
  #isClosed = false;
  /** Was the last thing that was told a fault? */
  #toldFault = false;

  constructor(options: ReloaderOptions) {
    this.#options = options;
  }

  /** Loads now; who asks while a load is under way gets the next one, which sees everything that was there by then. */
  reload(): Promise<ReloadResult> {
    if (this.#running === undefined) {
      this.#running = this.#options.load().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.reload();
      });
    return this.#next;
  }

  /** `files`: absolute paths outside the sources' own that count too, such as the configuration; asked anew after each load. */
  async watch(
    sources: readonly CapabilitySource[],
    root: string | undefined,
    files: () => readonly string[],
  ): Promise<void> {
    const listener = {
      changed: () => this.#changed(),
      restartNeeded: (path: string) => this.#options.notice({ type: 'restart-needed', path }),
      failed: (reason: string) => this.#options.notice({ type: 'watch-failed', reason }),
    };
    const watching = [...sources.map((source) => source.watch?.(listener)), this.#watchFiles(root, files, listener)];
    const stops = (await Promise.all(watching)).filter((stop) => stop !== undefined);
    if (this.#isClosed) await Promise.all(stops.map((stop) => stop()));
    else this.#stops = stops;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const stops = this.#stops;
    this.#stops = [];
    await Promise.all(stops.map((stop) => stop()));
    await this.#running?.catch(() => undefined);
  }

  /** The configuration lies in the project's folder as a rule: where that one goes, so do its watchers. */
  #watchFiles(
    root: string | undefined,
    files: () => readonly string[],
    listener: Parameters<typeof watchFiles>[1],
  ): Promise<() => Promise<void>> {
    const start = () => watchFiles(files, listener);
    return root === undefined ? start() : keepWatching(root, start, () => this.#changed());
  }

  #changed(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    const quietMs = this.#options.quietMs();
    if (this.#timer === undefined) this.#firstChangeAt = now;
    else if (now - this.#firstChangeAt > quietMs * MOST_QUIET_TIMES) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isClosed) return;
      this.reload().then(
        (result) => {
          // Back at what serves, after a fault was told: whoever waits for the repair is told of it too.
          const isNews = result.status !== 'unchanged' || this.#toldFault;
          this.#toldFault = result.status === 'refused';
          if (!this.#isClosed && isNews) this.#options.notice({ type: 'reload', ...result });
        },
        // Only a broken machine makes a load reject; the next change tries again.
        (error: unknown) => {
          if (this.#isClosed) return;
          const reason = error instanceof Error ? error.message : String(error);
          this.#options.notice({ type: 'watch-failed', reason });
        },
      );
    }, quietMs);
  }
}
