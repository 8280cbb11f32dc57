import type { DescriptionFault } from '../authoring/describe-tool.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { showText } from './show-text.ts';

const CODES = {
  'not-json': 'NOT_JSON',
  'old-zod': 'OLD_SCHEMA_LIBRARY',
  'not-representable': 'SCHEMA_NOT_REPRESENTABLE',
  'no-execute': 'MISSING_FIELD',
} as const satisfies Record<DescriptionFault['kind'], string>;

const EXPECTED = {
  'not-json': 'JSON',
  'old-zod': 'zod ≥ 4.2 | JSON Schema',
  'not-representable': 'a schema that JSON Schema can express',
  'no-execute': 'a function',
} as const satisfies Record<DescriptionFault['kind'], string>;

/** What a definition could not say as plain data, as a problem. */
export function descriptionProblem(fault: DescriptionFault, toolName: string): Problem {
  const tool = showText(toolName);
  const field = showText(fault.field);
  const found = showText(fault.found).slice(0, 200);
  return {
    code: CODES[fault.kind],
    field,
    found,
    expected: EXPECTED[fault.kind],
    message: text(`registry.${fault.kind}`, { tool, field, found }),
    hint: text(`registry.${fault.kind}-hint`),
    fatal: true,
  };
}
