/**
 * A text condition of a script file: `/…/flags` is a regular expression, anything else a substring. A text with a single
 * slash, such as the command `/help`, is a substring. Throws SyntaxError for an expression that is none.
 */
export function parsePattern(text: string): string | RegExp {
  const match = /^\/(.+)\/([a-z]*)$/su.exec(text);
  return match?.[1] === undefined ? text : new RegExp(match[1], match[2]);
}
