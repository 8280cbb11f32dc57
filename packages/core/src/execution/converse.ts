import type { ChildFrame, HostFrame } from '../contracts/frame.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { CallClock } from './call-clock.ts';
import type { Child, ChildEnd } from './child.ts';
import { childEndText } from './child-end-text.ts';
import { type Beginning, endedEarly, LOAD_LIMIT_MS, type StopReason } from './ended-early.ts';
import { executionLimits } from './execution-limits.ts';
import type { FailedEnd } from './failed-end.ts';
import { FrameError } from './frame-error.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';
import type { OutputCapture } from './output-capture.ts';
import { SETUP_LIMIT_MS } from './set-up-plugin.ts';

/** Frames of a conversation, but those that every conversation treats alike. */
export type TalkFrame = Exclude<ChildFrame, { readonly type: 'ready' | 'started' | 'error' }>;

export interface Conversation<Value> {
  readonly child: Child;
  readonly signal: AbortSignal;
  /** Milliseconds from the beginning of the tool's code. */
  readonly limitMs: number;
  /** Milliseconds that a stopped tool has to end by itself before its process is killed. */
  readonly killGraceMs: number;
  /** Milliseconds that loading may take before that. Default {@link LOAD_LIMIT_MS}, and more where a plugin is set up. */
  readonly loadLimitMs?: number;
  readonly locale: Locale;
  readonly open: (id: string) => HostFrame;
  /**
   * Returns the answer when the frame is the last one; throws `FrameError` for a frame that has no place here. `hold`
   * makes the time limit stand still while a person is waited for.
   */
  readonly onFrame: (
    frame: TalkFrame,
    bytes: number,
    hold: (waiting: boolean) => void,
  ) => Answer<Value> | undefined | Promise<undefined>;
}

export interface Answer<Value> {
  readonly value: Value;
}

export type ConversationEnd<Value> =
  | { readonly ok: true; readonly value: Value; readonly output: OutputCapture }
  | {
      readonly ok: false;
      readonly end: FailedEnd;
      readonly output: OutputCapture;
      readonly again: Again;
    };

/**
 * May another child be asked? `always`: the request was never handed over, or a child that had run other code, which may
 * be to blame, could not load the code (but a setup that failed is not run again). `if-harmless`: the child died and nothing
 * was heard of a beginning; but it had run other code before, so that silence proves nothing.
 */
export type Again = 'always' | 'if-harmless' | 'never';

/**
 * One request to a child and everything until its answer: the time limit, the abort, and the death of the child.
 * A child that does not end its work within the grace after `cancel` is killed with its descendants. Never rejects;
 * ends at the latest some 400 ms after limit or abort.
 */
