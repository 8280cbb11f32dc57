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

/** Characters of an answer; a longer one is none. */
const ANSWER_CHARS = 4_000;

const VERDICTS: ReadonlyMap<string | undefined, ReviewVerdict> = new Map([
  ['approve', 'yes'],
  ['deny', 'no'],
  ['unsure', 'unsure'],
]);

/** A verdict and perhaps a reason, each once, and nothing else: to JSON itself the later of two verdicts counts. */
const FORM = /^\{\s*("verdict"|"reason")\s*:\s*TEXT(?:\s*,\s*(?!\1)(?:"verdict"|"reason")\s*:\s*TEXT)?\s*\}$/.source;
const ANSWER = new RegExp(FORM.replaceAll('TEXT', String.raw`"(?:[^"\\]|\\.)*"`));

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
    const { calls, finishReason } = await readModelStream({
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
    // Cut off, withheld or beside a call it was not meant as the whole answer.
    if (finishReason !== 'stop' || calls.length > 0 || said.length > ANSWER_CHARS) return 'unsure';
  } catch {
    signal.throwIfAborted();
    return 'unsure';
  }
  return verdictOf(said);
}

function verdictOf(said: string): ReviewVerdict {
  const answer = said.trim();
  if (!ANSWER.test(answer)) return 'unsure';
  try {
    const { verdict, reason } = JSON.parse(answer) as { readonly verdict?: string; readonly reason?: string };
    return (reason?.length ?? 0) > 300 ? 'unsure' : (VERDICTS.get(verdict) ?? 'unsure');
  } catch {
    return 'unsure';
  }
}
