import type { CallScope } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { ContextHost, Executor, ExecutorEnd } from '../contracts/executor.ts';
import type { Outcome, ResultContent } from '../contracts/outcome.ts';
import { failedOutcome } from './failed-outcome.ts';
import type { CallProgress, Step } from './step.ts';

/** Hands the call to the executor and turns its end into an outcome. */
export function createExecuteStep(executorOf: (progress: CallProgress) => Executor): Step {
  return async (progress) => {
    const { call, scope, tool, input } = progress;
    if (tool === undefined || input === undefined) throw new Error('a call reached its start unresolved');
    const request = {
      callId: call.id,
      turnId: call.turnId,
      toolName: tool.name,
      input,
      limits: tool.limits,
      origin: scope.facts.origin,
      principal: scope.facts.principal,
      sessionKey: scope.sessionKey,
      config: scope.config,
      locale: scope.locale,
      timeZone: scope.timeZone,
    };
    const end = await executorOf(progress).run(tool, request, contextHost(scope, call.id), scope.signal);
    return end.ok ? succeed(tool, end) : failedOutcome(tool, end, progress);
  };
}

function contextHost(scope: CallScope, callId: string): ContextHost {
  return {
    async session(operation, key, value) {
      if (operation === 'get') return scope.session.get(key);
      if (operation === 'set') await scope.session.set(key, value ?? null);
      else await scope.session.delete(key);
      return undefined;
    },
    progress: scope.progress,
    log(level, message) {
      void scope.record({ kind: 'call-log', at: scope.now(), body: { callId, level, message } }, false);
    },
  };
}

function succeed(tool: ToolCapability, end: ExecutorEnd & { readonly ok: true }): Outcome {
  const value = end.value ?? null;
  const result: ResultContent = typeof value === 'string' ? { kind: 'text', value } : { kind: 'json', value };
  return {
    status: 'success',
    effect: tool.trustedHints.readOnly ? 'none' : 'done',
    result,
    durationMs: 0,
    warnings: [],
  };
}
