const LONGEST = 120;

/** A dot ends a sentence only before what may begin one, and not behind a single letter, as in "e.g.". */
const END = /[。！？\n]|(?<!\b\p{L})[.!?](?=\s+\P{Ll}|\s*$)/u;

/** The first sentence of a description on one line, at most 120 characters. */
export function firstSentence(description: string): string {
  const beginning = description.slice(0, 4 * LONGEST).trim();
  const end = END.exec(beginning);
  const sentence = (end === null ? beginning : beginning.slice(0, end.index + 1)).replace(/\s+/g, ' ').trim();
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1).toWellFormed()}…` : sentence;
}
