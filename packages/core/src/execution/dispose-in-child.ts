import type { ChildFrame, FramePlugin } from '../contracts/frame.ts';
import type { Child } from './child.ts';
import { FrameError } from './frame-error.ts';

/** Milliseconds that the plugins of a child have to tidy up. */
const DISPOSE_LIMIT_MS = 1_000;

/**
 * Has a plugin of a child disposed, or all of them; nobody else may talk with the child meanwhile. A child that has not
 * answered after a second is ended. Never rejects.
 */
export function disposeInChild(child: Child, plugin?: FramePlugin): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const close = (isDone: boolean): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      child.dismiss();
      if (!isDone) child.kill();
      resolve();
    };
    const giveUp = (): void => close(false);
    const timer = setTimeout(() => setImmediate(giveUp), DISPOSE_LIMIT_MS);
    const onFrame = (frame: ChildFrame): undefined => {
      if (frame.type !== 'disposed' || frame.id !== id || isOver) throw new FrameError(`a disposal got ${frame.type}`);
      close(true);
    };
    const id = child.attend({ onFrame, onEnd: giveUp });
    if (!child.alive) giveUp();
    else void child.send({ type: 'dispose', id, ...(plugin === undefined ? {} : { plugin }) });
  });
}
