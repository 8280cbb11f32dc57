/** Where a command writes: answers to standard output, everything else to standard error. */
export interface Output {
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  answer(text: string): void;
  notice(text: string): void;
}

/** The process's own streams. A reader that went away (`| head`) ends the program quietly. */
export function createOutput(): Output {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A terminal that is gone: the hang-up signal ends the program in order.
    if (error.code === 'EIO') return;
    if (error.code !== 'EPIPE') process.stderr.write(`${error.message}\n`);
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  process.stderr.on('error', () => {});
  return {
    isTerminal: process.stdout.isTTY === true,
    answer: (text) => void process.stdout.write(text),
    notice: (text) => void process.stderr.write(text),
  };
}
