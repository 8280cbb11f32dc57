import { type Locale, type Problem, renderText } from 'baigong';
import pc from 'picocolors';
import { escapeControls } from './terminal/escape-controls.ts';
import { cliText } from './texts.ts';

/** All problems of a project, one block each: where, what, what was found and expected, what to do. */
export function printProblems(problems: readonly Problem[], locale: Locale): string {
  return problems.map((problem) => printProblem(problem, locale)).join('\n');
}

function printProblem(problem: Problem, locale: Locale): string {
  const colour = problem.fatal ? pc.red : pc.yellow;
  const kind = colour(cliText(problem.fatal ? 'error' : 'warning', locale));
  const place = [problem.file, problem.field].filter((part) => part !== undefined).join(' › ');
  const lines = [`${kind} ${pc.bold(oneLine(place || problem.code))}  ${oneLine(renderText(problem.message, locale))}`];
  if (problem.found !== undefined) lines.push(`  ${cliText('found', locale)} ${oneLine(problem.found)}`);
  if (problem.expected !== undefined) lines.push(`  ${cliText('expected', locale)} ${oneLine(problem.expected)}`);
  if (problem.hint !== undefined) lines.push(`  ${oneLine(renderText(problem.hint, locale))}`);
  return lines.join('\n');
}

/** What an author wrote must not look like a line of ours. */
function oneLine(text: string): string {
  return escapeControls(text.replaceAll(/\s*\n\s*/g, ' '));
}

/** A problem as data, its texts in the reader's language. */
export function problemJson(problem: Problem, locale: Locale) {
  const { code, file, field, found, expected, fatal, message, hint } = problem;
  return {
    code,
    file,
    field,
    found,
    expected,
    fatal,
    message: renderText(message, locale),
    hint: hint === undefined ? undefined : renderText(hint, locale),
  };
}
