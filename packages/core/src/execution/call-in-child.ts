import type { CallRequest, ContextHost } from '../contracts/executor.ts';
import type { ChildFrame, FrameCode } from '../contracts/frame.ts';
import type { Json } from '../contracts/json.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { Child } from './child.ts';
import { type ConversationEnd, converse, type TalkFrame } from './converse.ts';
import { executionLimits as limits } from './execution-limits.ts';
import { FrameError } from './frame-error.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';
import { guardHost } from './guard-host.ts';

/** What a frame may add around the value that it carries. */
const FRAME_OVERHEAD = 1_024;

/** Questions that may wait for their answers at a time; no more is read from the child until one is answered. */
const MAX_OPEN_QUESTIONS = 64;

type Question = Extract<ChildFrame, { readonly type: 'context' }>;

/** What a call in a child came to: the part of an `ExecutorEnd` that says so. */
export interface CallResult {
  readonly value: Json | undefined;
  readonly isParts?: boolean;
}

/** Runs one call in a child that runs nothing else meanwhile, and answers what its code asks of the host. */
export async function callInChild(
  child: Child,
  code: FrameCode,
  request: CallRequest,
  unguarded: ContextHost,
  signal: AbortSignal,
  killGraceMs: number,
): Promise<ConversationEnd<CallResult>> {
  const host = guardHost(unguarded);
  /** What the code asked for is not needed any more once the call has ended, however it did. */
  const ended = new AbortController();
  const asking = AbortSignal.any([signal, ended.signal]);
  let progressLeft: number = limits.progressPerCall;
  let logsLeft: number = limits.logsPerCall;
  const open = new Set<Promise<void>>();

  const onFrame = (frame: TalkFrame, bytes: number, hold: (waiting: boolean) => void) => {
    switch (frame.type) {
      case 'result':
        return { value: { value: frame.value, ...(frame.isParts === true ? { isParts: true } : {}) } };
      case 'context':
        return take(frame, hold);
      // Our own code in the child keeps the number; more than that comes from code that writes on the pipe itself.
      case 'progress':
        progressLeft -= 1;
        if (progressLeft < 0) throw new FrameError('a flood of progress');
        if (bytes <= limits.progressBytes + FRAME_OVERHEAD) host.progress(frame.value);
        return undefined;
      case 'log':
        logsLeft -= 1;
        if (logsLeft < 0) throw new FrameError('a flood of log messages');
        host.log(frame.level, frame.message);
        return undefined;
      default:
        throw new FrameError(`a call said ${frame.type}`);
    }
  };

  /** Some answers take long (another call, an exchange on the network): the child is heard meanwhile. */
  const take = (frame: Question, hold: (waiting: boolean) => void): undefined | Promise<undefined> => {
    const answering: Promise<void> = answer(frame, hold)
      // The pipe of a child that died; whoever waits for its end is told.
      .catch(() => {})
      .finally(() => open.delete(answering));
    open.add(answering);
    return open.size < MAX_OPEN_QUESTIONS ? undefined : Promise.race(open).then(() => undefined);
  };

  const answer = async (frame: Question, hold: (waiting: boolean) => void): Promise<void> => {
    const base = { type: 'context-result', id: frame.id, request: frame.request } as const;
    try {
      const value = await host.ask(frame.operation, frame.args, asking, hold);
      if (ended.signal.aborted) return;
      await child.send(value === undefined ? base : { ...base, value });
    } catch (error) {
      if (ended.signal.aborted) return;
      const tooLarge = error instanceof FrameTooLargeError;
      await child.send({ ...base, error: tooLarge ? tooLargeText(frame, request) : messageOf(error, request) });
    }
  };

  const end = await converse<CallResult>({
    child,
    signal,
    limitMs: request.limits.timeoutMs,
    killGraceMs,
    locale: request.locale,
    open: (id) => ({ type: 'call', id, code, request }),
    onFrame,
  });
  ended.abort();
  end.output.tell((level, message) => host.log(level, message), request.locale);
  return end;
}

function tooLargeText({ operation }: { readonly operation: string }, { locale }: CallRequest): string {
  const limitMb = limits.frameBytes / 1024 / 1024;
  if (operation.startsWith('session-')) return renderText(text('execution.session-too-large'), locale);
  return renderText(text('execution.answer-too-large', { operation, limitMb }), locale);
}

/** By the contract of `ContextHost` a message of its may be shown to the code. */
function messageOf(error: unknown, { locale }: CallRequest): string {
  const message = error instanceof Error ? error.message : '';
  return message === '' ? renderText(text('execution.ask-failed'), locale) : message.slice(0, limits.messageChars);
}
