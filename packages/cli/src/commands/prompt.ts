import type { TurnEvent } from 'baigong';
import { CliError } from '../cli-error.ts';
import {
  type CommandContext,
  GRACE_MS,
  isAttended,
  localPrincipal,
  openRuntime,
  toCliError,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { readText } from '../terminal/read-text.ts';
import { cliText } from '../texts.ts';
import { findSession, type SessionChoice } from './find-session.ts';
import { InlineAsking } from './inline-asking.ts';
import { renderTurn } from './render-turn.ts';
import { showHeld } from './show-parked.ts';

/** `-p`: answers one message; what is piped in is added below it. Gives the exit code. */
export async function runPrompt(context: CommandContext, prompt: string, choice: SessionChoice): Promise<number> {
  const { options, locale, output, signal, interrupt } = context;
  const piped = process.stdin.isTTY === true ? '' : await readText(process.stdin, signal);
  signal.throwIfAborted();
  const text = [prompt, piped].filter((part) => part.trim() !== '').join('\n\n');
  if (text === '') throw new CliError(cliText('emptyPrompt', locale), exitCode.usage);
  const runtime = await openRuntime(context, 'work');
  const leave = () => void runtime.close({ graceMs: interrupt.aborted ? 0 : GRACE_MS });
  try {
    signal.throwIfAborted();
    const session = await findSession(runtime, choice, runtime.locale);
    const principal = localPrincipal();
    const attended = isAttended();
    const request = { text, signal: interrupt, principal, attended, origin: { kind: 'cli' } as const };
    const turn = runtime.run({ ...request, ...(session === undefined ? {} : { session }) });
    // Told to end, it gives the turn a while, then puts it aside for the next program.
    signal.addEventListener('abort', leave);
    const parts = { runtime, output, locale: runtime.locale, principal, onGone: leave };
    const asking = attended ? new InlineAsking(parts) : undefined;
    const hear = (event: TurnEvent) => {
      if (asking !== undefined) asking.hear(event);
      else if (event.type === 'ask-open' && event.holds === true) output.notice(showHeld(event.ask, runtime.locale));
    };
    const shown = asking?.behind(output) ?? output;
    const result = await renderTurn(turn, options.output, shown, runtime.locale, hear).finally(() => asking?.close());
    if (result.status === 'parked') return exitCode.parked;
    return result.status === 'done' ? exitCode.ok : exitCode.turn;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close();
  }
}
