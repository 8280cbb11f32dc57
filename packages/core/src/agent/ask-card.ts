import type { AskCard } from '../contracts/ask.ts';
import { canonicalJson } from '../contracts/canonical-json.ts';
import type { ApprovalLevel, ToolCapability } from '../contracts/capability.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { showInvisible } from '../contracts/show-invisible.ts';
import { text } from '../contracts/texts/text.ts';

/** Characters of arguments that a card holds whole; nobody reads more. */
const LONGEST = 200_000;

/** Characters of each text and name in arguments that are longer. */
const SHORTENED = 200;

interface CardParts {
  readonly tool: ToolCapability;
  readonly input: JsonObject;
  readonly level: ApprovalLevel;
  readonly reasons: readonly MessageKey[];
  /** Hides values that must not be shown. */
  readonly mask: (text: string) => string;
}

/** Everything that will happen if the call is approved, in texts that are safe to print anywhere. */
export function createAskCard({ tool, input, level, reasons, mask }: CardParts): AskCard {
  const { name, description, annotations, dangerous, danger, networkLabels } = tool;
  const { title } = annotations;
  const shown = shownArguments(masked(input, mask), mask);
  return {
    tool: showInvisible(name),
    ...(title === undefined ? {} : { title: showInvisible(title) }),
    description: showInvisible(description),
    arguments: shown.text,
    level,
    dangerous,
    ...(danger === undefined ? {} : { category: danger }),
    reasons: shown.isWhole ? reasons : [text('approval.because-cut'), ...reasons],
    touches: networkLabels.map((value) => ({ kind: 'host', value: showInvisible(value) })),
  };
}

/**
 * Each text and each number without secrets, before JSON writes it: escaped, a secret with quotes or line breaks would not
 * be found any more. Members in one order; names that become the same stay apart.
 */
function masked(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') {
    const written = String(value);
    return mask(written) === written ? value : mask(written);
  }
  if (Array.isArray(value)) return value.map((item: Json) => masked(item, mask));
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    let shown = mask(name);
    while (members.has(shown)) shown += '•';
    members.set(shown, masked(member, mask));
  }
  return Object.fromEntries(members);
}

/** Lone surrogates have no canonical form; they are seen as escapes then. */
function textOf(input: Json): string {
  try {
    return canonicalJson(input);
  } catch {
    return JSON.stringify(input);
  }
}

/**
 * Arguments of any length in a text of limited length. Too long ones keep all their members and have their texts shortened,
 * each with its true length; if that is not enough, what is left is no JSON and begins by saying so: nothing that is
 * missing may look as if it were not there.
 */
function shownArguments(
  input: Json,
  mask: (text: string) => string,
): { readonly text: string; readonly isWhole: boolean } {
  const show = (value: Json) => showInvisible(mask(textOf(value)));
  const whole = show(input);
  if (whole.length <= LONGEST) return { text: whole, isWhole: true };
  const short = show(shortened(input));
  if (short.length <= LONGEST) return { text: short, isWhole: false };
  const note = noteOf(whole);
  return { text: `${note} ${short.slice(0, LONGEST - note.length - 1).toWellFormed()}`, isWhole: false };
}

function shortened(value: Json): Json {
  if (typeof value === 'string') return shortText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => shortened(item));
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    let shown = shortText(name);
    while (members.has(shown)) shown += '•';
    members.set(shown, shortened(member));
  }
  return Object.fromEntries(members);
}

function shortText(value: string): string {
  if (value.length <= SHORTENED) return value;
  const [first, last] = [value.slice(0, SHORTENED / 2), value.slice(-SHORTENED / 4)];
  return `${first.toWellFormed()} ${noteOf(value)} ${last.toWellFormed()}`;
}

function noteOf(value: string): string {
  return `… (${value.length} characters in all, sha256 ${digest(value).slice(7, 15)}) …`;
}
