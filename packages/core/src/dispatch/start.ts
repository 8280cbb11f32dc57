import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { CallMove } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import { canonicalOrRaw } from './canonical-or-raw.ts';
import { failure } from './failure.ts';
import type { CallProgress, Step } from './step.ts';

/**
 * The last moment at which nothing has happened. The start of a call that may change the world, and with it the use of
 * its approval, is one transaction that is on disk before its code is told: whoever finds the store later knows that it
 * may have happened. One that only reads and that nobody was asked about may simply be run again, so nothing is written
 * for it here.
 */
export const start: Step = async (progress, next) => {
  const { call, scope, tool, input = {} } = progress;
  if (tool === undefined) throw new Error('a call is to start unresolved');
  if (scope.signal.aborted) {
    return failure('CANCELLED', {
      message: text('dispatch.cancelled', { tool: call.toolName }),
      hint: text('dispatch.cancelled-hint'),
    });
  }
  const { readOnly } = tool.trustedHints;
  const attempt = (progress.stored?.attempts ?? 0) + 1;
  const definition = tool.definitionDigest;
  const body = { callId: call.id, tool: call.toolName, definition, readOnly, input, attempt };
  void scope.record({ kind: 'call-start', at: scope.now(), body }, false);
  const isStored = progress.stored !== undefined || progress.askId !== undefined;
  if (!readOnly || isStored) {
    const moved = await scope.ledger.move(movesOf(progress, tool, input), !readOnly);
    if (moved === 'approval-gone') return 'again';
  }
  progress.started = true;
  return next();
};

function movesOf(progress: CallProgress, tool: ToolCapability, input: JsonObject): readonly CallMove[] {
  const { call, scope, askId, grants, isRerun } = progress;
  const { id } = call;
  if (isRerun === true) return [{ move: 'call.retry', id }];
  const { facts, sessionKey, ledger } = scope;
  const argumentsDigest = progress.argumentsDigest ?? ledger.argumentsDigest(canonicalOrRaw(input, call.rawInput));
  const { key: toolKey, definitionDigest } = tool;
  const grant = { sessionKey, principalId: facts.principal.id, toolKey, definitionDigest };
  return [
    { move: 'call.ready', id, toolKey, input, argumentsDigest, definitionDigest },
    {
      move: 'call.start',
      id,
      readOnly: tool.trustedHints.readOnly,
      ...(askId === undefined ? {} : { use: { askId } }),
      ...(askId !== undefined && grants === true ? { grant } : {}),
    },
  ];
}
