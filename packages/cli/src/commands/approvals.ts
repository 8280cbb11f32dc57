import { createInterface } from 'node:readline/promises';
import { type AnswerInput, type Locale, renderAsk, renderText, type StoredAsk } from 'baigong';
import pc from 'picocolors';
import { CliError } from '../cli-error.ts';
import {
  type CommandContext,
  isAttended,
  isInsideCall,
  localPrincipal,
  openState,
  toCliError,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { discardTyped } from '../terminal/discard-typed.ts';
import { fold } from '../terminal/fold.ts';
import { cliText } from '../texts.ts';

/** `approvals list` */
export async function runApprovalsList(context: CommandContext, all: boolean): Promise<number> {
  const { output, options, locale } = context;
  const state = await openState(context);
  try {
    const asks = await state.asks(all ? {} : { states: ['open'] });
    if (options.output !== 'text') output.answer(`${JSON.stringify(asks, undefined, 2)}\n`);
    else if (asks.length === 0) output.notice(`${cliText('noAsks', locale)}\n`);
    else for (const ask of asks) output.answer(`${rowOf(ask, locale)}\n`);
    return exitCode.ok;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}

/** `approvals show <code>` */
export async function runApprovalsShow(context: CommandContext, code: string): Promise<number> {
  const { output, options, locale } = context;
  const state = await openState(context);
  try {
    const ask = await state.ask(code);
    if (ask === undefined) throw noAsk(code, locale);
    const text = `${stateOf(ask, locale)}\n${renderAsk(ask, locale, { fold: Number.MAX_SAFE_INTEGER })}\n`;
    output.answer(options.output === 'text' ? text : `${JSON.stringify(ask, undefined, 2)}\n`);
    return exitCode.ok;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}

/** `approvals approve <code>`: shows what will happen and asks once more, the default being No. */
export async function runApprovalsApprove(context: CommandContext, code: string, isSure: boolean): Promise<number> {
  const { output, locale, signal } = context;
  demandPerson(locale);
  const state = await openState(context);
  try {
    const ask = await state.ask(code);
    if (ask === undefined) throw noAsk(code, locale);
    // What is closed is told so at once: nothing is left to be sure of.
    if (!isSure && ask.state === 'open') {
      output.notice(`${renderAsk(ask, locale)}\n`);
      await discardTyped(process.stdin);
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const said = await lines.question(cliText('approveQuestion', locale), { signal }).catch(() => '');
      lines.close();
      signal.throwIfAborted();
      if (!/^(y|yes|是|同意|批准)$/i.test(said.trim())) {
        output.notice(`${cliText('notApproved', locale)}\n`);
        return exitCode.unanswered;
      }
    }
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
  return runApprovalsAnswer(context, code, { approve: true });
}

/** `approvals deny <code>` and `approvals answer <code> <text>` */
export async function runApprovalsAnswer(context: CommandContext, code: string, input: AnswerInput): Promise<number> {
  const { output, options, locale } = context;
  demandPerson(locale);
  const state = await openState(context);
  try {
    const { status, reason, ask } = await state.answer(code, input, { principal: localPrincipal() });
    const said = renderText(reason, locale);
    if (status === 'unknown') throw noAsk(code, locale);
    if (options.output === 'text') {
      output.notice(`${status === 'counted' ? said : pc.yellow(said)}\n`);
      if (status === 'counted') output.notice(`${pc.dim(cliText('goesOn', locale))}\n`);
    }
    if (options.output !== 'text') output.answer(`${JSON.stringify({ status, message: said, ask })}\n`);
    return status === 'counted' || status === 'stopping' ? exitCode.ok : exitCode.unanswered;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await state.close();
  }
}

/** Somebody at a terminal; never what an agent runs. */
function demandPerson(locale: Locale): void {
  if (isInsideCall()) throw new CliError(cliText('insideCall', locale), exitCode.usage);
  if (!isAttended()) throw new CliError(cliText('notAPerson', locale), exitCode.usage);
}

function noAsk(code: string, locale: Locale): CliError {
  return new CliError(cliText('noAsk', locale, { code: fold(code, 40) }), exitCode.usage);
}

function rowOf(ask: StoredAsk, locale: Locale): string {
  const { code, kind, openedAt, sessionKey, card } = ask;
  const what = ask.kind === 'approval' ? ask.card.arguments : ask.card.text;
  const opened = new Date(openedAt).toISOString();
  return [
    code,
    stateOf(ask, locale).padEnd(9),
    kind.padEnd(8),
    opened,
    fold(sessionKey, 40),
    fold(`${card.tool} ${what}`, 80),
  ].join('  ');
}

function stateOf({ state }: StoredAsk, locale: Locale): string {
  return renderText({ key: `ask-state.${state}` }, locale);
}
