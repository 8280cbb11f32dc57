import { type ConfigRow, showConfig } from 'baigong';
import pc from 'picocolors';
import { CliError } from '../cli-error.ts';
import { type CommandContext, loadConfiguration } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { printProblems } from '../print-problems.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';

/** `config show [key] [--origin]`: what counts, secrets masked, and where each value comes from. */
export async function runConfigShow(
  context: CommandContext,
  key: string | undefined,
  origin: boolean,
): Promise<number> {
  const { output, options, locale } = context;
  const loaded = await loadConfiguration(context);
  const rows = showConfig(loaded).filter(
    (row) => key === undefined || row.key === key || row.key.startsWith(`${key}.`),
  );
  if (rows.length === 0 && key !== undefined && loaded.problems.length === 0) {
    throw new CliError(cliText('configNoKey', locale, { key: escapeControls(key).slice(0, 100) }), exitCode.usage);
  }
  if (options.output === 'text') output.answer(rows.map((row) => `${showRow(row, origin)}\n`).join(''));
  else output.answer(`${JSON.stringify(rows, undefined, 2)}\n`);
  if (loaded.problems.length > 0) output.notice(`${printProblems(loaded.problems, locale)}\n`);
  return loaded.problems.some((problem) => problem.fatal) ? exitCode.project : exitCode.ok;
}

function showRow({ key, value, origin, place }: ConfigRow, withOrigin: boolean): string {
  const shown = `${pc.bold(escapeControls(key))} = ${escapeControls(JSON.stringify(value))}`;
  if (!withOrigin) return shown;
  return `${shown}  ${pc.dim(`# ${origin}${place === undefined ? '' : `: ${escapeControls(place)}`}`)}`;
}
