const mark = Symbol.for('baigong.question-error');

/**
 * A question of `context.question` got no answer: nobody answered in time (`expired`), or the person does not want to
 * (`refused`). Not caught, it ends the tool as EXECUTION_ERROR with that message.
 *
 * @example
 * const name = await question({ text: 'Whose name?' }).catch((error) => {
 *   if (QuestionError.isInstance(error)) return undefined;
 *   throw error;
 * });
 */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  readonly reason: 'expired' | 'refused';
  readonly [mark] = true;

  constructor(message: string, reason: 'expired' | 'refused') {
    super(message);
    this.reason = reason;
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is QuestionError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
