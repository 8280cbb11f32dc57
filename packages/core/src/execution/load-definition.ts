import type { EntryKind } from '../contracts/code-host.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import type { FailedEnd } from './failed-end.ts';
import type { ModuleEvaluator } from './module-evaluator.ts';
import { noDefinition } from './no-definition.ts';
import { PackageLoadError } from './package-load-error.ts';
import { readDefinition } from './read-definition.ts';

export type LoadedDefinition =
  | { readonly ok: true; readonly definition: object }
  | { readonly ok: false; readonly end: FailedEnd };

/** What an entry declares, evaluated now if it is not yet. Never rejects. */
export async function loadDefinition(
  evaluator: ModuleEvaluator,
  entry: string,
  kind: EntryKind,
  locale: Locale,
  reading: FailureReading,
): Promise<LoadedDefinition> {
  try {
    const read = readDefinition(await evaluator.load(entry), kind);
    if (read.kind === 'found') return { ok: true, definition: read.definition };
    const reason = renderText(noDefinition(read, kind, entry).message, locale);
    return { ok: false, end: notLoaded(entry, reason, locale) };
  } catch (error) {
    const cause = error instanceof PackageLoadError ? error.cause : error;
    const failure = describeFailure(cause, locale, reading);
    return { ok: false, end: { ...failure, ...notLoaded(entry, failure.message, locale) } };
  }
}

function notLoaded(file: string, reason: string, locale: Locale): FailedEnd {
  const message = renderText(text('execution.not-loaded', { file, reason }), locale);
  return { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' };
}
