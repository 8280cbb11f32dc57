/** The character of Ctrl-C. */
const INTERRUPT = '\u0003';

/**
 * Takes out of a terminal's input what was typed by now, half a line included: nobody meant it as an answer to what was
 * shown only now. Ctrl-C among it is heard all the same.
 */
export async function discardTyped(input: NodeJS.ReadStream): Promise<void> {
  let isMore = true;
  const discard = (typed: Uint8Array | string): void => {
    isMore = true;
    if (typed.toString().includes(INTERRUPT)) process.kill(process.pid, 'SIGINT');
  };
  // A terminal that is gone holds nothing; what reads it next says so.
  const ignore = (): void => {};
  input.on('error', ignore);
  const wasRaw = input.isRaw;
  input.setRawMode(true);
  input.on('data', discard);
  input.resume();
  // What the terminal holds arrives with the next look at it; after a look that brought nothing it holds nothing.
  while (isMore) {
    isMore = false;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  input.off('data', discard);
  input.pause();
  input.setRawMode(wasRaw);
  input.off('error', ignore);
}
