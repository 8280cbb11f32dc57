import type { DescribedEntry, EntryRequest } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type { ChildFrame } from '../contracts/frame.ts';
import type { Child, ChildEnd } from './child.ts';
import { createConversationId } from './create-conversation-id.ts';
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

/** Entries in one frame, which has its limit of bytes. */
const BATCH = 256;

/**
 * Describes entries in their order, until all are, one blocks, or the child dies. The child goes from one to the next
 * without waiting for us; each has an id of its own, so that the code of one cannot answer for another. Rejects when the
 * signal aborts.
 */
export async function describeInChild(
  child: Child,
  graph: Digest,
  entries: readonly EntryRequest[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<PartialDescription> {
  const described: DescribedEntry[] = [];
  let isUsed = child.served > 0;
  const deadline = performance.now() + limits.totalMs;
  while (described.length < entries.length) {
    const batch = entries.slice(described.length, described.length + BATCH);
    const times = { entryMs: limits.entryMs, firstMs: limits.entryMs * (isUsed ? SHARED_PART : 1), deadline };
    const answer = await describeBatch(child, graph, batch, times, signal);
    described.push(...answer.described);
    if (answer.broke !== undefined) return { described, broke: answer.broke };
    isUsed = true;
  }
  return { described };
}

interface BatchTimes {
  /** Milliseconds for the first entry. */
  readonly firstMs: number;
  /** Milliseconds for an entry in a child that has run nothing else, of which each later one gets its part. */
  readonly entryMs: number;
  /** When all must be described, by `performance.now()`. */
  readonly deadline: number;
}

function describeBatch(
  child: Child,
  graph: Digest,
  entries: readonly EntryRequest[],
  times: BatchTimes,
  signal: AbortSignal,
): Promise<PartialDescription> {
  return new Promise((resolve, reject) => {
    const requests = entries.map(({ entry, kind }) => ({ id: createConversationId(), entry, kind }));
    const described: DescribedEntry[] = [];
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;

    const release = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.dismiss();
    };
    const close = (broke?: DescriptionBreak): void => {
      if (isOver) return;
      release();
      resolve(broke === undefined ? { described } : { described, broke });
    };
    const onAbort = (): void => {
      if (isOver) return;
      release();
      child.kill();
      reject(signal.reason);
    };
    /** The time of an entry begins when the one before is answered. */
    const startTimer = (): void => {
      clearTimeout(timer);
      const awaited = described.length;
      const entryMs = awaited === 0 ? times.firstMs : times.entryMs * SHARED_PART;
      const totalMs = Math.max(0, times.deadline - performance.now());
      const giveUp = (): void => {
        if (isOver || described.length > awaited) return;
        child.kill();
        close({ kind: totalMs <= entryMs ? 'out-of-time' : 'blocked' });
      };
      // What was said in time is read first: a busy host must not blame the file.
      timer = setTimeout(() => setImmediate(giveUp), Math.min(entryMs, totalMs));
    };
    signal.addEventListener('abort', onAbort, { once: true });

    const onFrame = (frame: ChildFrame): undefined => {
      const request = requests[described.length];
      if (frame.type !== 'described' || request === undefined || isOver) {
        throw new FrameError(`a description said ${frame.type} out of turn`);
      }
      if (frame.id !== request.id || frame.entry.entry !== request.entry) {
        throw new FrameError('a description came for another entry');
      }
      described.push(frame.entry);
      if (described.length === requests.length) close();
      else startTimer();
    };
    const onEnd = (end: ChildEnd): void => close({ kind: 'died', end });

    child.attend({ onFrame, onEnd });
    if (signal.aborted) onAbort();
    else if (!child.alive) void child.ended.then(onEnd);
    else {
      startTimer();
      void child.send({ type: 'describe', graph, entries: requests });
    }
  });
}
