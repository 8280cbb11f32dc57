import type { ApprovalAnswer } from '../contracts/ask-port.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { requireApproval } from '../policy/index.ts';
import { canonicalOrRaw } from './canonical-or-raw.ts';
import { failure } from './failure.ts';
import { requirementFacts } from './requirement-facts.ts';
import type { CallProgress, Step, StepEnd } from './step.ts';

/**
 * At most one question per call, asked when nothing else stands against it. An approval that does not hold any more when
 * the call is to start (used, too old, overtaken by a denial) leads back here, where the call is decided again.
 */
export const approve: Step = async (progress, next) => {
  const { call, scope, tool, input } = progress;
  if (tool === undefined || input === undefined) throw new Error('a call is to be approved unresolved');
  if (progress.isRerun === true) return inOrder(progress, tool, next);
  for (;;) {
    delete progress.askId;
    progress.grants = false;
    const end = await decide(progress, tool, input, next);
    if (end !== 'again') return end;
    if (scope.signal.aborted) return cancelled(call.toolName);
  }
};

async function decide(
  progress: CallProgress,
  tool: ToolCapability,
  input: JsonObject,
  next: () => Promise<StepEnd>,
): Promise<StepEnd> {
  const { call, scope } = progress;
  const asked = scope.ledger.find(call.id)?.askId !== undefined;
  // Nothing can come of it that anybody would have to be asked about.
  const harmless =
    !asked &&
    tool.trustedHints.readOnly &&
    !tool.dangerous &&
    (tool.approval === 'never' || tool.approval === 'on-risk');
  if (harmless) return inOrder(progress, tool, next);
  progress.argumentsDigest ??= scope.ledger.argumentsDigest(canonicalOrRaw(input, call.rawInput));
  const { argumentsDigest } = progress;
  const facts = await requirementFacts(scope, tool, argumentsDigest, asked);
  let requirement = requireApproval(facts);
  if (requirement.kind === 'refuse') {
    const { code, reason, hint } = requirement;
    return failure(code, { message: reason, hint });
  }
  // Once a person was asked, the call waits for that person: what is decided later may only be stricter.
  if (requirement.kind === 'run' && asked && !facts.granted) {
    requirement = { kind: 'ask', review: false, needsPerson: false, grants: false, level: tool.approval, reasons: [] };
  }
  if (requirement.kind === 'run') return inOrder(progress, tool, next);
  const { level, needsPerson, review, reasons, grants } = requirement;
  let answer: ApprovalAnswer;
  const since = performance.now();
  try {
    scope.hold?.(true);
    const mayPark = scope.mayPark ?? true;
    const request = { call, tool, input, argumentsDigest, level, needsPerson, review, reasons, mayPark };
    const answering = scope.asks.approval(request, scope.signal);
    scope.order?.decided(call.id);
    answer = await answering;
  } catch (error) {
    if (scope.signal.aborted) return cancelled(call.toolName);
    throw error;
  } finally {
    progress.waitedMs += performance.now() - since;
    scope.hold?.(false);
  }
  switch (answer.kind) {
    case 'parked':
    case 'again':
      return answer.kind;
    case 'approved':
      progress.askId = answer.askId;
      progress.grants = grants;
      return inOrder(progress, tool, next);
    default:
      return refused(answer, call.toolName);
  }
}

/** Waits until the call may start in the order of its step. */
async function inOrder(progress: CallProgress, tool: ToolCapability, next: () => Promise<StepEnd>): Promise<StepEnd> {
  const { call, scope } = progress;
  if (scope.order !== undefined) {
    scope.order.decided(call.id);
    const since = performance.now();
    if (!(await scope.order.mayStart(call.id, tool.trustedHints.readOnly))) return 'parked';
    progress.waitedMs += performance.now() - since;
  }
  return next();
}

function refused(
  answer: Extract<ApprovalAnswer, { readonly kind: 'denied' | 'expired' | 'refused' }>,
  tool: string,
): Outcome {
  const hint = text('dispatch.refused-hint');
  if (answer.kind === 'expired') {
    return failure('APPROVAL_TIMEOUT', { message: text('dispatch.nobody-answered', { tool }), hint });
  }
  const reason = answer.kind === 'denied' ? answer.reason : undefined;
  const message =
    answer.kind === 'refused'
      ? text('dispatch.refused-along', { tool })
      : reason === undefined
        ? text('dispatch.denied', { tool })
        : text('dispatch.denied-because', { tool, reason });
  return failure('APPROVAL_DENIED', { message, hint });
}

function cancelled(tool: string): Outcome {
  return failure('CANCELLED', {
    message: text('dispatch.cancelled', { tool }),
    hint: text('dispatch.cancelled-hint'),
  });
}
