import type { CallId } from './made-call.ts';

/** The order among the calls of one step: all are decided first, one after another; then they start in call order. */
export interface StepOrder {
  /** It is decided whether the call must be asked about (or it has ended already): the next one may be looked at. */
  decided(id: CallId): void;
  /** All calls of the step are decided. */
  allDecided(): Promise<void>;
  /**
   * Resolves when the call may start: one that only reads waits for nothing that is asked; any other, until all calls
   * before it that are not read-only have ended. `false`: one of them is parked, so this one must wait with it.
   */
  mayStart(id: CallId, readOnly: boolean): Promise<boolean>;
}
