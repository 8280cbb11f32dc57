import { type Locale, type Outcome, partLabel, renderText } from 'baigong';
import pc from 'picocolors';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import type { Output } from '../terminal/output.ts';

/** For people: the result of one call as the answer, or why there is none. Returns the exit code. */
export function showOutcome(outcome: Outcome, output: Output, locale: Locale): number {
  if (outcome.status === 'success') {
    const { result } = outcome;
    const text =
      result.kind === 'text'
        ? result.value
        : result.kind === 'json'
          ? JSON.stringify(result.value, undefined, 2)
          : result.value.map((part) => (part.type === 'text' ? part.text : `[${partLabel(part)}]`)).join('\n');
    output.answer(`${output.isTerminal ? escapeControls(text) : text}\n`);
    for (const one of outcome.warnings) output.notice(`${pc.yellow(escapeControls(renderText(one, locale)))}\n`);
    return exitCode.ok;
  }
  const { code, message, hint } = outcome;
  const lines = [`${code}: ${renderText(message, locale)}`, renderText(hint, locale)];
  output.notice(`${lines.map(escapeControls).join('\n')}\n`);
  return exitCode.call;
}
