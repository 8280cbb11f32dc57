import { ToolError } from './tool-error.ts';

/**
 * A service that the tool needs does not answer: other arguments will not help, trying later may.
 * Ends the call as UPSTREAM_UNAVAILABLE.
 *
 * @example
 * throw new UpstreamError('the weather service did not answer', { cause: error });
 */
export class UpstreamError extends ToolError {
  override readonly name = 'UpstreamError';
  readonly code = 'UPSTREAM_UNAVAILABLE';
  readonly retryable = true;
}
