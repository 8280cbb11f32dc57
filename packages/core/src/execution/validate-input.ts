import { isStandardSchema } from '../authoring/is-standard-schema.ts';
import type { StandardIssue } from '../authoring/standard-schema.ts';
import type { LiveTool } from '../contracts/capability.ts';
import { escapePointer } from '../contracts/escape-pointer.ts';
import type { ValidationIssue } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import { executionLimits } from './execution-limits.ts';
import type { CleanMessage } from './message-cleaner.ts';

export type ValidatedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/**
 * Runs the tool's own validator: the value that comes back (defaults filled in, texts trimmed …) is what `execute`
 * gets. Without one the input is passed as it is. What is wrong is told in one line each, without paths of this machine.
 * Rejects with whatever the validator throws.
 */
export async function validateInput(
  definition: LiveTool,
  input: JsonObject,
  clean: CleanMessage,
): Promise<ValidatedInput> {
  const schema = definition.inputSchema;
  if (!isStandardSchema(schema)) return { ok: true, value: input };
  const result = await schema['~standard'].validate(input);
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, executionLimits.issues).map((issue) => readIssue(issue, clean)) };
}

function readIssue(issue: StandardIssue, clean: CleanMessage): ValidationIssue {
  const pointer = (issue.path ?? [])
    .map((part) => `/${escapePointer(String(typeof part === 'object' ? part.key : part))}`)
    .join('');
  return {
    pointer: pointer.slice(0, executionLimits.issueChars),
    message: clean(String(issue.message))
      .replace(/\s*\n\s*/g, ' ')
      .slice(0, executionLimits.issueChars),
  };
}
