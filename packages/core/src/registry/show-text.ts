/** What a terminal obeys or a reader cannot see: controls, direction marks, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A text that others wrote (a file's name, a message of a library), made safe to print: invisible characters become
 * `\u` escapes.
 *
 * @example
 * showText('a\u001b[2Jb') // 'a\\u001b[2Jb'
 */
export function showText(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
