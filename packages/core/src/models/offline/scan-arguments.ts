/** One word of a command behind the tool's name. */
export interface ScannedArgument {
  /** Undefined for a value without one. */
  readonly key: string | undefined;
  readonly value: string;
  /** In quotation marks: surely text, whatever it looks like. */
  readonly quoted: boolean;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['\\', '\\'],
  ['/', '/'],
  ['"', '"'],
  ["'", "'"],
  ['“', '“'],
  ['”', '”'],
  ['‘', '‘'],
  ['’', '’'],
]);
const SPACE = /\s/;

/**
 * Splits `key=value other="a b" {"x": 1}` into words. Keys and values may stand in quotation marks ("…", '…', “…”, ‘…’
 * with the escapes of JSON), `＝` is as good as `=`, any blank separates. A value that begins with a bracket reaches to
 * the bracket that closes it. What is opened and never closed reaches to the end, so that every character is looked at
 * a bounded number of times. Never throws.
 */
export function scanArguments(text: string): ScannedArgument[] {
  const scanner = new Scanner(text);
  const words: ScannedArgument[] = [];
  for (let word = scanner.next(); word !== undefined; word = scanner.next()) words.push(word);
  return words;
}

interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): ScannedArgument | undefined {
    this.#skipSpace();
    if (this.#at >= this.#text.length) return undefined;
    const key = this.#key();
    const { text, quoted } = this.#value();
    return { key, value: text, quoted };
  }

  /** Leaves the position alone when what follows is no key. */
  #key(): string | undefined {
    const start = this.#at;
    let key: string;
    if (CLOSING.has(this.#text.charAt(start))) {
      key = this.#quoted().text;
    } else {
      // Narrow, so that an address with a query (https://…?q=1) is a value; any other name goes in quotation marks.
      const bare = /[\p{L}\p{M}\p{N}_$.-]*/uy;
      bare.lastIndex = start;
      key = bare.exec(this.#text)?.[0] ?? '';
      this.#at += key.length;
    }
    const sign = this.#text.charAt(this.#at);
    if ((sign === '=' || sign === '＝') && this.#at > start) {
      this.#at += 1;
      return key;
    }
    this.#at = start;
    return undefined;
  }

  #value(): Piece {
    const start = this.#at;
    const first = this.#text.charAt(start);
    let piece: Piece = { text: '', quoted: false };
    if (CLOSING.has(first)) piece = this.#quoted();
    else if (first === '{' || first === '[') piece = { text: this.#bracketed(), quoted: false };
    // As in a shell, what touches a closed quotation or bracket belongs to it.
    const rest = this.#bare();
    return rest === '' ? piece : { text: piece.text + rest, quoted: piece.quoted };
  }

  #bare(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !SPACE.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #quoted(): Piece {
    const closing = CLOSING.get(this.#text.charAt(this.#at)) ?? '"';
    this.#at += 1;
    let content = '';
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === closing) return { text: content, quoted: true };
      content += character === '\\' ? this.#escape() : character;
    }
    return { text: content, quoted: true };
  }

  /** Behind a backslash. One that means nothing stays, as in C:\Users. */
  #escape(): string {
    const character = this.#text.charAt(this.#at);
    const meant = ESCAPES.get(character);
    if (meant !== undefined) {
      this.#at += 1;
      return meant;
    }
    const code = character === 'u' ? this.#text.slice(this.#at + 1, this.#at + 5) : '';
    if (!/^[0-9a-fA-F]{4}$/.test(code)) return '\\';
    this.#at += 5;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #bracketed(): string {
    const start = this.#at;
    let depth = 0;
    let inText = false;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (inText) {
        if (character === '\\') this.#at += 1;
        else if (character === '"') inText = false;
      } else if (character === '"') {
        inText = true;
      } else if (character === '{' || character === '[') {
        depth += 1;
      } else if (character === '}' || character === ']') {
        depth -= 1;
        if (depth === 0) {
          this.#at += 1;
          return this.#text.slice(start, this.#at);
        }
      }
    }
    this.#at = this.#text.length;
    return this.#text.slice(start);
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && SPACE.test(this.#text.charAt(this.#at))) this.#at += 1;
  }
}
