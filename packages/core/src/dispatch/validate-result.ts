import { text } from '../contracts/texts/text.ts';
import { describeFaults } from './describe-faults.ts';
import { failure } from './failure.ts';
import { isOutcome } from './is-outcome.ts';
import { type JsonSchemaValidator, schemaKey } from './json-schema-validator.ts';
import type { Step } from './step.ts';

/** A result that does not fit the tool's own `outputSchema` is not handed on. Content parts have no schema. */
export function createValidateResultStep(validator: () => JsonSchemaValidator | Promise<JsonSchemaValidator>): Step {
  return async (progress, next) => {
    const outcome = await next();
    if (!isOutcome(outcome)) return outcome;
    const { tool, scope } = progress;
    if (outcome.status === 'error' || tool?.outputSchema === undefined || outcome.result.kind === 'parts')
      return outcome;
    const schemas = await validator();
    const key = schemaKey(tool.definitionDigest, 'output');
    const faults = schemas.check(key, tool.outputSchema, outcome.result.value);
    if (faults.length === 0) return outcome;
    return failure('INVALID_RESULT', {
      message: text('dispatch.invalid-result', {
        tool: tool.name,
        reason: describeFaults(faults, new Map(), scope.locale, text('dispatch.whole-result')),
      }),
      hint: text('dispatch.invalid-result-hint'),
      effect: outcome.effect,
    });
  };
}
