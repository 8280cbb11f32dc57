import type { Locale, PluginFailure } from 'baigong';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { CliError } from './cli-error.ts';
import type { CommandContext, CommandOptions, OutputFormat } from './command-context.ts';
import type { SessionChoice } from './commands/find-session.ts';
import { detectLocale } from './detect-locale.ts';
import { exitCode } from './exit-code.ts';
import { showPluginFailure } from './show-plugin-failure.ts';
import { escapeControls } from './terminal/escape-controls.ts';
import { createOutput, type Output } from './terminal/output.ts';
import { cliText } from './texts.ts';
import { version } from './version.ts';

interface GlobalOptions extends SessionChoice {
  readonly project: string;
  readonly model?: string;
  readonly output: OutputFormat;
  readonly prompt?: string;
  readonly lang?: Locale;
  readonly approvalMode?: string;
  readonly set?: ReadonlyMap<string, string>;
}

/** The command line: reads the arguments, loads the command that they name, gives its exit code. */
export interface Program {
  /** Never rejects: every fault becomes a message on standard error and an exit code. */
  run(arguments_: readonly string[]): Promise<number>;
}

export function createProgram(): Program {
  return {
    async run(arguments_) {
      const output = createOutput();
      const locale = chooseLocale(arguments_);
      const stop = new AbortController();
      const interrupt = new AbortController();
      let stoppedWith: number | undefined;
      const onSignal =
        (code: number, isOnce = false) =>
        (): void => {
          // A second signal does not wait for what the first one asked to end.
          if (stoppedWith !== undefined) {
            if (!isOnce) process.exit(code);
            return;
          }
          stoppedWith = code;
          if (code === exitCode.interrupted) interrupt.abort();
          stop.abort();
        };
      process.on('SIGINT', onSignal(exitCode.interrupted));
      process.on('SIGTERM', onSignal(exitCode.terminated));
      // A terminal that is closed says so twice: by its shell, and by its end.
      process.on('SIGHUP', onSignal(exitCode.terminated, true));
      let code: number = exitCode.ok;
      let hasEnded = false;
      let serves = false;
      // Whoever handles an error is in the context where it began, in which the other `exit` may be none.
      const { exit } = process;
      const onUncaught = async (error: unknown): Promise<void> => {
        const failure = await failureOf(error);
        if (failure === undefined) return exit(report(error, output, locale));
        output.notice(`${pc.red(showPluginFailure(failure, locale))}\n`);
        if (!serves) exit(exitCode.fault);
      };
      process.on('uncaughtException', onUncaught);
      process.on('unhandledRejection', onUncaught);
      const end = (ended: number): void => {
        code = ended;
        hasEnded = true;
      };
      const serve = (): void => {
        serves = true;
      };
      const command = build({ locale, output, signal: stop.signal, interrupt: interrupt.signal, end, serve });
      try {
        await command.parseAsync([...arguments_], { from: 'user' });
      } catch (error) {
        // What a stopped command throws is the stop itself.
        if (stoppedWith === undefined) code = report(error, output, locale);
      }
      // What came to its end in the time that it was given has done all that it was asked to.
      if (stoppedWith === exitCode.terminated && hasEnded && code !== exitCode.parked) return code;
      return stoppedWith ?? code;
    },
  };
}

/** The runtime is loaded by the commands that need it; where it is not, no plugin can have failed. */
async function failureOf(error: unknown): Promise<PluginFailure | undefined> {
  try {
    const { pluginFailure } = await import('baigong');
    return pluginFailure(error);
  } catch {
    return undefined;
  }
}

interface ProgramParts {
  readonly locale: Locale;
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly interrupt: AbortSignal;
  readonly end: (code: number) => void;
  /** From now on what plugins do wrong ends nothing. */
  readonly serve: () => void;
}

