/** A name in JSON quotes, or one without dots and quotes; then a dot with something behind it, or the end. */
const PART = /^(?:("(?:[^"\\]|\\.)*")|([^."]+))(?:\.(?!$)|$)/;

/**
 * Reads a key as people write it; undefined when it is none. Lists are set as a whole, so there are no indices.
 *
 * @example
 * parseKeyPath('plugins."@zhin.js/tool".unit') // ['plugins', '@zhin.js/tool', 'unit']
 */
export function parseKeyPath(text: string): readonly string[] | undefined {
  const names: string[] = [];
  let index = 0;
  while (index < text.length) {
    const match = PART.exec(text.slice(index));
    if (match === null) return undefined;
    const [whole, quoted, plain] = match;
    const name = quoted === undefined ? plain : unquote(quoted);
    if (name === undefined) return undefined;
    names.push(name);
    index += whole.length;
  }
  return names.length === 0 ? undefined : names;
}

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
