/** What `context.fetch` takes beside the members that `fetch` takes. */
export interface ToolFetchInit extends RequestInit {
  /**
   * `throw` (default): an answer of 500 and above rejects with an `UpstreamError`, which uncaught ends the call as
   * UPSTREAM_UNAVAILABLE. `return`: it is given back like any other answer.
   */
  readonly serverErrors?: 'throw' | 'return';
}

/**
 * `fetch` under the policy: http and https only, public hosts only (unless the configuration's `allowHosts` names
 * them), and those of the tool's `access.network` only, where it has one. Redirects (at most 5) are judged like the
 * first URL. A body of at most 4 MiB is sent, and one of at most 10 MiB (after decompression) taken, in 30 s in all.
 * The answer is complete when the promise resolves. No cookies are kept; `credentials`, `cache` and `mode` mean
 * nothing here.
 *
 * Rejects with `AccessDeniedError` when the policy refuses; with `UpstreamError` when the host cannot be reached, does
 * not answer in time, or answers 500 and above (see {@link ToolFetchInit.serverErrors}); with the signal's reason when
 * the call or the request's own signal aborts; with an `Error` when a body is too large; with a `TypeError` for
 * arguments that `fetch` does not take either.
 *
 * @example
 * const response = await context.fetch(`https://api.example/cities/${encodeURIComponent(city)}`);
 * if (response.status === 404) throw new InputError(`no city named ${city}`);
 * return await response.json();
 */
export type ToolFetch = (input: string | URL | Request, init?: ToolFetchInit) => Promise<Response>;