function build({ locale, output, signal, interrupt, end, serve }: ProgramParts): Command {
  const say = (key: Parameters<typeof cliText>[0], values?: Readonly<Record<string, string>>) =>
    cliText(key, locale, values);
  const program = new Command('baigong');
  program
    .description(say('description'))
    .version(version())
    .exitOverride()
    .configureOutput({ writeErr: output.notice, writeOut: output.answer })
    .showSuggestionAfterError()
    .option('--project <dir>', say('optionProject'), '.')
    .option('--model <name>', say('optionModel'))
    .addOption(
      new Option('--output <format>', say('optionOutput')).choices(['text', 'json', 'stream-json']).default('text'),
    )
    .addOption(new Option('--lang <language>', say('optionLang')).choices(['en', 'zh']))
    .option('--set <key=value>', say('optionSet'), collectSetting)
    .addOption(
      new Option('--approval-mode <mode>', say('optionApprovalMode')).choices(['approve', 'auto', 'reviewer', 'deny']),
    )
    .option('-p, --prompt <text>', say('optionPrompt'))
    .option('--session <name>', say('optionSession'))
    .option('--continue', say('optionContinue'));

  const contextOf = (): { context: CommandContext; globals: GlobalOptions } => {
    const globals = program.opts<GlobalOptions>();
    const flags = new Map(globals.set);
    if (globals.model !== undefined) flags.set('ai.model', globals.model);
    if (globals.lang !== undefined) flags.set('locale', globals.lang);
    if (globals.approvalMode !== undefined) flags.set('approval.mode', globals.approvalMode);
    const options: CommandOptions = { project: globals.project, output: globals.output, flags };
    return { context: { options, locale, output, signal, interrupt }, globals };
  };

  const chat = async (words: readonly string[]) => {
    const [word] = words;
    if (word !== undefined) {
      const commands = program.commands.map((command) => command.name()).join(', ');
      throw new CliError(say('unknownWord', { word: escapeControls(word).slice(0, 40), commands }), exitCode.usage);
    }
    const { context, globals } = contextOf();
    if (globals.prompt !== undefined) {
      const { runPrompt } = await import('./commands/prompt.ts');
      end(await runPrompt(context, globals.prompt, globals));
    } else {
      const { runChat } = await import('./commands/chat.ts');
      serve();
      end(await runChat(context, globals));
    }
  };
  program.command('chat', { isDefault: true }).description(say('chatDescription')).argument('[words...]').action(chat);

  const tools = program.command('tools').description(say('toolsDescription'));
  tools
    .command('list')
    .description(say('toolsListDescription'))
    .action(async () => {
      const { runToolsList } = await import('./commands/tools.ts');
      end(await runToolsList(contextOf().context));
    });
  tools
    .command('show')
    .description(say('toolsShowDescription'))
    .argument('<name>', say('argumentName'))
    .action(async (name: string) => {
      const { runToolsShow } = await import('./commands/tools.ts');
      end(await runToolsShow(contextOf().context, name));
    });
  tools
    .command('call')
    .description(say('toolsCallDescription'))
    .argument('<name>', say('argumentName'))
    .argument('[json]', say('argumentInput'), '{}')
    .action(async (name: string, input: string) => {
      const { runToolsCall } = await import('./commands/tools.ts');
      const { context, globals } = contextOf();
      end(await runToolsCall(context, name, input, globals.session));
    });

  const turns = program.command('turns').description(say('turnsDescription'));
  turns
    .command('list')
    .description(say('turnsListDescription'))
    .option('--limit <n>', say('optionLimit'), positiveInteger, 20)
    .action(async (own: { readonly limit: number }) => {
      const { runTurnsList } = await import('./commands/turns.ts');
      const { context, globals } = contextOf();
      end(await runTurnsList(context, own.limit, globals.session));
    });
  turns
    .command('show')
    .description(say('turnsShowDescription'))
    .argument('<id>', say('argumentTurn'))
    .action(async (id: string) => {
      const { runTurnsShow } = await import('./commands/turns.ts');
      end(await runTurnsShow(contextOf().context, id));
    });

  turns
    .command('cancel')
    .description(say('turnsCancelDescription'))
    .argument('<id>', say('argumentTurn'))
    .action(async (id: string) => {
      const { runTurnsCancel } = await import('./commands/turns.ts');
      end(await runTurnsCancel(contextOf().context, id));
    });

  const approvals = program.command('approvals').description(say('approvalsDescription'));
  approvals
    .command('list', { isDefault: true })
    .description(say('approvalsListDescription'))
    .option('--all', say('optionAll'))
    .allowExcessArguments()
    .action(async (own: { readonly all?: boolean }, { args: [word] }: Command) => {
      // It stands for the bare command as well, so what is no command at all comes here.
      if (word !== undefined)
        throw new CliError(say('noSuchSubcommand', { word: escapeControls(word) }), exitCode.usage);
      const { runApprovalsList } = await import('./commands/approvals.ts');
      end(await runApprovalsList(contextOf().context, own.all === true));
    });
  approvals
    .command('show')
    .description(say('approvalsShowDescription'))
    .argument('<code>', say('argumentCode'))
    .action(async (code: string) => {
      const { runApprovalsShow } = await import('./commands/approvals.ts');
      end(await runApprovalsShow(contextOf().context, code));
    });
  approvals
    .command('approve')
    .description(say('approvalsApproveDescription'))
    .option('--yes', say('optionYes'))
    .argument('<code>', say('argumentCode'))
    .action(async (code: string, own: { readonly yes?: boolean }) => {
      const { runApprovalsApprove } = await import('./commands/approvals.ts');
      end(await runApprovalsApprove(contextOf().context, code, own.yes === true));
    });
  approvals
    .command('deny')
    .description(say('approvalsDenyDescription'))
    .option('--reason <text>', say('optionReason'))
    .argument('<code>', say('argumentCode'))
    .action(async (code: string, own: { readonly reason?: string }) => {
      const { runApprovalsAnswer } = await import('./commands/approvals.ts');
      const reason = own.reason === undefined ? {} : { reason: own.reason };
      end(await runApprovalsAnswer(contextOf().context, code, { approve: false, ...reason }));
    });
  approvals
    .command('answer')
    .description(say('approvalsAnswerDescription'))
    .argument('<code>', say('argumentCode'))
    .argument('<text...>', say('argumentAnswer'))
    .action(async (code: string, words: readonly string[]) => {
      const { runApprovalsAnswer } = await import('./commands/approvals.ts');
      end(await runApprovalsAnswer(contextOf().context, code, { value: words.join(' ') }));
    });

  program
    .command('resume')
    .description(say('resumeDescription'))
    .action(async () => {
      const { runResume } = await import('./commands/resume.ts');
      end(await runResume(contextOf().context));
    });

  const config = program.command('config').description(say('configDescription'));
  config
    .command('show')
    .description(say('configShowDescription'))
    .option('--origin', say('optionOrigin'))
    .argument('[key]', say('argumentKey'))
    .action(async (key: string | undefined, own: { readonly origin?: boolean }) => {
      const { runConfigShow } = await import('./commands/config.ts');
      end(await runConfigShow(contextOf().context, key, own.origin === true));
    });

  const create = program.command('create').description(say('createDescription'));
  for (const kind of ['tool', 'plugin'] as const) {
    create
      .command(kind)
      .description(say(kind === 'tool' ? 'createToolDescription' : 'createPluginDescription'))
      .argument('<name>', say('argumentNewName'))
      .action(async (name: string) => {
        const { runCreate } = await import('./commands/create.ts');
        end(await runCreate(contextOf().context, kind, name));
      });
  }

  program
    .command('doctor')
    .description(say('doctorDescription'))
    .action(async () => {
      const { runDoctor } = await import('./commands/doctor.ts');
      end(await runDoctor(contextOf().context));
    });
  return program;
}

/** Texts of the command line itself are needed before it is parsed. */
function chooseLocale(arguments_: readonly string[]): Locale {
  for (const [index, argument] of arguments_.entries()) {
    const value = argument === '--lang' ? arguments_[index + 1] : /^--lang=(.*)$/.exec(argument)?.[1];
    if (value === 'zh' || value === 'en') return value;
  }
  return detectLocale(process.env);
}

function collectSetting(value: string, earlier: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const equals = value.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('key=value, e.g. turn.maxSteps=5');
  return new Map([...earlier, [value.slice(0, equals).trim(), value.slice(equals + 1)]]);
}

function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('1, 2, 3 …');
  return number;
}

function report(error: unknown, output: Output, locale: Locale): number {
  // Commander has said what was wrong with the arguments; help and version end in "errors" with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof CliError) {
    output.notice(`${error.message}\n`);
    return error.code;
  }
  const reason = error instanceof Error ? error.message : String(error);
  output.notice(`${pc.red(cliText('fault', locale, { reason: escapeControls(reason) }))}\n`);
  if (error instanceof Error && error.stack !== undefined) output.notice(`${pc.dim(escapeControls(error.stack))}\n`);
  return exitCode.fault;
}
