/** Why an expression has no result. The values fill the text of that name in `texts.ts`. */
export type FaultKind =
  | 'ambiguous'
  | 'divisionByZero'
  | 'empty'
  | 'incomplete'
  | 'notReal'
  | 'outOfRange'
  | 'tooDeep'
  | 'tooLong'
  | 'unexpected'
  | 'unknownName'
  | 'wholeNumbers'
  | 'wrongArguments';

const LONGEST_SUBJECT = 40;

/** Ends a calculation. Thrown by every step of it, turned into a text for the caller in one place. */
export class CalculationFault extends Error {
  override readonly name = 'CalculationFault';
  readonly kind: FaultKind;
  /** The piece of the expression that is to blame, cut where it is long. */
  readonly subject: string;

  constructor(kind: FaultKind, subject = '') {
    super(kind);
    this.kind = kind;
    this.subject = subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject;
  }
}
