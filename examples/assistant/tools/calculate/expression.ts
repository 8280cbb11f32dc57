/** What an expression means, as a tree. There is nothing in it that could do anything but calculate. */
export type Expression =
  | { readonly kind: 'number'; readonly digits: string; readonly exponent: number }
  | { readonly kind: 'constant'; readonly name: ConstantName }
  | { readonly kind: 'negate' | 'percent' | 'factorial'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] };

export type BinaryOperator = '+' | '-' | '*' | '/' | 'mod' | '^';

export type ConstantName = 'pi' | 'tau' | 'e' | 'degree';
