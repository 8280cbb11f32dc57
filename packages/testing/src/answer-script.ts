import type { ScriptedAnswer } from './answer.ts';
import type { Conversation } from './received-request.ts';
import { whyUnfit } from './why-unfit.ts';

const maxReasons = 20;

/** The answers in order, and which of them were given. */
export class AnswerScript {
  readonly #entries: { readonly answer: ScriptedAnswer; used: boolean }[] = [];

  add(answers: readonly ScriptedAnswer[]): void {
    for (const answer of answers) this.#entries.push({ answer, used: false });
  }

  /** Positions of the answers no request has been given yet. */
  get unused(): number[] {
    return this.#entries.flatMap((entry, position) => (entry.used ? [] : [position]));
  }

  /** The first answer that is unused, or repeats, and whose `when` fits. It counts as used from now on. */
  take(request: Conversation): { position: number; answer: ScriptedAnswer } | undefined {
    const position = this.#entries.findIndex((entry) => whyNot(entry, request) === undefined);
    const entry = this.#entries[position];
    if (entry === undefined) return undefined;
    entry.used = true;
    return { position, answer: entry.answer };
  }

  /** Why each answer was passed over. */
  explain(request: Conversation): string {
    if (this.#entries.length === 0) return 'The script is empty.';
    const reasons = this.#entries.map((entry, position) => `Answer ${position}: ${whyNot(entry, request) ?? 'fits'}.`);
    if (reasons.length > maxReasons) reasons.splice(maxReasons, Infinity, `… and ${reasons.length - maxReasons} more.`);
    return reasons.join(' ');
  }
}

function whyNot(entry: { answer: ScriptedAnswer; used: boolean }, request: Conversation): string | undefined {
  const { when, repeat } = typeof entry.answer === 'function' ? {} : entry.answer;
  if (entry.used && repeat !== true) return 'already given';
  return when === undefined ? undefined : whyUnfit(when, request);
}
