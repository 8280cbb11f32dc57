import { outcomeJson, type Reply, type Turn } from 'baigong';
import pc from 'picocolors';
import { type CommandContext, GRACE_MS, openRuntime, toCliError } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';
import { renderTurn } from './render-turn.ts';
import { showOutcome } from './show-outcome.ts';
import { showHeld } from './show-parked.ts';
import { showReply } from './show-reply.ts';

/** `resume`: goes on with every turn that can, shows what they come to, and ends. */
export async function runResume(outer: CommandContext): Promise<number> {
  // Nobody waits here for a new question: its turn parks again at once.
  const flags = new Map([...outer.options.flags, ['turn.parkAfterMs', '0'] as const]);
  const context: CommandContext = { ...outer, options: { ...outer.options, flags } };
  const { output, options, locale, signal } = context;
  let code: number = exitCode.ok;
  let resumed = 0;
  let replied = 0;
  const shown = new Set<string>();
  const send = async (reply: Reply) => {
    replied += 1;
    // One that another program brought to its end says here whose it is.
    if (options.output === 'text' && !shown.has(reply.turnId)) head(reply.sessionKey);
    output.answer(options.output === 'text' ? showReply(reply, output.isTerminal) : `${JSON.stringify(reply)}\n`);
  };
  const runtime = await openRuntime(context, 'work', {
    replies: { reaches: ({ origin }) => origin.kind === 'cli' || origin.kind === 'api', send },
  });
  const head = (session: string) =>
    output.notice(`${pc.dim(cliText('replyOf', locale, { session: escapeControls(session) }))}\n`);
  const show = async (turn: Turn): Promise<void> => {
    head(turn.sessionKey);
    shown.add(turn.id);
    const { turnId, sessionKey, status } = await renderTurn(
      turn,
      'text',
      { ...output, answer: () => {} },
      runtime.locale,
      (event) => {
        if (event.type === 'ask-open' && event.holds === true) output.notice(showHeld(event.ask, runtime.locale));
      },
      { isReplied: true },
    );
    if (status === 'parked' && code === exitCode.ok && !signal.aborted) code = exitCode.parked;
    if (status === 'failed' || status === 'limit') code = exitCode.turn;
    const isDirect = (await runtime.turn(turnId))?.request.call !== undefined;
    const called = isDirect ? await runtime.calls(turnId) : [];
    // What its code called stands beside it.
    const outcome = called.find(({ id }) => id === `${turnId}.0.0`)?.outcome;
    if (outcome === undefined || status === 'parked') return;
    const ended = outcome.status === 'success' ? exitCode.ok : exitCode.call;
    if (options.output === 'text') showOutcome(outcome, output, runtime.locale);
    else {
      const shown = { turnId, session: sessionKey, outcome: outcomeJson(outcome, runtime.locale) };
      output.answer(`${JSON.stringify(shown)}\n`);
    }
    if (ended !== exitCode.ok) code = ended;
  };
  // Told to end, what runs gets its time, then it is put aside for the next program: nothing of it is cancelled.
  signal.addEventListener('abort', () => void runtime.close({ graceMs: GRACE_MS }));
  try {
    for (;;) {
      const turns = signal.aborted ? [] : await runtime.takeUp();
      if (turns.length === 0) break;
      resumed += turns.length;
      await Promise.all(turns.map(show));
    }
    if (signal.aborted) return code;
    await delivered(async () => {
      const waiting = await runtime.replies();
      return waiting.every(
        ({ state, origin }) => state === 'unknown' || (origin.kind !== 'cli' && origin.kind !== 'api'),
      );
    });
    for (const { state, sessionKey, turnId } of await runtime.replies()) {
      if (state !== 'unknown') continue;
      const session = escapeControls(sessionKey);
      output.notice(`${pc.yellow(cliText('replyFate', locale, { session, turn: escapeControls(turnId) }))}\n`);
    }
    if (resumed + replied === 0 && options.output === 'text') output.notice(`${cliText('nothingToResume', locale)}\n`);
    return code;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close({ graceMs: GRACE_MS });
  }
}

/** Replies are handed over beside the turns; a terminal takes them at once. */
async function delivered(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100 && !(await isDone()); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
