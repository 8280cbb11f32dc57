/** What came over a pipe, or was to go over it, is no frame. The message is for the record. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}
