import type { ValidationIssue } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Child } from './child.ts';
import { type ConversationEnd, converse } from './converse.ts';
import { FrameError } from './frame-error.ts';

export interface ChildValidation {
  readonly child: Child;
  readonly entry: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly killGraceMs: number;
}

/** Runs a tool's own validator in a child. */
export function validateInChild(validation: ChildValidation): Promise<ConversationEnd<readonly ValidationIssue[]>> {
  const { child, entry, input, signal, limitMs, killGraceMs } = validation;
  return converse({
    child,
    signal,
    limitMs,
    killGraceMs,
    locale: 'en',
    open: (id) => ({ type: 'validate', id, entry, input }),
    onFrame: (frame) => {
      if (frame.type !== 'validated') throw new FrameError(`a validator said ${frame.type}`);
      return { value: frame.issues };
    },
  });
}
