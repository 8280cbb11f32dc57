import type { ValidationIssue } from '../contracts/executor.ts';
import type { FrameCode } from '../contracts/frame.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Child } from './child.ts';
import { type ConversationEnd, converse } from './converse.ts';
import { FrameError } from './frame-error.ts';

export interface ChildValidation {
  readonly child: Child;
  readonly code: FrameCode;
  readonly input: JsonObject;
  readonly config: Json;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly killGraceMs: number;
}

/** Runs a tool's own validator in a child. */
export function validateInChild(validation: ChildValidation): Promise<ConversationEnd<readonly ValidationIssue[]>> {
  const { child, code, input, config, signal, limitMs, killGraceMs } = validation;
  return converse({
    child,
    signal,
    limitMs,
    killGraceMs,
    locale: 'en',
    open: (id) => ({ type: 'validate', id, code, config, input }),
    onFrame: (frame) => {
      if (frame.type !== 'validated') throw new FrameError(`a validator said ${frame.type}`);
      return { value: frame.issues };
    },
  });
}
