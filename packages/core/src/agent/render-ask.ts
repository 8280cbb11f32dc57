import type { ApprovalAsk, StoredAsk } from '../contracts/ask.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import { showInvisible } from '../contracts/show-invisible.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

const DESCRIPTION_CHARS = 300;

export interface RenderAskOptions {
  /** Characters of one argument that are shown; longer ones say how long they are. Default 400. */
  readonly fold?: number;
}

/**
 * An ask for people, as lines of plain text. Whatever a tool, a user or a model wrote stands behind a label or is
 * indented, with everything invisible written out: nothing of it can look like a line of the card itself.
 *
 * @example
 * output.write(`${renderAsk(ask, 'en')}\n`);
 */
export function renderAsk(ask: StoredAsk, locale: Locale, { fold = 400 }: RenderAskOptions = {}): string {
  const say = (...key: Parameters<typeof text>) => renderText(text(...key), locale);
  const { code } = ask;
  const rows: [string, string][] = [];
  const row = (label: Parameters<typeof text>[0], value: string) => void rows.push([say(label), value]);
  let isCut = false;
  const cut = (value: string, limit: number) => {
    if (value.length > limit) isCut = true;
    return folded(value, limit, locale);
  };
  let head: string;
  if (ask.kind === 'question') {
    const { tool, text: question, options = [] } = ask.card;
    head = say('approval.card-question', { tool });
    const lines = question.split('\n').map((line) => `  > ${gapsOf(line)}`);
    const numbered = options.map((option, index) => `  ${index + 1}. ${gapsOf(option)}`);
    head = [head, ...lines, ...numbered].join('\n');
  } else {
    const { tool, title, description, level, dangerous, category, reasons, touches } = ask.card;
    head = say('approval.card-approval', { tool: title === undefined ? tool : `${tool} (${gapsOf(title)})` });
    row('approval.card-what', gapsOf(cut(description, DESCRIPTION_CHARS)));
    row(
      'approval.card-arguments',
      argumentLines(ask, (value) => cut(value, fold)),
    );
    const levelText = !dangerous
      ? level
      : category === undefined
        ? say('approval.card-dangerous', { level })
        : say('approval.card-category', { level, category });
    row('approval.card-level', levelText);
    row('approval.card-why', reasons.map((reason) => renderText(reason, locale)).join('; '));
    if (touches.length > 0) {
      row('approval.card-touches', cut(touches.map(({ kind, value }) => `${kind} ${value}`).join(', '), fold));
    }
  }
  row('approval.card-who', who(ask));
  row(
    'approval.card-where',
    say('approval.card-place', { place: where(ask), session: gapsOf(showInvisible(ask.sessionKey)) }),
  );
  row('approval.card-until', localTime(ask.answerBy) ?? say('approval.no-limit'));
  if (ask.kind === 'approval') {
    row('approval.card-used', say(...spanOf(ask.useForMs)));
  }
  row('approval.card-code', code);
  if (isCut) row('approval.card-cut', say('approval.card-cut-how', { code }));
  const how = say(ask.kind === 'approval' ? 'approval.card-how' : 'approval.card-how-question', { code });
  // What is closed cannot be answered any more.
  const end = ask.state === 'open' ? [`  ${how}`] : [];
  return [head, ...rows.map(([label, value]) => `  ${label}: ${value}`), ...end].join('\n');
}

/** One line for each member; what is no object any more (a cut card) in one. */
function argumentLines({ card }: ApprovalAsk, cut: (value: string) => string): string {
  let value: Json;
  try {
    value = JSON.parse(unescaped(card.arguments)) as Json;
  } catch {
    return cut(card.arguments);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cut(card.arguments);
  const members = Object.entries(value as JsonObject);
  if (members.length === 0) return '{}';
  // Parsed, its escapes are what they stand for, so they are written out again.
  return members
    .map(([name, member]) => `\n    ${nameOf(cut(name))}: ${gapsOf(cut(showInvisible(JSON.stringify(member))))}`)
    .join('');
}

/** A name that is more than a word stands in quotes, so that it looks like no line of the card. */
function nameOf(name: string): string {
  const isWord = /^[\p{L}\p{N}_.$-]+$/u.test(name) && showInvisible(name) === name;
  return isWord ? name : gapsOf(showInvisible(JSON.stringify(name)));
}

/** Runs of spaces are counted: with them a text could decide where a terminal begins its next line. */
function gapsOf(shown: string): string {
  return shown.replace(/ {4,}/g, (gap) => `\\u{20}×${gap.length}`);
}

/**
 * The JSON behind a card: what is written as `\u{…}` in the way of JSON. A backslash of JSON takes the next character with
 * it, so nothing that an argument says is mistaken for one.
 */
function unescaped(shown: string): string {
  return shown.replace(/\\(?:u\{([0-9a-f]{1,6})\}|[\s\S])/g, (pair, code: string | undefined) =>
    code === undefined ? pair : JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1),
  );
}

function folded(value: string, limit: number, locale: Locale): string {
  if (value.length <= limit) return value;
  const [first, last] = [Math.ceil(limit / 2), Math.floor(limit / 4)];
  const note = text('approval.card-folded', { count: value.length, digest: digest(value).slice(7, 15) });
  return `${value.slice(0, first).toWellFormed()} ${renderText(note, locale)} ${value.slice(-last).toWellFormed()}`;
}

function who({ from }: StoredAsk): string {
  const { displayName, id, role } = from;
  const shown = [...gapsOf(showInvisible(displayName ?? '')).replaceAll('"', "'")].slice(0, 80).join('');
  const name = displayName === undefined ? '' : `"${shown}" `;
  return `${name}${showInvisible(id)} (${role})`;
}

function where({ origin }: StoredAsk): string {
  const { kind, platform, adapter, scope, sceneId } = origin;
  return [kind, platform ?? adapter, scope, sceneId]
    .filter((part) => part !== undefined)
    .map((part) => showInvisible(part))
    .join(' / ');
}

/** In hours, whole minutes or seconds, never more than it is, but for what is less than a second. */
function spanOf(forMs: number): Parameters<typeof text> {
  const seconds = Math.max(1, Math.floor(forMs / 1_000));
  if (seconds < 60) return ['approval.seconds', { count: seconds }];
  if (seconds % 3_600 === 0) return ['approval.hours', { count: seconds / 3_600 }];
  return ['approval.minutes', { count: Math.floor(seconds / 60) }];
}

/** `2026-05-01 18:30:05`, in the time zone of this machine. Undefined: later than any date. */
function localTime(at: number): string | undefined {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
