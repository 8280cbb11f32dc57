/** Bounds of what running code may say to the host. Beyond them a child is dropped or cut, never believed. */
export const executionLimits = {
  /** Bytes of one frame, length prefix not counted. */
  frameBytes: 16 * 1024 * 1024,
  /** Characters of the id of a conversation. */
  idChars: 32,
  /** Levels of nesting of a value. */
  depth: 1_000,
  /** Notices of each kind that one call may give; later ones are dropped. */
  progressPerCall: 1_000,
  logsPerCall: 1_000,
  /** Bytes of JSON of one progress notice; a larger one is dropped. */
  progressBytes: 64 * 1024,
  /** Characters of one log message; a longer one is cut. */
  logChars: 8_192,
  /** Characters of a session key. */
  sessionKeyChars: 1_024,
  /** Questions that one call may ask a person, and what each may hold. */
  questionsPerCall: 100,
  questionChars: 4_000,
  questionOptions: 20,
  questionOptionChars: 200,
  /** Messages that `context.history` gives without a limit of its own, and at most. */
  historyMessages: 50,
  historyMessagesAtMost: 200,
  /** Bytes of what a call prints to standard output and standard error together. */
  outputBytes: 64 * 1024,
  /** Characters of an error's message, hint and stack. */
  messageChars: 8_192,
  hintChars: 2_048,
  stackChars: 16_384,
  /** Of one answer of a tool's validator. */
  issues: 100,
  issueChars: 2_048,
  /** Of one described entry. */
  problemsPerEntry: 100,
  problemChars: 2_048,
  /** Of one run of a plugin's `setup`. */
  addedPerPlugin: 1_000,
  providedPerPlugin: 100,
  textsPerAdded: 10,
  remotePerService: 100,
  /** Characters of the name of what a plugin adds, provides, or lets others call. */
  nameChars: 200,
  /** Arguments of a question to the host. */
  contextArguments: 4,
} as const;
