import { untilQuiet } from './until-quiet.ts';

/** The character of Ctrl-C. */
const INTERRUPT = '\u0003';

/**
 * Takes out of a terminal's input what was typed by now, half a line included: nobody meant it as an answer to what was
 * shown only now. Ctrl-C among it is heard all the same.
 */
export async function discardTyped(input: NodeJS.ReadStream): Promise<void> {
  // A terminal that is gone holds nothing; what reads it next says so.
  const ignore = (): void => {};
  input.on('error', ignore);
  const wasRaw = input.isRaw;
  input.setRawMode(true);
  input.resume();
  await untilQuiet(input, (typed) => {
    if (typed.toString().includes(INTERRUPT)) process.kill(process.pid, 'SIGINT');
  });
  input.pause();
  input.setRawMode(wasRaw);
  input.off('error', ignore);
}
