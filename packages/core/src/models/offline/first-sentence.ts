const LONGEST = 120;

/** The first sentence of a description on one line, at most 120 characters. */
export function firstSentence(description: string): string {
  // One character more than is shown, so that a text that just fits is not taken for a cut one.
  const beginning = description.slice(0, 4 * LONGEST).trim();
  const end = /[。！？\n]|[.!?](?=\s|$)/u.exec(beginning);
  const sentence = (end === null ? beginning : beginning.slice(0, end.index + 1)).replace(/\s+/g, ' ').trim();
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1).toWellFormed()}…` : sentence;
}
