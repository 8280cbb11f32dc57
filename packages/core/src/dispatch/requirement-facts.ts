import type { ApprovalFacts } from '../contracts/approval.ts';
import type { CallScope } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';

/** Everything that the requirement of one call is decided by, gathered for policy, which does no I/O. */
export async function requirementFacts(
  scope: CallScope,
  tool: ToolCapability,
  argumentsDigest: string,
  isAsked: boolean,
): Promise<ApprovalFacts> {
  const { ledger, facts, approval, asks } = scope;
  const [granted, doubted] = await Promise.all([
    tool.approval === 'once' ? ledger.isGranted(tool) : false,
    tool.trustedHints.readOnly ? false : ledger.isDoubted(tool, argumentsDigest),
  ]);
  return {
    rules: approval,
    level: tool.approval,
    dangerous: tool.dangerous,
    isMaster: facts.principal.role === 'master',
    granted,
    doubted,
    // One that was asked about has an answer of its own, or was closed along with the other one.
    refusedBefore: !isAsked && ledger.wasRefused(tool),
    // What was asked already waits for its answer, wherever the turn goes on.
    canAsk: isAsked || asks.canAsk,
  };
}
