import type { DescribedEntry } from '../contracts/capability-source.ts';
import type { ChildFrame } from '../contracts/frame.ts';
import type { Child, ChildEnd } from './child.ts';
import { FrameError } from './frame-error.ts';

/** How far the description of entries came in one child. */
export interface PartialDescription {
  readonly described: readonly DescribedEntry[];
  /** Why the entry after the last described one is missing; absent when all are there. */
  readonly broke?:
    | { readonly kind: 'blocked' }
    | { readonly kind: 'out-of-time' }
    | { readonly kind: 'died'; readonly end: ChildEnd };
}

export interface DescribeLimits {
  /** Milliseconds that one entry may take. */
  readonly entryMs: number;
  /** Milliseconds left for all of them. */
  readonly totalMs: number;
}

/** Describes entries in their order, until all are, one blocks, or the child dies. Rejects when the signal aborts. */
export function describeInChild(
  child: Child,
  entries: readonly string[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<PartialDescription> {
  return new Promise((resolve, reject) => {
    const described: DescribedEntry[] = [];
    let entryTimer: NodeJS.Timeout | undefined;
    let isOver = false;

    const release = (): void => {
      isOver = true;
      clearTimeout(entryTimer);
      clearTimeout(totalTimer);
      signal.removeEventListener('abort', onAbort);
      child.dismiss();
    };
    const close = (broke?: PartialDescription['broke']): void => {
      if (isOver) return;
      release();
      resolve(broke === undefined ? { described } : { described, broke });
    };
    const stop = (kind: 'blocked' | 'out-of-time'): void => {
      // All that was described before is read first: a busy host must not blame the wrong file.
      setImmediate(() => {
        if (isOver) return;
        child.kill();
        if (described.length === entries.length) close();
        else close({ kind });
      });
    };
    const onAbort = (): void => {
      if (isOver) return;
      release();
      child.kill();
      reject(signal.reason);
    };
    const watchNext = (): void => {
      clearTimeout(entryTimer);
      entryTimer = setTimeout(() => stop('blocked'), limits.entryMs);
    };
    const totalTimer = setTimeout(() => stop('out-of-time'), limits.totalMs);
    signal.addEventListener('abort', onAbort, { once: true });

    const onFrame = (frame: ChildFrame): undefined => {
      if (frame.type === 'ready' || frame.id !== id) throw new FrameError('a frame of no running description');
      if (frame.type === 'describe-end' && described.length === entries.length) {
        close();
        return;
      }
      if (frame.type !== 'described' || frame.entry.entry !== entries[described.length]) {
        throw new FrameError(`a description said ${frame.type} out of turn`);
      }
      described.push(frame.entry);
      watchNext();
    };
    const onEnd = (end: ChildEnd): void => {
      if (described.length === entries.length) close();
      else close({ kind: 'died', end });
    };

    const id = child.attend({ onFrame, onEnd });
    if (!child.alive) void child.ended.then(onEnd);
    watchNext();
    void child.send({ type: 'describe', id, entries });
  });
}
