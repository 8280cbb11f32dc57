import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { MAX_EXPRESSION_LENGTH } from './max-expression-length.ts';

export default defineAgentTool({
  description:
    '精确计算算式：四则、乘方、开方、百分比、对数、三角、阶乘、大整数。Work out an arithmetic expression exactly. Use for every calculation instead of reckoning yourself.',
  summary: '计算算式 Calculate an expression exactly',
  category: 'calculation',
  tags: ['math', 'arithmetic', 'calculator', '计算', '算术', '数学'],
  examples: [
    '(12.5+3)×4 等于多少',
    '2的100次方是多少',
    '1280打八五折再减20',
    'What is 15% of 240?',
    'compute sqrt(2) + 1/3',
  ],
  inputSchema: z.object({
    expression: z
      .string()
      .min(1)
      .max(MAX_EXPRESSION_LENGTH)
      .describe(
        '算式 Numbers with + - * / ^ mod ! % and brackets, pi, e, functions such as sqrt(x), round(x, 2), ln(x), log(x, base), sin(30°). 200 + 10% means 220. No units, no variables',
      )
      .meta({ examples: ['(12.5 + 3) * 4', '2^100', '240 * 15%', 'round(1280 * 0.85 - 20, 2)'] }),
  }),
  returns: 'The expression and its result as exact text; `exact` is false where 32 digits were rounded',
  requiresApproval: 'never',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async execute({ expression }, { locale }) {
    // mathjs takes a second to load, which the start of the project need not wait for.
    const { calculate } = await import('./calculate.ts');
    return calculate(expression, locale);
  },
});
