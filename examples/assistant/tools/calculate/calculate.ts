import { InputError, type Locale } from 'baigong';
import { CalculationFault } from './calculation-fault.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { type FormattedReal, formatReal } from './format-real.ts';
import { MAX_EXPRESSION_LENGTH } from './max-expression-length.ts';
import { parseExpression } from './parse-expression.ts';
import { texts } from './texts.ts';
import { tokenize } from './tokenize.ts';

export interface Calculation extends FormattedReal {
  /** As it was given. */
  readonly expression: string;
}

/**
 * Works an arithmetic expression out, exactly where that is possible. The expression is read by a grammar of its own
 * that knows nothing but arithmetic; the expression parser of mathjs, which can do more, is not used.
 *
 * @throws InputError for what is no arithmetic, has no result, or is too large (10,000 digits).
 * @example
 * calculate('0.1 + 0.2', 'en') // { expression: '0.1 + 0.2', result: '0.3', exact: true, number: 0.3 }
 */
export function calculate(expression: string, locale: Locale): Calculation {
  try {
    if (expression.length > MAX_EXPRESSION_LENGTH) throw new CalculationFault('tooLong');
    const tree = parseExpression(tokenize(withoutAsking(expression)));
    return { expression, ...formatReal(evaluateExpression(tree)) };
  } catch (error) {
    if (!(error instanceof CalculationFault)) throw error;
    const { message, hint } = texts[locale][error.kind];
    throw new InputError(message(error.subject), { hint, cause: error });
  }
}

/** `1+1=`, `1+1 等于多少？`: the asking at the end is not part of the expression. */
function withoutAsking(expression: string): string {
  return [/[?？。]$/, /(?:多少|几)$/, /(?:[=＝]|等于|是)$/].reduce(
    (rest, asking) => rest.replace(asking, '').trimEnd(),
    expression.trim(),
  );
}
