import {
  type AnswerInput,
  type Locale,
  type Principal,
  type Runtime,
  readQuestionAnswer,
  renderAsk,
  renderText,
  type StoredAsk,
} from 'baigong';
import pc from 'picocolors';
import { isAttended } from '../command-context.ts';
import type { Output } from '../terminal/output.ts';
import { cliText } from '../texts.ts';

const YES = /^(y|yes|是|同意|批准)$/i;
const NO = /^(|n|no|否|不|拒绝)$/i;

export interface AskPersonOptions {
  readonly runtime: Runtime;
  readonly output: Output;
  readonly locale: Locale;
  readonly principal: Principal;
  readonly session?: string;
  /** What to ask now; undefined: nothing. */
  readonly prompt: (question: string | undefined) => void;
  /** Takes out of the terminal what was typed by now: nobody meant it as an answer to what was shown only now. */
  readonly discard: () => Promise<void>;
}

/** Asks the person at the terminal, one after another, what the turns before them want to know. The default is No. */
export class AskPerson {
  readonly #options: AskPersonOptions;
  readonly #waiting: StoredAsk[] = [];
  /** Those whose cards the person has seen, and could answer since. */
  readonly #shown = new Set<string>();
  readonly #held: (() => void)[] = [];
  /** Those of other sessions, which are only looked at unless they are approved. */
  readonly #lookedAt = new Set<string>();
  #discarded: Promise<void> = Promise.resolve();

  constructor(options: AskPersonOptions) {
    this.#options = options;
  }

  /** A line that is typed now is an answer. */
  get isAsking(): boolean {
    return this.#waiting.length > 0;
  }

  /** The person has not seen it here, and could be shown it. */
  mustShow({ id }: StoredAsk): boolean {
    return isAttended() && !this.#shown.has(id);
  }

  /** Says something as soon as nobody is asked: nothing may stand between a card and its question. */
  after(say: () => void): void {
    if (this.isAsking) this.#held.push(say);
    else say();
  }

  /** An output that waits as long as somebody is asked. */
  behind(output: Output): Output {
    return {
      ...output,
      answer: (text) => this.after(() => output.answer(text)),
      notice: (text) => this.after(() => output.notice(text)),
    };
  }

  /** What was held back is said. */
  flush(): void {
    for (const say of this.#held.splice(0)) say();
  }

  /** Shows one of another session: whoever does not approve it leaves it as it is. */
  lookAt(ask: StoredAsk): void {
    if (ask.sessionKey !== this.#options.session) this.#lookedAt.add(ask.id);
    this.opened(ask);
  }

  opened(ask: StoredAsk): void {
    if (this.#waiting.some(({ id }) => id === ask.id)) return;
    this.#waiting.push(ask);
    if (this.#waiting.length === 1) void this.#show();
  }

  /** It has an answer, from here or from elsewhere. */
  closed(askId: string, state?: string): void {
    const index = this.#waiting.findIndex(({ id }) => id === askId);
    const [ask] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (ask === undefined) return;
    const { output, locale } = this.#options;
    if (state !== undefined) {
      const { code } = ask;
      const shown = renderText({ key: `ask-state.${state}` }, locale);
      const said =
        state === 'expired'
          ? cliText('askExpired', locale, { code })
          : cliText('answeredElsewhere', locale, { code, state: shown });
      output.notice(`${pc.dim(said)}\n`);
    }
    if (index === 0) void this.#show();
  }

  /** Asks no more about a turn: it has ended, or is parked. */
  left(turnId: string): void {
    const [first] = this.#waiting;
    for (const { id } of this.#waiting.filter((ask) => ask.turnId === turnId)) {
      this.#waiting.splice(
        this.#waiting.findIndex((ask) => ask.id === id),
        1,
      );
    }
    if (first !== undefined && this.#waiting[0] !== first) void this.#show();
  }

  /** Takes a line as the answer to what is asked now. */
  async line(typed: string): Promise<void> {
    const [ask] = this.#waiting;
    if (ask === undefined || !this.#shown.has(ask.id)) return;
    const { output, locale } = this.#options;
    const line = typed.trim();
    let input: AnswerInput | undefined;
    if (ask.kind === 'approval') {
      if (YES.test(line)) input = { approve: true };
      else if (NO.test(line)) input = { approve: false };
    } else if (/^\/deny$/i.test(line)) input = { approve: false };
    else {
      const value = readQuestionAnswer(ask, typed);
      if (value !== undefined) input = { value };
    }
    if (input === undefined) {
      output.notice(`${cliText(ask.kind === 'approval' ? 'yesOrNo' : 'oneOfOptions', locale)}\n`);
      this.#prompt(ask);
      return;
    }
    if ('approve' in input && !input.approve && this.#lookedAt.delete(ask.id)) {
      output.notice(`${cliText('notApproved', locale)}\n`);
      this.closed(ask.id);
      return;
    }
    await this.answer(ask.code, input);
  }

  /** Answers whichever ask; says what became of it. */
  async answer(code: string, input: AnswerInput): Promise<void> {
    const { runtime, output, locale, principal, session } = this.#options;
    const by = { principal, ...(session === undefined ? {} : { session }) };
    const { status, reason, ask } = await runtime.answer(code, input, by);
    const said = renderText(reason, locale);
    output.notice(`${status === 'counted' ? pc.dim(said) : pc.yellow(said)}\n`);
    if (ask !== undefined && status !== 'refused') this.closed(ask.id);
    else if (this.#waiting[0]?.code === ask?.code && this.#waiting[0] !== undefined) this.#prompt(this.#waiting[0]);
  }

  async #show(): Promise<void> {
    const [ask] = this.#waiting;
    const { output, locale, prompt, discard } = this.#options;
    if (ask === undefined) {
      this.flush();
      prompt(undefined);
      return;
    }
    output.notice(`\n${renderAsk(ask, locale)}\n`);
    this.#discarded = this.#discarded.then(discard);
    await this.#discarded;
    // Closed meanwhile: what comes next is being shown.
    if (this.#waiting[0] !== ask) return;
    this.#shown.add(ask.id);
    this.#prompt(ask);
  }

  #prompt(ask: StoredAsk): void {
    const { locale, prompt } = this.#options;
    prompt(cliText(ask.kind === 'approval' ? 'approveQuestion' : 'answerQuestion', locale));
  }
}
