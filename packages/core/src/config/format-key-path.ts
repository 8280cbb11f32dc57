import type { KeyPath } from './key-path.ts';

/** What a terminal obeys or a reader cannot see: controls, direction marks, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * A key as people write it. Names with dots, brackets, quotes, blanks or invisible characters are quoted; the root is
 * `$`.
 *
 * @example
 * formatKeyPath(['plugins', '@zhin.js/tool', 'hosts', 0]) // 'plugins."@zhin.js/tool".hosts[0]'
 */
export function formatKeyPath(path: KeyPath): string {
  if (path.length === 0) return '$';
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${isPlain(part) ? part : quote(part)}`;
  }
  return text;
}

function isPlain(name: string): boolean {
  return name !== '' && name !== '$' && !/[.[\]"\s]/.test(name) && !INVISIBLE.test(name);
}

/** Whole, however long: it is read back by `parseKeyPath`. */
function quote(name: string): string {
  return Array.from(JSON.stringify(name), (character) =>
    INVISIBLE.test(character)
      ? Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join('')
      : character,
  ).join('');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
