import type { ChildFrame } from '../contracts/frame.ts';
import type { Child } from './child.ts';
import { FrameError } from './frame-error.ts';

/** Milliseconds that a child has to answer. Then it is ended, and another one does the work. */
const ANSWER_LIMIT_MS = 1_000;

/**
 * Is the child, which has run code already, still able to do something? What that code left running may block it. It
 * is asked before it is given a call: a call that was never handed over surely did not begin and may go elsewhere.
 * A child that does not answer in time is ended. Never rejects.
 */
export function isAnswering(child: Child, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let isOver = false;
    const close = (answers: boolean): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      child.dismiss();
      if (!answers) child.kill();
      resolve(answers);
    };
    const giveUp = (): void => close(false);
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_LIMIT_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    const onFrame = (frame: ChildFrame): undefined => {
      if (frame.type !== 'pong' || frame.id !== id || isOver) throw new FrameError(`a question got ${frame.type}`);
      close(true);
    };
    const id = child.attend({ onFrame, onEnd: giveUp });
    if (signal.aborted || !child.alive) giveUp();
    else void child.send({ type: 'ping', id });
  });
}
