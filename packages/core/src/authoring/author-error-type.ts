/**
 * The kinds of failure that a tool may claim. All others (`TIMEOUT`, `NEEDS_HUMAN`, …) are verdicts of the runtime.
 * `INVALID_ARGUMENTS`: other arguments may work. `UPSTREAM_UNAVAILABLE`: a service that the tool needs does not answer.
 * `ACCESS_DENIED`: a service, file or host refused access. `NOT_PERMITTED`: this person may not have that done.
 * `RATE_LIMITED`: a quota is used up for now. `INVALID_RESULT`: what came back is unusable. `EXECUTION_ERROR`: any other.
 */
export const authorErrorTypes = [
  'INVALID_ARGUMENTS',
  'UPSTREAM_UNAVAILABLE',
  'ACCESS_DENIED',
  'NOT_PERMITTED',
  'RATE_LIMITED',
  'INVALID_RESULT',
  'EXECUTION_ERROR',
] as const;
export type AuthorErrorType = (typeof authorErrorTypes)[number];
