import { ToolError } from './tool-error.ts';

/**
 * The caller's mistake: other arguments may work (no such city). Ends the call as INVALID_ARGUMENTS.
 *
 * @example
 * throw new InputError(`no city named ${city}`, { hint: 'Ask the user which city is meant.' });
 */
export class InputError extends ToolError {
  override readonly name = 'InputError';
  readonly code = 'INVALID_ARGUMENTS';
  readonly retryable = false;
}
