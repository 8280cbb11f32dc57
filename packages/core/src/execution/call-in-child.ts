import type { CallRequest, ContextHost } from '../contracts/executor.ts';
import type { ChildFrame } from '../contracts/frame.ts';
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

/** Runs one call in a child that runs nothing else meanwhile, and answers what its code asks of the host. */
export async function callInChild(
  child: Child,
  entry: string,
  request: CallRequest,
  unguarded: ContextHost,
  signal: AbortSignal,
  killGraceMs: number,
): Promise<ConversationEnd<Json | undefined>> {
  const host = guardHost(unguarded);
  let progressLeft: number = limits.progressPerCall;
  let logsLeft: number = limits.logsPerCall;

  const onFrame = (frame: TalkFrame, bytes: number) => {
    switch (frame.type) {
      case 'result':
        return { value: frame.value };
      case 'context':
        return answer(frame);
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

  const answer = async (frame: Extract<ChildFrame, { readonly type: 'context' }>): Promise<undefined> => {
    const base = { type: 'context-result', id: frame.id, request: frame.request } as const;
    try {
      const value = await host.session(frame.operation, frame.key, frame.value);
      await child.send(value === undefined ? base : { ...base, value });
    } catch (error) {
      const reason =
        error instanceof FrameTooLargeError
          ? renderText(text('execution.session-too-large'), request.locale)
          : renderText(text('execution.session-failed'), request.locale);
      await child.send({ ...base, error: reason });
    }
  };

  const end = await converse<Json | undefined>({
    child,
    signal,
    limitMs: request.limits.timeoutMs,
    killGraceMs,
    locale: request.locale,
    open: (id) => ({ type: 'call', id, entry, request }),
    onFrame,
  });
  end.output.tell((level, message) => host.log(level, message), request.locale);
  return end;
}
