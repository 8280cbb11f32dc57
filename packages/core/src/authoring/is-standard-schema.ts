import type { StandardSchema } from './standard-schema.ts';

/** Does the value follow the Standard Schema specification (Zod 3.24 and later, Valibot, ArkType …)? */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const standard = (value as Record<string, unknown>)['~standard'];
  return (
    standard !== null &&
    typeof standard === 'object' &&
    typeof (standard as Record<string, unknown>).validate === 'function'
  );
}
