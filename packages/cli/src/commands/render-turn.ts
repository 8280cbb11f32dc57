import { type Locale, outcomeJson, renderText, type Turn, type TurnEvent, type TurnResult } from 'baigong';
import pc from 'picocolors';
import type { OutputFormat } from '../command-context.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { fold } from '../terminal/fold.ts';
import type { Output } from '../terminal/output.ts';
import { cliText } from '../texts.ts';
import { showParked } from './show-parked.ts';

const LINE_WIDTH = 100;

/**
 * Shows a turn while it runs, in the wanted format, and gives its result. `onEvent` hears of everything before. `isReplied`:
 * its reply says why it ended without an answer.
 */
export async function renderTurn(
  turn: Turn,
  format: OutputFormat,
  output: Output,
  locale: Locale,
  onEvent: (event: TurnEvent) => void = () => {},
  { isReplied = false }: { readonly isReplied?: boolean } = {},
): Promise<TurnResult> {
  const calls: object[] = [];
  const text = new TextWriter(output);
  for await (const event of turn) {
    if (event.type === 'ask-open') text.end();
    onEvent(event);
    if (event.type === 'tool-end') {
      calls.push({ id: event.callId, name: event.name, outcome: outcomeJson(event.outcome, locale) });
    }
    if (format === 'stream-json') output.answer(`${JSON.stringify(eventJson(event, locale))}\n`);
    if (format === 'text') showEvent(event, text, output, locale);
  }
  const result = await turn.result;
  if (format === 'json') output.answer(`${JSON.stringify({ ...resultJson(result, locale), calls })}\n`);
  if (format === 'text') text.end();
  if (format !== 'stream-json' && result.error !== undefined && !isReplied) {
    output.notice(`${pc.red(escapeControls(renderText(result.error.message, locale)))}\n`);
  }
  // A person reads the code wherever the answer goes.
  if (result.status === 'parked') output.notice(showParked(result.asks ?? [], locale));
  return result;
}

/** Writes the answer as it arrives; each step begins on a line of its own, and the answer ends with one line break. */
class TextWriter {
  readonly #output: Output;
  #atLineStart = true;
  #wrote = false;
  #half = '';

  constructor(output: Output) {
    this.#output = output;
  }

  write(piece: string): void {
    // Half a character waits for its other half.
    const whole = this.#half + piece;
    const last = whole.charCodeAt(whole.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
    const delta = this.#half === '' ? whole : whole.slice(0, -1);
    if (delta === '') return;
    this.#output.answer(this.#output.isTerminal ? escapeControls(delta) : delta);
    this.#atLineStart = delta.endsWith('\n');
    this.#wrote = true;
  }

  /** The next text belongs to another step. */
  break(): void {
    if (!this.#atLineStart) this.#output.answer('\n');
    this.#atLineStart = true;
  }

  end(): void {
    if (this.#wrote) this.break();
  }
}

function showEvent(event: TurnEvent, text: TextWriter, output: Output, locale: Locale): void {
  switch (event.type) {
    case 'text-delta':
      text.write(event.text);
      break;
    case 'tool-start':
      text.break();
      output.notice(pc.dim(`⚙ ${fold(event.name, 64)} ${fold(event.rawInput, LINE_WIDTH)}\n`));
      break;
    case 'tool-progress':
      output.notice(pc.dim(`  … ${fold(JSON.stringify(event.value), LINE_WIDTH)}\n`));
      break;
    case 'late-result':
      output.notice(`${pc.yellow(cliText('lateResult', locale, { status: event.outcome.status }))}\n`);
      break;
    case 'tool-end':
      output.notice(pc.dim(`${toolEndLine(event, locale)}\n`));
      break;
    default:
      break;
  }
}

/** How a call ended, in one line. */
export function toolEndLine(
  { name, outcome }: Extract<TurnEvent, { readonly type: 'tool-end' }>,
  locale: Locale,
): string {
  const time = `${Math.round(outcome.durationMs)} ms`;
  return outcome.status === 'success'
    ? `✓ ${fold(name, 64)} ${cliText('toolDone', locale)} ${time}`
    : `✗ ${fold(name, 64)} ${outcome.code}: ${fold(renderText(outcome.message, locale), LINE_WIDTH)} ${time}`;
}

function resultJson(result: TurnResult, locale: Locale) {
  const { turnId, sessionKey, status, text, usage, steps, error, asks } = result;
  return { turnId, session: sessionKey, status, text, error: errorJson(error, locale), usage, steps, asks };
}

function eventJson(event: TurnEvent, locale: Locale): object {
  if (event.type === 'tool-end' || event.type === 'late-result')
    return { ...event, outcome: outcomeJson(event.outcome, locale) };
  if (event.type === 'turn-end') return { ...event, error: errorJson(event.error, locale) };
  return event;
}

function errorJson(error: TurnResult['error'], locale: Locale) {
  return error === undefined ? undefined : { code: error.code, message: renderText(error.message, locale) };
}
