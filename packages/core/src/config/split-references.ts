// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
/** A piece of a text: as it is, or the name of a variable and what counts when it is not set. */
export type TextPiece = string | { readonly variable: string; readonly fallback: string | undefined };

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/;

/**
 * Takes a text apart at its references: `${NAME}` and `${NAME:-default}` (a default ends at the first closing brace);
 * `$${` stands for the characters `${`. Undefined when a `${` begins no reference.
 *
 * @example
 * splitReferences('https://${HOST:-localhost}/') // ['https://', { variable: 'HOST', fallback: 'localhost' }, '/']
 */
export function splitReferences(text: string): readonly TextPiece[] | undefined {
  const pieces: TextPiece[] = [];
  let plain = '';
  let index = 0;
  while (index < text.length) {
    const next = text.indexOf('$', index);
    if (next === -1) break;
    plain += text.slice(index, next);
    if (text.startsWith('$${', next)) {
      plain += '${';
      index = next + 3;
    } else if (text.startsWith('${', next)) {
      const match = REFERENCE.exec(text.slice(next));
      if (match === null) return undefined;
      const [whole, variable = '', fallback] = match;
      if (plain !== '') pieces.push(plain);
      plain = '';
      pieces.push({ variable, fallback });
      index = next + whole.length;
    } else {
      plain += '$';
      index = next + 1;
    }
  }
  plain += text.slice(index);
  if (plain !== '') pieces.push(plain);
  return pieces;
}
