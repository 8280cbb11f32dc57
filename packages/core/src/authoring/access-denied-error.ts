import { ToolError } from './tool-error.ts';

/**
 * The policy does not let the tool reach what it asked for: the same request will be refused again.
 * `context.fetch` throws it; ends the call as ACCESS_DENIED.
 *
 * @example
 * try { await context.fetch(link) } catch (error) { if (error instanceof AccessDeniedError) return { link, skipped: true } }
 */
export class AccessDeniedError extends ToolError {
  override readonly name = 'AccessDeniedError';
  readonly code = 'ACCESS_DENIED';
  readonly retryable = false;
}
