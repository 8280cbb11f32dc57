/** What the command ends with. Documented in `docs/cli.md`. */
export const exitCode = Object.freeze({
  ok: 0,
  /** A fault of ours, or `doctor` found something that is not in order. */
  fault: 1,
  /** The command line or its input could not be understood. */
  usage: 2,
  /** The project has fatal problems. */
  project: 3,
  /** The model could not be used, or a turn ended without an answer. */
  turn: 4,
  /** A tool call ended in an error. */
  call: 5,
  /** The state could not be opened. */
  state: 6,
  /** A turn or call waits for a person; it goes on later. */
  parked: 7,
  /** An answer to an approval or question did not count. */
  unanswered: 8,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
});
