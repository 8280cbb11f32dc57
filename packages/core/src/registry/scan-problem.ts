import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import type { TextKey } from '../contracts/texts/all-texts.ts';
import { text } from '../contracts/texts/text.ts';

export interface ScanFault {
  readonly code: string;
  readonly file: string;
  /** `:line:column` behind the file. */
  readonly place?: string;
  readonly field?: string;
  readonly found?: string;
  readonly expected?: string;
  readonly message: TextKey;
  readonly hint?: TextKey;
  /** For the message and the hint, beside `file`. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Default: true. */
  readonly fatal?: boolean;
}

/** A fault of a file or folder as a problem, everything that others wrote made safe to print. */
export function scanProblem(fault: ScanFault): Problem {
  const { code, field, found, expected, message, hint, fatal = true } = fault;
  const file = `${showText(fault.file)}${fault.place ?? ''}`;
  const shown = Object.entries(fault.values ?? {}).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'string' ? showText(value) : value,
  ]);
  const values = { ...Object.fromEntries(shown), file };
  return {
    code,
    file,
    ...(field === undefined ? {} : { field: showText(field) }),
    ...(found === undefined ? {} : { found: showText(found) }),
    ...(expected === undefined ? {} : { expected: showText(expected) }),
    message: text(message, values),
    ...(hint === undefined ? {} : { hint: text(hint, values) }),
    fatal,
  };
}
