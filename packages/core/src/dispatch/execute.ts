import type { CallScope, RunCall } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import { digest } from '../contracts/digest.ts';
import type { CallRequest, Executor, ExecutorEnd } from '../contracts/executor.ts';
import type { Outcome, ResultContent } from '../contracts/outcome.ts';
import { readContentParts } from '../contracts/read-content-parts.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { createCallHost } from './context-host.ts';
import { failedOutcome } from './failed-outcome.ts';
import type { HostFetch } from './host-fetch.ts';
import type { CallProgress, Step } from './step.ts';
import { waitsInProcess } from './waits-in-process.ts';

export interface ExecuteOptions {
  readonly executorOf: (progress: CallProgress) => Executor;
  readonly fetch: (rules: UrlRules) => HostFetch;
  /** The whole pipeline, for calls that code makes. */
  readonly run: RunCall;
}

type Services = CallRequest['services'];

/** Hands the call to the executor and turns its end into an outcome. */
export function createExecuteStep({ executorOf, fetch, run }: ExecuteOptions): Step {
  const servicesOf = createServicesView();
  return async (progress) => {
    const { call, scope, tool, input } = progress;
    if (tool === undefined || input === undefined) throw new Error('a call reached its start unresolved');
    const { facts, locale, timeZone, sessionKey, asks } = scope;
    const request: CallRequest = {
      callId: call.id,
      turnId: call.turnId,
      toolName: tool.name,
      attempt: (progress.stored?.attempts ?? 0) + 1,
      nested: waitsInProcess(scope),
      idempotencyKey: digest(call.id).slice('sha256:'.length),
      input,
      limits: tool.limits,
      origin: facts.origin,
      principal: facts.principal,
      sessionKey,
      config: scope.configOf(tool).plain,
      policy: {
        role: facts.principal.role,
        attended: asks.attended,
        allowHosts: [...scope.urlRules.allowHosts],
        network: tool.networkLabels,
      },
      services: servicesOf(scope.services),
      locale,
      timeZone,
    };
    const own = createCallHost({ call, scope, tool, fetch, run });
    const end = await executorOf(progress).run(tool, request, own.host, scope.signal);
    // What the code left running belongs to this call, and ends with it.
    await own.settle();
    // What it asked is still open, and it may be run again when the answer is there.
    if (own.isParked()) return 'parked';
    progress.nestedEffect = own.effect();
    progress.waitedMs += own.heldMs();
    return end.ok ? succeed(tool, end, progress) : failedOutcome(tool, end, progress);
  };
}

/** Which services exist, with the methods that other processes may call: none where the host keeps them to itself. */
function createServicesView(): (services: CallScope['services']) => Services {
  const known = new WeakMap<CallScope['services'], Services>();
  return (services) => {
    let view = known.get(services);
    if (view === undefined) {
      view = Object.freeze(Object.fromEntries([...services].map(([token, { remote }]) => [token, remote])));
      known.set(services, view);
    }
    return view;
  };
}

function succeed(tool: ToolCapability, end: ExecutorEnd & { readonly ok: true }, progress: CallProgress): Outcome {
  const { value = null, isParts } = end;
  let result: ResultContent;
  if (isParts === true) {
    // They may come from a child that wrote them by itself.
    const read = readContentParts(value);
    if (!read.ok) {
      const message = renderText(read.reason, progress.scope.locale);
      return failedOutcome(tool, { ok: false, code: 'INVALID_RESULT', message }, progress);
    }
    result = { kind: 'parts', value: read.parts };
  } else {
    result = typeof value === 'string' ? { kind: 'text', value } : { kind: 'json', value };
  }
  const readOnly = tool.trustedHints.readOnly && progress.nestedEffect === 'none';
  return { status: 'success', effect: readOnly ? 'none' : 'done', result, durationMs: 0, warnings: [] };
}
