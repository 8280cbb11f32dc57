/** Bounds of one exchange of `context.fetch`, the same in the host and where the tool runs. */
export const fetchLimits = {
  /** Characters of a URL. */
  urlChars: 8_192,
  /** Bytes of all header names and values together, of a request. */
  headerBytes: 64 * 1024,
  /** Bytes of a request's body. */
  requestBytes: 4 * 1024 * 1024,
  /** Bytes of an answer's body after decompression. */
  answerBytes: 10 * 1024 * 1024,
  /** Hops after the first request. */
  redirects: 5,
  /** Milliseconds of the whole exchange: names, connections, all hops, the body. */
  timeoutMs: 30_000,
} as const;
