import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  BaigongError,
  createRuntime,
  type LoadedConfig,
  type Locale,
  loadConfig,
  type Principal,
  type Runtime,
  type RuntimeOptions,
  renderText,
} from 'baigong';
import { CliError } from './cli-error.ts';
import { exitCode } from './exit-code.ts';
import { printProblems } from './print-problems.ts';
import { escapeControls } from './terminal/escape-controls.ts';
import type { Output } from './terminal/output.ts';
import { cliText } from './texts.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface CommandOptions {
  readonly project: string;
  readonly output: OutputFormat;
  /** Configuration from the command line: `--set`, `--model`, `--lang`. */
  readonly flags: ReadonlyMap<string, string>;
}

/** What every command works with. */
export interface CommandContext {
  readonly options: CommandOptions;
  readonly locale: Locale;
  readonly output: Output;
  /** Aborts on Ctrl-C (where the command does not take it itself) and SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborts on Ctrl-C only: what runs is to be cancelled, not to be put aside. */
  readonly interrupt: AbortSignal;
}

/** Milliseconds that running turns have to end by themselves when the program is told to. */
export const GRACE_MS = 20_000;

/** How commands open the project. `chat` goes on serving while files change; `call` asks no model. */
export type Purpose = 'chat' | 'work' | 'call' | 'inspect';

/** Opens the project for work, or (`inspect`) only to look at it: without state and without a model. */
export async function openRuntime(
  context: CommandContext,
  purpose: Purpose,
  more: Pick<RuntimeOptions, 'onNotice' | 'replies' | 'onTakeUp'> = {},
): Promise<Runtime> {
  const { options, locale, output } = context;
  const inspect = purpose === 'inspect';
  const flags = new Map(options.flags);
  if (inspect || purpose === 'call') flags.set('ai.model', 'offline');
  try {
    const runtime = await createRuntime({
      project: options.project,
      defaultLocale: locale,
      flags,
      watch: purpose === 'chat',
      takeUp: purpose === 'chat',
      ...more,
      ...(inspect ? { store: 'memory' } : {}),
    });
    if (runtime.problems.length > 0) {
      output.notice(`${cliText('problemsWarning', runtime.locale, { count: runtime.problems.length })}\n`);
      output.notice(`${printProblems(runtime.problems, runtime.locale)}\n`);
    }
    return runtime;
  } catch (error) {
    throw toCliError(error, context);
  }
}

/** The configuration of the project as this command line sees it. */
export function loadConfiguration({ options, signal }: CommandContext): Promise<LoadedConfig> {
  return loadConfig({ root: options.project, environment: process.env, flags: options.flags, signal });
}

/** Opens only the state of the project, to look at it; a project without state has nothing to show. */
export async function openState(context: CommandContext): Promise<Runtime> {
  const { locale } = context;
  try {
    const { settings } = await loadConfiguration(context);
    const file = join(settings.state.folder, 'baigong.db');
    return await createRuntime({
      store: existsSync(file) ? { file } : 'memory',
      model: 'offline',
      takeUp: false,
      defaultLocale: locale,
      // Who may answer is the project's to say; nothing is asked here.
      settings: { approval: { approvers: settings.approval.approvers } },
    });
  } catch (error) {
    throw toCliError(error, context);
  }
}

/** A fault of the surroundings, said to people, with the exit code that scripts see. */
export function toCliError(error: unknown, { locale, options }: CommandContext): unknown {
  if (!BaigongError.isInstance(error)) return error;
  const hint = error.hint === undefined ? '' : `\n${renderText(error.hint, locale)}`;
  switch (error.code) {
    case 'PROJECT_FAULTY': {
      const count = error.problems.filter((problem) => problem.fatal).length;
      const head = cliText('problemsFatal', locale, { count, project: escapeControls(options.project) });
      return new CliError(`${head}\n${printProblems(error.problems, locale)}`, exitCode.project);
    }
    case 'MODEL_UNAVAILABLE':
      return new CliError(escapeControls(renderText(error.reason, locale)) + hint, exitCode.turn);
    case 'STORE_UNUSABLE':
      return new CliError(escapeControls(renderText(error.reason, locale)) + hint, exitCode.state);
    default:
      return new CliError(escapeControls(renderText(error.reason, locale)) + hint, exitCode.usage);
  }
}

/** Is somebody at hand who can be asked? */
export function isAttended(): boolean {
  return !isInsideCall() && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Runs inside a tool of an agent, which is no person even if it has made itself a terminal. */
export function isInsideCall(): boolean {
  return process.env.BAIGONG_CALL !== undefined;
}

/** The person at this terminal: master of what runs here. */
export function localPrincipal(): Principal {
  let userId = 'unknown';
  try {
    userId = userInfo().username;
  } catch {
    // A user id without an entry in the user database; its name matters to nobody.
  }
  return {
    id: `terminal:local:${userId}`,
    userId,
    role: 'master',
    platformRoles: [],
    // Whoever sees no card approves nothing.
    authentication: isAttended() ? 'terminal' : 'none',
  };
}
