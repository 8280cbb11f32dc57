import type { LogLevel } from '../contracts/executor.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits } from './execution-limits.ts';

/** Collects what a call prints, up to 64 KiB of both streams together. */
export class OutputCapture {
  readonly #chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  #left: number = executionLimits.outputBytes;
  #isCut = false;

  add(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#left);
    if (kept.length < chunk.length) this.#isCut = true;
    if (kept.length === 0) return;
    this.#left -= kept.length;
    // A copy: the rest of the buffer that it is a part of would stay in memory with it.
    this.#chunks[stream].push(Uint8Array.from(kept));
  }

  /** Hands what was printed to `log`: standard output as information, standard error as warning. */
  tell(log: (level: LogLevel, message: string) => void, locale: Locale): void {
    const printed = Buffer.concat(this.#chunks.stdout).toString();
    const warned = Buffer.concat(this.#chunks.stderr).toString();
    if (printed !== '') log('info', printed);
    if (warned !== '') log('warn', warned);
    if (this.#isCut) {
      log('warn', renderText(text('execution.output-cut', { bytes: executionLimits.outputBytes }), locale));
    }
  }
}
