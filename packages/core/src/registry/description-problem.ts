import type { DescriptionFault } from '../authoring/describe-definition.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';

const CODES = {
  'not-json': 'NOT_JSON',
  'old-zod': 'UNSUPPORTED_SCHEMA',
  'not-representable': 'UNSUPPORTED_SCHEMA',
  'no-execute': 'MISSING_FIELD',
  'not-a-function': 'INVALID_FIELD',
  'not-tokens': 'INVALID_FIELD',
  'no-body': 'MISSING_FIELD',
} as const satisfies Record<DescriptionFault['kind'], string>;

const EXPECTED = {
  'not-json': 'JSON',
  'old-zod': 'zod ≥ 4.2 | JSON Schema',
  'not-representable': 'JSON Schema',
  'no-execute': 'function',
  'not-a-function': 'function',
  'not-tokens': 'Token[]',
  'no-body': 'string',
} as const satisfies Record<DescriptionFault['kind'], string>;

/** What a definition could not say as plain data, as a problem. */
export function descriptionProblem(fault: DescriptionFault, toolName: string): Problem {
  const tool = showText(toolName);
  const field = showText(fault.field);
  const found = showText(fault.found).slice(0, 200);
  const kind = kindOf(fault);
  return {
    code: CODES[kind],
    field,
    found,
    expected: EXPECTED[kind],
    message: text(`registry.${kind}`, { tool, field, found }),
    hint: text(`registry.${kind}-hint`),
    fatal: true,
  };
}

/** Zod before 3.24 does not even say that it is a schema. */
function kindOf({ kind, field, found }: DescriptionFault): DescriptionFault['kind'] {
  return kind === 'not-json' && /^(input|output)Schema$/.test(field) && found.startsWith('Zod') ? 'old-zod' : kind;
}
