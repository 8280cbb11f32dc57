import type { AskCard } from '../contracts/ask.ts';
import { canonicalJson } from '../contracts/canonical-json.ts';
import type { ApprovalLevel, ToolCapability } from '../contracts/capability.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { showInvisible } from '../contracts/show-invisible.ts';

/** Characters of arguments that a card holds; nobody reads more. */
const LONGEST = 200_000;

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
  return {
    tool: showInvisible(name),
    ...(title === undefined ? {} : { title: showInvisible(title) }),
    description: showInvisible(description),
    arguments: bounded(showInvisible(mask(textOf(masked(input, mask))))),
    level,
    dangerous,
    ...(danger === undefined ? {} : { category: danger }),
    reasons,
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
    const text = String(value);
    return mask(text) === text ? value : mask(text);
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

function bounded(text: string): string {
  if (text.length <= LONGEST) return text;
  const note = `… (${text.length} characters in all, ${digest(text)}) …`;
  const half = Math.floor((LONGEST - note.length) / 2);
  return `${text.slice(0, half).toWellFormed()}${note}${text.slice(-half).toWellFormed()}`;
}
