import type { LogLevel } from '../contracts/executor.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

/** Milliseconds that one function of `onDispose` may take. */
const DISPOSE_LIMIT_MS = 5_000;

export interface PluginDisposalOptions {
  readonly plugin: string;
  /** What an error says to people. */
  readonly tell: (error: unknown) => string;
  readonly log: (level: LogLevel, message: string) => void;
}

/** What a plugin handed to `onDispose`. */
export class PluginDisposal {
  readonly #options: PluginDisposalOptions;
  readonly #functions: (() => unknown)[] = [];
  #run: Promise<void> | undefined;

  constructor(options: PluginDisposalOptions) {
    this.#options = options;
  }

  add(dispose: () => unknown): void {
    this.#functions.push(dispose);
  }

  /** Runs the functions, last first, each awaited for at most five seconds; once. Errors are logged. Never rejects. */
  run(): Promise<void> {
    this.#run ??= this.#runAll();
    return this.#run;
  }

  /** Runs a function that comes when all others have run already. */
  async runLate(dispose: () => unknown): Promise<void> {
    await this.#run;
    await this.#runOne(dispose);
  }

  async #runAll(): Promise<void> {
    for (let dispose = this.#functions.pop(); dispose !== undefined; dispose = this.#functions.pop()) {
      await this.#runOne(dispose);
    }
  }

  async #runOne(dispose: () => unknown): Promise<void> {
    const { plugin, tell, log } = this.#options;
    const limit = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => limit.resolve('late'), DISPOSE_LIMIT_MS);
    try {
      const end = await Promise.race([(async () => dispose())(), limit.promise]);
      if (end === 'late') {
        log('error', renderText(text('execution.dispose-timed-out', { plugin, limitMs: DISPOSE_LIMIT_MS }), 'en'));
      }
    } catch (error) {
      log('error', renderText(text('execution.dispose-failed', { plugin, reason: tell(error) }), 'en'));
    } finally {
      clearTimeout(timer);
    }
  }
}
