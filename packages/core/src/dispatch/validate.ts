import type { Executor, ValidationIssue } from '../contracts/executor.ts';
import type { Json } from '../contracts/json.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { ValidatorFailure } from '../execution/index.ts';
import { describeFaults, type Fault } from './describe-faults.ts';
import { failedOutcome } from './failed-outcome.ts';
import { failure } from './failure.ts';
import { type JsonSchemaValidator, schemaKey } from './json-schema-validator.ts';
import { shortened } from './shortened.ts';
import type { CallProgress, Step } from './step.ts';
import { waitsInProcess } from './waits-in-process.ts';

const DETAILED_AT_MOST = 20;

/**
 * Holds the arguments against the tool's own validator, where its code runs, or else against its JSON Schema, here.
 * All faults at once. A tool's own validator has the last word, since a schema cannot say all that it does (flags of
 * regular expressions, coercion, trimming); the schema then only helps to explain what was wrong.
 */
export function createValidateStep(
  validator: () => JsonSchemaValidator | Promise<JsonSchemaValidator>,
  executorOf: (progress: CallProgress) => Executor,
): Step {
  return async (progress, next) => {
    const { tool, input, scope } = progress;
    const isDecided = progress.stored !== undefined && scope.callers.length === 0;
    if (tool === undefined || input === undefined || isDecided) return next();
    let issues: readonly ValidationIssue[] = [];
    if (tool.ownValidator) {
      try {
        const { plain } = scope.configOf(tool);
        issues = await executorOf(progress).validate(tool, input, plain, scope.signal, waitsInProcess(scope));
      } catch (error) {
        // The validator itself failed. The tool has not begun, so nothing has happened; of code that is not the
        // project's own nobody knows what its validators do once they have begun.
        if (!(error instanceof ValidatorFailure)) throw error;
        const { provenance } = tool.source;
        const begun = provenance === 'project' || provenance === 'framework' ? 'none' : 'unknown';
        return failedOutcome(tool, { ...error.end, effect: error.end.effect ?? begun }, progress);
      }
      if (issues.length === 0) return next();
    }
    const loaded = validator();
    const schemas = loaded instanceof Promise ? await loaded : loaded;
    const faults: Fault[] = [...schemas.check(schemaKey(tool.definitionDigest, 'input'), tool.inputSchema, input)];
    const explained = new Set(faults.map((fault) => fault.pointer));
    for (const { pointer, message } of issues) {
      if (!explained.has(pointer)) faults.push({ pointer, reason: message });
    }
    return faults.length > 0 ? refuse(progress, faults) : next();
  };
}

function refuse({ call, scope, inexact = new Map() }: CallProgress, faults: readonly Fault[]): Outcome {
  return failure('INVALID_ARGUMENTS', {
    message: text('dispatch.invalid-arguments', {
      tool: call.toolName,
      faults: describeFaults(faults, inexact, scope.locale),
    }),
    hint: text('dispatch.fix-arguments'),
    details: faults.slice(0, DETAILED_AT_MOST).map(
      (fault): Json =>
        'reason' in fault
          ? { pointer: shortened(fault.pointer), reason: shortened(fault.reason) }
          : {
              pointer: shortened(fault.pointer),
              expected: shortened(renderText(fault.expected, scope.locale)),
              found: fault.found,
            },
    ),
  });
}
