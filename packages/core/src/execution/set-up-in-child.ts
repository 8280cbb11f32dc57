import type { SetUpPlugin, SetUpRequest } from '../contracts/code-host.ts';
import type { LogLevel } from '../contracts/executor.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import type { Child } from './child.ts';
import { type ConversationEnd, converse } from './converse.ts';
import type { FailedEnd } from './failed-end.ts';
import { FrameError } from './frame-error.ts';

/** Milliseconds that an overdue plugin has to dispose of what it opened before its process is ended. */
const TIDY_MS = 1_000;

export interface ChildSetUp {
  readonly child: Child;
  readonly request: SetUpRequest;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly log: (level: LogLevel, message: string) => void;
}

/** Runs a plugin's `setup` in a child, which keeps it for calls. What it prints is told to `log`. */
export async function setUpInChild(setUp: ChildSetUp): Promise<ConversationEnd<SetUpPlugin>> {
  const { child, request, signal, limitMs, log } = setUp;
  const { graph, entry, plugin, config } = request;
  const end = await converse<SetUpPlugin>({
    child,
    signal,
    limitMs,
    killGraceMs: TIDY_MS,
    locale: 'en',
    open: (id) => ({ type: 'set-up', id, graph: graph.digest, entry, plugin, config }),
    onFrame: (frame) => {
      if (frame.type !== 'set-up') throw new FrameError(`a setup said ${frame.type}`);
      return { value: frame.plugin };
    },
  });
  end.output.tell(log, 'en');
  return end;
}

/** A setup that gave no answer, as a problem of its file. */
export function brokenSetUp(
  end: FailedEnd,
  { entry: file, plugin, config }: SetUpRequest,
  limitMs: number,
): SetUpPlugin {
  const problem: Problem = {
    code: 'SETUP_FAILED',
    file,
    message:
      end.code === 'TIMEOUT'
        ? text('execution.setup-timed-out', { file, plugin, limitMs })
        : text('execution.setup-ended-process', { file, plugin, reason: end.message }),
    hint: text('execution.setup-failed-hint'),
    fatal: true,
  };
  return { added: [], provided: [], config, problems: [problem] };
}
