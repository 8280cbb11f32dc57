/** Letters and digits that nobody mistakes for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const SHORTEST = 6;

/**
 * The code of an ask, for people to type: from the digits of its id, the shortest one of at least six characters that no
 * other ask has.
 *
 * @example
 * askCode('3f9a…-1', (code) => known.has(code)) // 'K7M2QD'
 */
export function askCode(id: string, isTaken: (code: string) => boolean): string {
  const digits = /^[0-9a-f]*/.exec(id)?.[0] ?? '';
  let rest = digits === '' ? 0n : BigInt(`0x${digits}`);
  let code = '';
  for (;;) {
    code += ALPHABET[Number(rest % 30n)];
    rest /= 30n;
    if (code.length >= SHORTEST && !isTaken(code)) return code;
  }
}
