import type { ApprovalAsk } from '../contracts/ask.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { type ResolvedModel, readModelStream } from '../models/index.ts';

/** Anything but `yes` means: ask a person. */
export type ReviewVerdict = 'yes' | 'no' | 'unsure';

const LIMIT_MS = 30_000;

/** Characters of a card that a reviewer is sent; of a longer one nobody can judge the rest. */
const CARD_CHARS = 50_000;

/** Characters of an answer that is read. */
const ANSWER_CHARS = 4_000;

const VERDICTS: ReadonlyMap<unknown, ReviewVerdict> = new Map([
  ['approve', 'yes'],
  ['deny', 'no'],
  ['unsure', 'unsure'],
]);

interface Review {
  readonly model: ResolvedModel;
  readonly ask: ApprovalAsk;
  readonly signal: AbortSignal;
  readonly locale: Locale;
}

/**
 * Has a model judge a call by its card, in a fixed form. Only an answer that is exactly one JSON object of that form, with
 * the verdict `approve`, is a yes; errors, time-outs, prose and everything else are not. Never rejects, but for an abort.
 */
export async function reviewCall({ model, ask, signal, locale }: Review): Promise<ReviewVerdict> {
  const { card, from, origin } = ask;
  const { tool, description, arguments: input, level, touches } = card;
  const described = JSON.stringify({
    tool,
    description,
    arguments: input,
    level,
    touches,
    requestedBy: { role: from.role },
    origin: { kind: origin.kind, ...(origin.scope === undefined ? {} : { scope: origin.scope }) },
  });
  if (model.offline || described.length > CARD_CHARS) return 'unsure';
  const limit = AbortSignal.timeout(LIMIT_MS);
  let said = '';
  try {
    await readModelStream({
      model: model.model,
      provider: model.provider,
      options: {
        prompt: [
          { role: 'system', content: renderText(text('approval.review-system'), locale) },
          { role: 'user', content: [{ type: 'text', text: described.toWellFormed() }] },
        ],
        abortSignal: AbortSignal.any([signal, limit]),
      },
      onText: (delta) => {
        if (said.length <= ANSWER_CHARS) said += delta;
      },
      onReasoning: () => {},
    });
  } catch {
    signal.throwIfAborted();
    return 'unsure';
  }
  return verdictOf(said);
}

function verdictOf(said: string): ReviewVerdict {
  let answer: unknown;
  try {
    answer = JSON.parse(said.trim());
  } catch {
    return 'unsure';
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'unsure';
  const members = Object.keys(answer);
  if (!members.every((name) => name === 'verdict' || name === 'reason')) return 'unsure';
  const { verdict, reason } = answer as { readonly verdict?: unknown; readonly reason?: unknown };
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > 300)) return 'unsure';
  return VERDICTS.get(verdict) ?? 'unsure';
}
