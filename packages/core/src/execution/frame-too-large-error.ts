/** A value whose frame would exceed the limit; nothing was sent. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError';
  constructor() {
    super('the frame exceeds the limit of a frame');
  }
}
