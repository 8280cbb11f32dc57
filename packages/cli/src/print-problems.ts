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
  const lines = [`${kind} ${pc.bold(escapeControls(place || problem.code))}  ${renderText(problem.message, locale)}`];
  if (problem.found !== undefined) lines.push(`  ${cliText('found', locale)}: ${problem.found}`);
  if (problem.expected !== undefined) lines.push(`  ${cliText('expected', locale)}: ${problem.expected}`);
  if (problem.hint !== undefined) lines.push(`  ${renderText(problem.hint, locale)}`);
  return lines.map((line, index) => (index === 0 ? line : escapeControls(line))).join('\n');
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
