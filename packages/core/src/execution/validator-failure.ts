import type { FailedEnd } from './failed-end.ts';

/** A tool's own validator failed by itself: it threw, did not end in time, or could not be loaded. */
export class ValidatorFailure extends Error {
  override readonly name = 'ValidatorFailure';
  readonly end: FailedEnd;

  constructor(end: FailedEnd) {
    super(end.message);
    this.end = end;
  }
}
