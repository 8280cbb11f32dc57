import type { RunCall } from '../contracts/call.ts';
import type { Executor } from '../contracts/executor.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { approve } from './approve.ts';
import { cap } from './cap.ts';
import { createExecuteStep } from './execute.ts';
import { finish } from './finish.ts';
import type { HostFetch } from './host-fetch.ts';
import { createJsonSchemaValidator, type JsonSchemaValidator } from './json-schema-validator.ts';
import { parse } from './parse.ts';
import { recall } from './recall.ts';
import { refuseRepeats } from './refuse-repeats.ts';
import { rejoin } from './rejoin.ts';
import { resolve } from './resolve.ts';
import { start } from './start.ts';
import type { CallProgress, Step, StepEnd } from './step.ts';
import { createValidateStep } from './validate.ts';
import { createValidateResultStep } from './validate-result.ts';

export interface DispatchOptions {
  readonly executors: Readonly<Record<'inline' | 'process', Executor>>;
  /** Makes the host's side of `context.fetch`, one for each call that uses it: `createHostFetch` with the call's rules. */
  readonly fetch: (rules: UrlRules) => HostFetch;
}

/**
 * The pipeline of a call: recall ▸ resolve ▸ admit ▸ parse ▸ refuse repeats ▸ validate ▸ rejoin ▸ approve ▸ start ▸
 * execute ▸ validate result ▸ cap. Every refusal comes before the one question, and that before the start; after it
 * nothing can be taken back. Re-entrant: it goes on from the stored state of the call.
 *
 * @example
 * const fetch = (rules: UrlRules) => createHostFetch({ rules, version });
 * const run = createDispatch({ executors: { inline, process }, fetch });
 * const outcome = await run(call, scope);
 */
export function createDispatch({ executors, fetch }: DispatchOptions): RunCall {
  let validator: JsonSchemaValidator | Promise<JsonSchemaValidator> | undefined;
  const loadValidator = () => {
    validator ??= createJsonSchemaValidator().then((loaded) => {
      validator = loaded;
      return loaded;
    });
    return validator;
  };
  const executorOf = (progress: CallProgress) => executors[progress.tool?.isolation ?? 'process'];
  const run: RunCall = async (call, scope) => {
    const end = await pass({ call, scope, started: false, waitedMs: 0 }, steps, 0);
    if (end === 'again') throw new Error('a call that could not start was not decided again');
    return end;
  };
  const steps: readonly Step[] = [
    finish,
    recall,
    resolve,
    parse,
    refuseRepeats,
    createValidateStep(loadValidator, executorOf),
    rejoin,
    approve,
    cap,
    createValidateResultStep(loadValidator),
    start,
    createExecuteStep({ executorOf, fetch, run }),
  ];
  return run;
}

function pass(progress: CallProgress, steps: readonly Step[], index: number): Promise<StepEnd> {
  const step = steps[index];
  if (step === undefined) throw new Error('the last step of the pipeline handed on');
  return step(progress, () => pass(progress, steps, index + 1));
}
