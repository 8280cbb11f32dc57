/** Characters (UTF-16 units) of the longest expression that is worked out. */
export const MAX_EXPRESSION_LENGTH = 1_000;
