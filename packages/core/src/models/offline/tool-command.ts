/** `/tool name rest`. */
export interface ToolCommand {
  /** Empty when nothing follows `/tool`. */
  readonly name: string;
  /** Everything behind the name, without the white space around it. */
  readonly rest: string;
}

/**
 * The command that a message holds: `/tool` (or `／tool`) at the beginning of the message or of a line of it; all that
 * follows belongs to it. Undefined when there is none.
 */
export function readToolCommand(message: string): ToolCommand | undefined {
  // Horizontal white space only, line by line: `\s*` would be tried again from every line of a run of empty ones.
  const start = /(?:^|\n)[^\S\n]*[/／]tool(?=\s|$)/.exec(message);
  if (start === null) return undefined;
  const behind = message.slice(start.index + start[0].length).trim();
  const name = /^\S*/.exec(behind)?.[0] ?? '';
  return { name, rest: behind.slice(name.length).trim() };
}