export function converse<Value>(conversation: Conversation<Value>): Promise<ConversationEnd<Value>> {
  const { child, signal, limitMs, killGraceMs, locale } = conversation;
  return new Promise((resolve) => {
    let stopped: StopReason | undefined;
    let grace: NodeJS.Timeout | undefined;
    let isConcluded = false;
    let isOver = false;

    // What the silence of a child that has run code is worth: that code may be what keeps it silent.
    const isUsed = child.served > 0;
    const hadCalls = child.ranCalls;

    const close = (result: { ok: true; value: Value } | { ok: false; end: FailedEnd; again: Again }): void => {
      if (isOver) return;
      isOver = true;
      clock.stop();
      clearTimeout(grace);
      resolve({ ...result, output: child.dismiss() });
    };
    const fail = (end: FailedEnd, again: Again = 'never'): void => close({ ok: false, end, again });
    const beginning = (saysNot = false): Beginning => {
      if (clock.begun) return 'begun';
      return saysNot || !isUsed ? 'not-begun' : 'unclear';
    };
    const effectOf = (state: Beginning) => (state === 'not-begun' ? ({ effect: 'none' } as const) : {});
    const failStopped = (reason: StopReason, state: Beginning): void =>
      fail(endedEarly(reason, state, limitMs, locale));

    const stop = (reason: StopReason): void => {
      stopped = reason;
      void child.send({ type: 'cancel', id, reason });
      grace = setTimeout(() => child.kill(), killGraceMs);
    };

    /** The last frame is there; what was printed before it may still be on its way through another pipe. */
    const conclude = (finish: () => void): void => {
      isConcluded = true;
      clock.stop();
      clearTimeout(grace);
      setImmediate(finish);
    };

    const onFrame = (frame: ChildFrame, bytes: number): undefined | Promise<void> => {
      if (frame.type === 'ready' || frame.id !== id || isConcluded) throw new FrameError('a frame of no running call');
      if (frame.type === 'started') {
        if (clock.begun) throw new FrameError('a call started twice');
        clock.begin();
        return undefined;
      }
      if (frame.type === 'error') {
        const { type: _type, id: _id, unbegun, ...failure } = frame;
        const state = beginning(unbegun);
        conclude(() =>
          stopped === undefined
            ? fail(
                { ok: false, ...failure, ...effectOf(state) },
                isUsed && state === 'not-begun' && !setsUp(opening) ? 'always' : 'never',
              )
            : failStopped(stopped, state),
        );
        return undefined;
      }
      if (!clock.begun) throw new FrameError('a call said something before it started');
      const answer = conversation.onFrame(frame, bytes, (waiting) => clock.hold(waiting));
      if (answer === undefined || answer instanceof Promise) return answer;
      conclude(() =>
        stopped === undefined ? close({ ok: true, value: answer.value }) : failStopped(stopped, 'begun'),
      );
      return undefined;
    };

    const onEnd = (end: ChildEnd): void => {
      if (isConcluded) return;
      if (stopped !== undefined) {
        failStopped(stopped, beginning());
        return;
      }
      const why = end.fault ?? end.startError?.message;
      const failure: FailedEnd = {
        ok: false,
        code: 'EXECUTION_ERROR',
        message: childEndText(end, hadCalls, locale),
        ...(why === undefined ? {} : { stack: why }),
        ...effectOf(beginning()),
      };
      fail(failure, isUsed && !clock.begun && end.fault === undefined ? 'if-harmless' : 'never');
    };

    const id = child.attend({ onFrame, onEnd });
    const opening = conversation.open(id);
    const clock = new CallClock(signal, limitMs, stop, conversation.loadLimitMs ?? loadLimitOf(opening));
    if (!child.alive) return fail(neverHeard(locale), 'always');
    if (opening.type === 'call' || opening.type === 'validate') child.ranCalls = true;
    if (setsUp(opening)) child.holdsPlugins = true;
    child.send(opening).catch((error: unknown) => {
      // Nothing was sent, so the child has no part in it.
      fail(error instanceof FrameTooLargeError ? tooLarge(locale) : notSendable(error, locale));
    });
  });
}

/** Setting up its plugin is a part of a tool's loading. */
function loadLimitOf(opening: HostFrame): number {
  return setsUp(opening) ? LOAD_LIMIT_MS + SETUP_LIMIT_MS : LOAD_LIMIT_MS;
}

function setsUp(opening: HostFrame): boolean {
  if (opening.type === 'set-up') return true;
  if (opening.type !== 'call' && opening.type !== 'validate') return false;
  return opening.code.plugin !== undefined || opening.code.member !== undefined;
}

function tooLarge(locale: Locale): FailedEnd {
  const limitMb = executionLimits.frameBytes / 1024 / 1024;
  const message = renderText(text('execution.input-too-large', { limitMb }), locale);
  return { ok: false, code: 'INVALID_ARGUMENTS', message, effect: 'none' };
}

/** A host may put values into a request that are no JSON. */
function notSendable(error: unknown, locale: Locale): FailedEnd {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0]?.slice(0, 200) : undefined;
  const message = renderText(text('execution.not-sendable', { reason: reason ?? 'JSON.stringify' }), locale);
  return { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' };
}

/** It died between two conversations. */
function neverHeard(locale: Locale): FailedEnd {
  const message = renderText(text('execution.process-not-started'), locale);
  return { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' };
}
