import type { Locale, StoredAsk } from 'baigong';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';

/** What a parked turn waits for, a line each, with the way to answer it. */
export function showParked(asks: readonly StoredAsk[], locale: Locale): string {
  if (asks.length === 0) return `${cliText('turnLeft', locale)}\n`;
  return listed('turnParked', asks, locale);
}

/** What a program waits for that nobody sits at, and that cannot be put aside. */
export function showHeld(ask: StoredAsk, locale: Locale): string {
  return listed('turnHeld', [ask], locale);
}

function listed(head: 'turnParked' | 'turnHeld', asks: readonly StoredAsk[], locale: Locale): string {
  const lines = asks.map(({ kind, code, card }) =>
    cliText(kind === 'approval' ? 'parkedLine' : 'parkedQuestion', locale, { code, tool: escapeControls(card.tool) }),
  );
  return `${[cliText(head, locale), ...lines.map((line) => `  ${line}`)].join('\n')}\n`;
}
