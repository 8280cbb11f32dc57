const LONGEST = 300;

/** Names, patterns and the like as they stand in an error, cut: they may be as long as a model or an author likes. */
export function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;
}
