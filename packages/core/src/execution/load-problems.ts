import type { DescriptionFault } from '../authoring/describe-definition.ts';
import type { Problem } from '../contracts/problem.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { executionLimits } from './execution-limits.ts';
import { isPackageMissing } from './is-package-missing.ts';
import { ModuleSyntaxError } from './module-syntax-error.ts';
import { PackageLoadError } from './package-load-error.ts';
import { showPosition } from './show-position.ts';
import { type UnknownExport, UnknownExportError } from './unknown-export-error.ts';

/**
 * What is wrong with an entry whose evaluation threw. The file is the one at fault, which may be a shared one, with
 * line and column when they are known.
 */
export function loadProblems(thrown: unknown, entry: string, reading: FailureReading): readonly Problem[] {
  if (!(thrown instanceof UnknownExportError)) return [loadProblem(thrown, entry, reading)];
  return thrown.faults
    .slice(0, executionLimits.problemsPerEntry)
    .map((fault) => unknownExport(fault, thrown.importer, reading));
}

function unknownExport(fault: UnknownExport, importer: string, reading: FailureReading): Problem {
  const file = showPosition(reading.stacks.map(importer, fault.line, fault.column));
  const { specifier, name, nearest } = fault;
  return {
    code: 'UNKNOWN_EXPORT',
    file,
    found: showValue(name),
    ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
    message: text('execution.unknown-export', { file, name: showValue(name), specifier: showValue(specifier) }),
    hint:
      nearest === undefined
        ? text('execution.unknown-export-hint', { specifier: showValue(specifier) })
        : text('execution.did-you-mean', { name: showValue(nearest) }),
    fatal: true,
  };
}

function loadProblem(thrown: unknown, entry: string, reading: FailureReading): Problem {
  if (thrown instanceof ModuleSyntaxError) {
    const { path, line } = thrown;
    const file = line === undefined ? path : `${path}:${reading.stacks.map(path, line, 1).line}`;
    const reason = cut(thrown.message);
    return { code: 'SYNTAX_ERROR', file, message: text('execution.syntax-error', { file, reason }), fatal: true };
  }
  if (thrown instanceof PackageLoadError) return packageProblem(thrown, reading);
  const position = reading.stacks.positionOf(thrown);
  const file = position === undefined ? entry : showPosition(position);
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

/** What a setup added fits into no frame. */
export function setUpTooLarge(file: string, plugin: string): Problem {
  const limitMb = executionLimits.frameBytes / 1024 / 1024;
  const message = text('execution.setup-too-large', { file, plugin, limitMb });
  return { code: 'SETUP_FAILED', file, message, fatal: true };
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
    case 'not-a-function':
      return {
        ...base,
        code: found === 'nothing' ? 'MISSING_FIELD' : 'WRONG_TYPE',
        expected: 'function',
        message: text('execution.not-a-function', { file, field, found }),
        hint: text('execution.not-a-function-hint', { field }),
      };
    case 'not-tokens':
      return {
        ...base,
        code: 'WRONG_TYPE',
        expected: 'defineToken(…) | string',
        message: text('execution.not-tokens', { file, field, found }),
        hint: text('execution.not-tokens-hint', { field: field.replace(/\/.*/, '') }),
      };
    case 'no-body':
      return {
        ...base,
        code: found === 'nothing' ? 'MISSING_FIELD' : 'WRONG_TYPE',
        expected: 'string',
        message: text('execution.no-body', { file, found }),
        hint: text('execution.no-body-hint'),
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
      if (/^(?:inputSchema|outputSchema|config)$/.test(field) && found.startsWith('Zod')) return oldSchema(base);
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

function cut(reason: string): string {
  return reason.slice(0, executionLimits.problemChars);
}
