/**
 * One spelling for what is written in several: full-width letters, `℃`, `²`, `µ`, British `metre`, "degrees Celsius".
 *
 * @example
 * normalizeUnitName(' ㎡ ') // 'm2'
 */
export function normalizeUnitName(name: string): string {
  return name
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replaceAll('μ', 'u')
    .replace(/ ?\/ ?/g, '/')
    .replace(/metre/gi, 'meter')
    .replace(/^°\s?(?=[a-z])/i, '°')
    .replace(/^(?:degrees?|deg\.?) (?=[a-z])/i, '');
}
