const DIGITS = new Map([...'零一二三四五六七八九'].map((digit, value) => [digit, String(value)]));
const SMALL_UNITS =
  /^(?:([一二三四五六七八九])千)?(零)?(?:([一二三四五六七八九])百)?(零)?(?:([一二三四五六七八九])?十)?(零)?([一二三四五六七八九])?$/;

/**
 * Reads a number in Chinese numerals as decimal digits: `三万五千` → `35000`, `三点一四` → `3.14`, `二〇二四` → `2024`.
 * Undefined for what is none, and for what can be read in two ways (`三万五` is 35,000 in speech and 30,005 in writing).
 */
export function chineseNumber(text: string): string | undefined {
  const [before = '', after, ...more] = text.replaceAll('〇', '零').replaceAll('两', '二').split('点');
  if (more.length > 0) return undefined;
  const digits = positional(before);
  const integer = digits ?? wholeNumber(before)?.toString();
  if (integer === undefined || after === undefined) return integer;
  const decimals = positional(after);
  return decimals === undefined ? undefined : `${integer}.${decimals}`;
}

/** Digits one by one, as years and decimals are read. */
function positional(text: string): string | undefined {
  const digits = Array.from(text, (character) => DIGITS.get(character));
  return digits.length === 0 || digits.includes(undefined) ? undefined : digits.join('');
}

function wholeNumber(text: string): bigint | undefined {
  for (const [unit, size] of [
    ['亿', 100_000_000n],
    ['万', 10_000n],
  ] as const) {
    const at = text.lastIndexOf(unit);
    if (at < 0) continue;
    const count = wholeNumber(text.slice(0, at));
    const rest = text.slice(at + 1);
    // A lone digit after a unit, without 零, is the ambiguous case.
    if (count === undefined || /^[一二三四五六七八九]$/.test(rest)) return undefined;
    const remainder = rest === '' ? 0n : wholeNumber(rest.replace(/^零/, ''));
    return remainder === undefined || remainder >= size ? undefined : count * size + remainder;
  }
  return belowTenThousand(text);
}

function belowTenThousand(text: string): bigint | undefined {
  const parts = SMALL_UNITS.exec(text);
  if (text === '' || parts === null) return undefined;
  const [, thousands, , hundreds, , tensDigit, , ones] = parts;
  if (/[百千][一二三四五六七八九]$/.test(text)) return undefined;
  const tens = tensDigit ?? (text.includes('十') ? '一' : undefined);
  return [thousands, hundreds, tens, ones].reduce(
    (sum, digit) => sum * 10n + BigInt(DIGITS.get(digit ?? '零') ?? 0),
    0n,
  );
}
