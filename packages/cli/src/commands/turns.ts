import { type Locale, type Message, outcomeJson, type TurnCancel } from 'baigong';
import { CliError } from '../cli-error.ts';
import { type CommandContext, localPrincipal, openState, toCliError } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { fold } from '../terminal/fold.ts';
import { cliText } from '../texts.ts';

/** Characters of one text that are shown; JSON output has all. */
const LONGEST = 2_000;

/** `turns list` */
export async function runTurnsList(
  context: CommandContext,
  limit: number,
  session: string | undefined,
): Promise<number> {
  const { output, options } = context;
  const state = await openState(context);
  try {
    const turns = await state.turns(session, limit);
    if (options.output === 'text') {
      for (const turn of turns) {
        const started = new Date(turn.startedAt).toISOString();
        output.answer(`${turn.id}  ${turn.status.padEnd(9)}  ${started}  ${fold(turn.sessionKey, 40)}\n`);
      }
    } else output.answer(`${JSON.stringify(turns, undefined, 2)}\n`);
    return exitCode.ok;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}

/** `turns show <id>` */
export async function runTurnsShow(context: CommandContext, id: string): Promise<number> {
  const { output, options, locale } = context;
  const state = await openState(context);
  try {
    const turn = id === 'last' ? (await state.turns(undefined, 1))[0] : await state.turn(id);
    if (turn === undefined) throw new CliError(cliText('noTurn', locale, { id: fold(id, 64) }), exitCode.usage);
    const [messages, record, asks] = await Promise.all([
      state.messages(turn.id),
      state.record(turn.id),
      state.asks({ turnId: turn.id }),
    ]);
    if (options.output === 'text') {
      output.answer(`${turn.id}  ${turn.status}  ${fold(turn.sessionKey, 60)}\n`);
      if (turn.cancel !== undefined) output.answer(`${cancelText(turn.cancel, locale)}\n`);
      for (const message of messages) output.answer(messageText(message, locale));
      for (const ask of asks) output.answer(`  ? ${ask.code}  ${ask.state}  ${fold(ask.card.tool, 64)}\n`);
      output.answer(`${cliText('turnRecord', locale)}\n`);
      for (const entry of record) {
        output.answer(
          `  +${entry.at - turn.startedAt} ms  ${entry.kind}  ${fold(JSON.stringify(entry.body), LONGEST)}\n`,
        );
      }
    } else output.answer(`${JSON.stringify({ turn, messages, record, asks }, undefined, 2)}\n`);
    return exitCode.ok;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}

function cancelText({ at, by, reason }: TurnCancel, locale: Locale): string {
  const key = reason === 'superseded' ? 'cancelSuperseded' : 'cancelAsked';
  return `  ${cliText(key, locale, { at: new Date(at).toISOString(), by: fold(by === '' ? '-' : by, 64) })}`;
}

function messageText(message: Message, locale: Locale): string {
  switch (message.role) {
    case 'user':
      return `${cliText('turnUser', locale)} ${fold(message.text, LONGEST)}\n`;
    case 'assistant': {
      const said = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const calls = message.calls.map((call) => `  → ${fold(call.toolName, 64)} ${fold(call.rawInput, LONGEST)}\n`);
      return `${said === '' ? '' : `${cliText('turnAssistant', locale)} ${fold(said, LONGEST)}\n`}${calls.join('')}`;
    }
    default:
      return `  ← ${fold(message.toolName, 64)} ${fold(JSON.stringify(outcomeJson(message.outcome, locale)), LONGEST)}\n`;
  }
}

/** `turns cancel <id>` */
export async function runTurnsCancel(context: CommandContext, id: string): Promise<number> {
  const { output, options, locale } = context;
  const state = await openState(context);
  try {
    const turn = id === 'last' ? (await state.turns(undefined, 1))[0] : await state.turn(id);
    if (turn === undefined) throw new CliError(cliText('noTurn', locale, { id: fold(id, 64) }), exitCode.usage);
    const { turns } = await state.cancel({ turn: turn.id }, { principal: localPrincipal() });
    const isWanted = turns.length > 0;
    if (options.output === 'text') output.notice(`${cliText(isWanted ? 'cancelWanted' : 'nothingToCancel', locale)}\n`);
    else output.answer(`${JSON.stringify({ turnId: turn.id, cancelled: isWanted })}\n`);
    return isWanted ? exitCode.ok : exitCode.unanswered;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}
