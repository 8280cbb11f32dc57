/** A piece of an expression. `text` is what stood there, for messages. */
export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly digits: string; readonly exponent: number }
  | { readonly kind: 'name'; readonly text: string; readonly name: string }
  | { readonly kind: 'symbol'; readonly text: string; readonly symbol: TokenSymbol };

export type TokenSymbol =
  | '+'
  | '-'
  | '*'
  | '/'
  | 'mod'
  | '^'
  | '%'
  | '!'
  | '('
  | ')'
  | ','
  | '°'
  | '√'
  /** 的, between a number and a part or a power of it. */
  | 'of'
  /** 次方, after an exponent. */
  | 'th-power'
  /** 分之, between a denominator and its numerator. */
  | 'parts'
  /** 百分之, before a percentage. */
  | 'percent-of'
  | 'squared'
  | 'cubed'
  | 'square-root-of-it'
  | 'cube-root-of-it';
