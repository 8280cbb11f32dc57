/** One or more marks that may end a sentence, and the quotes and brackets that close with it. */
const END = /[.!?…‥؟۔।。！？｡]+["'”’」』）)\]》】]*/g;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** These end a sentence whatever follows. */
const ALWAYS_ENDS = /[。！？｡؟۔।]/;
const ABBREVIATION = /(?<!\p{L})(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|\p{Lu})$/u;
const LONGEST_ABBREVIATION = 6;

/**
 * Sentences of one paragraph. A dot inside a number or name, after a title or initial, or before a small letter ends
 * none; text without an end mark counts as one; marks alone as none.
 */
export function countSentences(paragraph: string): number {
  let sentences = 0;
  let start = 0;
  for (const { 0: marks, index } of paragraph.matchAll(END)) {
    const after = index + marks.length;
    if (
      !endsSentence(
        marks,
        paragraph.slice(Math.max(0, index - LONGEST_ABBREVIATION), index),
        paragraph.slice(after, after + 3),
      )
    ) {
      continue;
    }
    if (LETTER_OR_DIGIT.test(paragraph.slice(start, index))) sentences += 1;
    start = after;
  }
  return LETTER_OR_DIGIT.test(paragraph.slice(start)) ? sentences + 1 : sentences;
}

function endsSentence(marks: string, before: string, after: string): boolean {
  if (ALWAYS_ENDS.test(marks) || after === '') return true;
  // A Chinese ellipsis is a pause more often than an end.
  if (/^\p{Script=Han}/u.test(after)) return !/[…‥]/.test(marks);
  if (!/^\s/.test(after)) return false;
  if (/[!?]/.test(marks)) return true;
  return !/^\s+\p{Ll}/u.test(after) && !ABBREVIATION.test(before);
}
