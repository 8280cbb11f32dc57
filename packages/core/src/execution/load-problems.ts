import type { DescriptionFault } from '../authoring/describe-tool.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { executionLimits } from './execution-limits.ts';
import { isPackageMissing } from './is-package-missing.ts';
import type { SourcePosition } from './map-stack.ts';
import { ModuleSyntaxError } from './module-syntax-error.ts';
import { PackageLoadError } from './package-load-error.ts';

/**
 * What is wrong with an entry whose evaluation threw. The file is the one at fault, which may be a shared one, with
 * line and column when they are known.
 */
export function loadProblem(thrown: unknown, entry: string, reading: FailureReading): Problem {
  if (thrown instanceof ModuleSyntaxError) {
    const { path, line } = thrown;
    const file = line === undefined ? path : place(reading.stacks.map(path, line, 1), false);
    const reason = cut(thrown.message);
    return { code: 'SYNTAX_ERROR', file, message: text('execution.syntax-error', { file, reason }), fatal: true };
  }
  if (thrown instanceof PackageLoadError) return packageProblem(thrown, reading);
  const position = reading.stacks.positionOf(thrown);
  const file = position === undefined ? entry : place(position, true);
  const reason = cut(describeFailure(thrown, 'en', reading).message);
  return {
    code: 'LOAD_ERROR',
    file,
    message: text('execution.load-error', { file, reason }),
    hint: text('execution.load-error-hint'),
    fatal: true,
  };
}

function packageProblem(error: PackageLoadError, reading: FailureReading): Problem {
  const { importer: file, specifier, cause } = error;
  if (isPackageMissing(cause, specifier)) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    return {
      code: 'LOAD_ERROR',
      file,
      found: specifier,
      message: text('execution.package-missing', { file, specifier }),
      hint: text('execution.package-missing-hint', { package: name }),
      fatal: true,
    };
  }
  const reason = cut(describeFailure(cause, 'en', reading).message);
  return {
    code: 'LOAD_ERROR',
    file,
    found: specifier,
    message: text('execution.package-failed', { file, specifier, reason }),
    fatal: true,
  };
}

/** A declaration that no frame holds. */
export function declarationTooLarge(file: string): Problem {
  const limitMb = executionLimits.frameBytes / 1024 / 1024;
  return {
    code: 'LOAD_ERROR',
    file,
    message: text('execution.declaration-too-large', { file, limitMb }),
    hint: text('execution.declaration-too-large-hint'),
    fatal: true,
  };
}

/** What kept a definition from being told as plain data. */
export function definitionProblem(fault: DescriptionFault, file: string): Problem {
  const { field } = fault;
  const found = cut(fault.found);
  const base = { file, field, found, fatal: true } as const;
  switch (fault.kind) {
    case 'no-execute':
      return {
        ...base,
        code: 'MISSING_FIELD',
        expected: 'function',
        message: text('execution.no-execute', { file }),
        hint: text('execution.no-execute-hint'),
      };
    case 'old-zod':
      return oldSchema(base);
    case 'not-representable':
      return {
        ...base,
        code: 'UNSUPPORTED_SCHEMA',
        message: text('execution.schema-not-representable', { file, field, reason: found }),
        hint: text('execution.schema-not-representable-hint'),
      };
    case 'not-json':
      // Zod before 3.24 does not even say that it is a schema.
      if (/^(input|output)Schema$/.test(field) && found.startsWith('Zod')) return oldSchema(base);
      return {
        ...base,
        code: 'NOT_JSON',
        message: text('execution.field-not-json', { file, field, found }),
        hint: text('execution.field-not-json-hint'),
      };
  }
}

function oldSchema(base: {
  readonly file: string;
  readonly field: string;
  readonly found: string;
  readonly fatal: true;
}): Problem {
  return {
    ...base,
    code: 'UNSUPPORTED_SCHEMA',
    message: text('execution.schema-too-old', { file: base.file, field: base.field, found: base.found }),
    hint: text('execution.schema-too-old-hint'),
  };
}

function place(position: SourcePosition, withColumn: boolean): string {
  const line = `${position.path}:${position.line}`;
  return withColumn ? `${line}:${position.column}` : line;
}

function cut(reason: string): string {
  return reason.slice(0, executionLimits.problemChars);
}
