/** What a terminal obeys or a reader cannot see: controls, direction marks, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Characters of one text in a problem. */
const LONGEST = 500;

/**
 * A text that others wrote (a file's name, a message of a library), made safe to print: invisible characters become
 * `\u` escapes, and of more than 500 characters the beginning is shown, then `…`.
 *
 * @example
 * showText('a\u001b[2Jb') // 'a\\u001b[2Jb'
 */
export function showText(text: string): string {
  const shown = text
    .slice(0, LONGEST + 1)
    .replace(INVISIBLE, (character) =>
      Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
    );
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1).toWellFormed()}…`;
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
