import type { LiveTool } from '../contracts/capability.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import type { FailedEnd } from './failed-end.ts';
import type { ModuleEvaluator } from './module-evaluator.ts';
import { PackageLoadError } from './package-load-error.ts';
import { readDefinition } from './read-definition.ts';

export type LoadedDefinition =
  | { readonly ok: true; readonly definition: LiveTool }
  | { readonly ok: false; readonly end: FailedEnd };

/** The tool that an entry declares, evaluated now if it is not yet. Never rejects. */
export async function loadDefinition(
  evaluator: ModuleEvaluator,
  entry: string,
  locale: Locale,
  reading: FailureReading,
): Promise<LoadedDefinition> {
  let reason: string;
  try {
    const read = readDefinition(await evaluator.load(entry));
    if (read.kind === 'tool') return { ok: true, definition: read.tool };
    reason = renderText(text('execution.no-tool-exported'), locale);
  } catch (error) {
    const cause = error instanceof PackageLoadError ? error.cause : error;
    const failure = describeFailure(cause, locale, reading);
    const message = renderText(text('execution.not-loaded', { file: entry, reason: failure.message }), locale);
    return { ok: false, end: { ...failure, code: 'EXECUTION_ERROR', message, effect: 'none' } };
  }
  const message = renderText(text('execution.not-loaded', { file: entry, reason }), locale);
  return { ok: false, end: { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' } };
}
