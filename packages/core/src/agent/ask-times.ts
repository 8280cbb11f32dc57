/** How long asks may be answered, and approvals be used. Milliseconds. */
export interface AskTimes {
  /** For what a chat asks. */
  readonly timeoutMs: number;
  /** For everything else. */
  readonly answerByMs: number;
  /** After the answer. */
  readonly useByMs: number;
  /** After the answer, of dangerous calls. */
  readonly dangerousUseByMs: number;
}
