/**
 * Resolves when a terminal that is being read holds nothing any more of what was typed by now. What it holds arrives with
 * the next look at it; after a look that brought nothing it holds nothing.
 */
export async function untilQuiet(input: NodeJS.ReadStream, heard: (typed: Uint8Array | string) => void): Promise<void> {
  let isMore = true;
  const listen = (typed: Uint8Array | string): void => {
    isMore = true;
    heard(typed);
  };
  input.on('data', listen);
  while (isMore) {
    isMore = false;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  input.off('data', listen);
}
