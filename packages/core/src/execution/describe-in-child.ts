import type { DescribedEntry, EntryRequest } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type { ChildFrame } from '../contracts/frame.ts';
import type { Child, ChildEnd } from './child.ts';
import { FrameError } from './frame-error.ts';

/** Why an entry could not be described. */
export type DescriptionBreak =
  | { readonly kind: 'blocked' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'died'; readonly end: ChildEnd };

/** How far the description of entries came in one child. */
export interface PartialDescription {
  readonly described: readonly DescribedEntry[];
  /** Why the entry after the last described one is missing; absent when all are there. */
  readonly broke?: DescriptionBreak;
}

export interface DescribeLimits {
  /** Milliseconds that one entry may take. */
  readonly entryMs: number;
  /** Milliseconds left for all of them. */
  readonly totalMs: number;
}

/**
 * Of an entry's time, what it gets in a child that has run other code. What those left running may block it; so
 * it gets all of its time only in a child of its own, and is not blamed before.
 */
const SHARED_PART = 0.25;

/**
 * Describes entries in their order, until all are, one blocks, or the child dies; each in a conversation of its own, so
 * that the code of one cannot answer for another. Rejects when the signal aborts.
 */
export async function describeInChild(
  child: Child,
  graph: Digest,
  entries: readonly EntryRequest[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<PartialDescription> {
  const described: DescribedEntry[] = [];
  const isUsed = child.served > 0;
  const deadline = performance.now() + limits.totalMs;
  for (const entry of entries) {
    const entryMs = described.length === 0 && !isUsed ? limits.entryMs : limits.entryMs * SHARED_PART;
    const totalMs = Math.max(0, deadline - performance.now());
    const answer = await describeOne(child, graph, entry, { entryMs, totalMs }, signal);
    if (answer.kind !== 'described') return { described, broke: answer };
    described.push(answer.entry);
  }
  return { described };
}

type Answer = { readonly kind: 'described'; readonly entry: DescribedEntry } | DescriptionBreak;

function describeOne(
  child: Child,
  graph: Digest,
  { entry, kind }: EntryRequest,
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isOver = false;

    const release = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.dismiss();
    };
    const close = (answer: Answer): void => {
      if (isOver) return;
      release();
      resolve(answer);
    };
    const onAbort = (): void => {
      if (isOver) return;
      release();
      child.kill();
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        // What was said in time is read first: a busy host must not blame the file.
        setImmediate(() => {
          if (isOver) return;
          child.kill();
          close({ kind: limits.totalMs <= limits.entryMs ? 'out-of-time' : 'blocked' });
        });
      },
      Math.min(limits.entryMs, limits.totalMs),
    );
    signal.addEventListener('abort', onAbort, { once: true });

    const onFrame = (frame: ChildFrame): undefined => {
      if (frame.type !== 'described' || frame.id !== id || frame.entry.entry !== entry || isOver) {
        throw new FrameError(`a description said ${frame.type} out of turn`);
      }
      close({ kind: 'described', entry: frame.entry });
    };
    const onEnd = (end: ChildEnd): void => close({ kind: 'died', end });

    const id = child.attend({ onFrame, onEnd });
    if (signal.aborted) onAbort();
    else if (!child.alive) void child.ended.then(onEnd);
    else void child.send({ type: 'describe', id, graph, entry, kind });
  });
}
