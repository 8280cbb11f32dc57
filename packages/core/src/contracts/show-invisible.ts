/**
 * What a reader cannot see, or what changes how other characters are seen: controls, format and direction marks, line and
 * paragraph separators, lone surrogates, private and unassigned characters, every space but the common one, variation
 * selectors, tags, fillers that look like nothing.
 */
const INVISIBLE = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]`,
    // Every space but U+0020.
    String.raw`(?! )\p{Zs}`,
    // Joiners, fillers and vowels that show nothing; the Braille blank; variation selectors.
    String.raw`[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]`,
    // Egyptian blanks, the Khitan filler, the musical null notehead.
    String.raw`[\u{13441}\u{13442}\u{16fe4}\u{1d159}]`,
    String.raw`\p{Variation_Selector}`,
  ].join('|'),
  'u',
);

/** Marks that pile up on one letter: more than these are written out. */
const MARKS = 4;

/**
 * A text as it really is, for people who decide by it: each character that is invisible, or that makes others look
 * otherwise, is written as `\u{…}`. With `lines` line breaks and tabs stay. Takes linear time.
 *
 * @example
 * showInvisible('rm\u202e -rf') // 'rm\\u{202e} -rf'
 */
export function showInvisible(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  let shown = '';
  let marks = 0;
  for (const character of text) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0;
    const stays = lines && (character === '\n' || character === '\t');
    const isHidden = !stays && (INVISIBLE.test(character) || marks > MARKS);
    shown += isHidden ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;
  }
  return shown;
}
