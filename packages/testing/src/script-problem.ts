/** What a value in a script file should have been. */
export type Expected =
  | 'object'
  | 'list'
  | 'string'
  | 'boolean'
  | 'count'
  | 'positive-count'
  | 'switch-or-count'
  | 'status'
  | 'role'
  | 'event-text';

/** One mistake in a script file; `path` is like `answers[0].calls[1].name`, and empty for the whole file. */
export type ScriptProblem = { readonly path: string } & (
  | { readonly code: 'not-json'; readonly reason: string }
  | { readonly code: 'wrong-type'; readonly expected: Expected }
  | { readonly code: 'unknown-key'; readonly nearest: string | undefined; readonly known: readonly string[] }
  | { readonly code: 'missing' }
  | { readonly code: 'empty-list' }
  | { readonly code: 'bad-pattern'; readonly reason: string }
  | { readonly code: 'exclusive'; readonly keys: readonly [string, string] }
  | { readonly code: 'says-nothing' }
  | { readonly code: 'unreachable'; readonly by: number }
);
