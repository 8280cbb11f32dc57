import type { Interface } from 'node:readline';
import { untilQuiet } from './until-quiet.ts';

/** Takes out of a terminal that is read line by line what was typed by now. Whole lines arrive meanwhile. */
export async function discardLine(lines: Interface, input: NodeJS.ReadStream): Promise<void> {
  await untilQuiet(input, () => {});
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}
