import { CliError } from '../cli-error.ts';
import { type CommandContext, localPrincipal, openRuntime, toCliError } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { readText } from '../terminal/read-text.ts';
import { cliText } from '../texts.ts';
import { findSession, type SessionChoice } from './find-session.ts';
import { renderTurn } from './render-turn.ts';

/** `-p`: answers one message; what is piped in is added below it. Gives the exit code. */
export async function runPrompt(context: CommandContext, prompt: string, choice: SessionChoice): Promise<number> {
  const { options, locale, output, signal } = context;
  const piped = process.stdin.isTTY === true ? '' : await readText(process.stdin, signal);
  signal.throwIfAborted();
  const text = [prompt, piped].filter((part) => part.trim() !== '').join('\n\n');
  if (text === '') throw new CliError(cliText('emptyPrompt', locale), exitCode.usage);
  const runtime = await openRuntime(context, 'work');
  try {
    const session = await findSession(runtime, choice, runtime.locale);
    const request = { text, signal, principal: localPrincipal(), origin: { kind: 'cli' } as const };
    const turn = runtime.run({ ...request, ...(session === undefined ? {} : { session }) });
    const result = await renderTurn(turn, options.output, output, runtime.locale);
    return result.status === 'done' ? exitCode.ok : exitCode.turn;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close();
  }
}
