import { readQuestionAnswer } from './agent/index.ts';
import type { ApprovalRules } from './contracts/approval.ts';
import type { Answer, Answerer, StoredAsk } from './contracts/ask.ts';
import type { MessageKey } from './contracts/message-key.ts';
import type { Store } from './contracts/store.ts';
import { text } from './contracts/texts/text.ts';
import { mayAnswer } from './policy/index.ts';
import { principalOf } from './runtime-input.ts';
import type { AnswerBy, AnswerInput, AnswerResult } from './runtime-options.ts';

/** Characters of a reason, and of a text that answers a question. */
const LONGEST = 10_000;

interface Answering {
  readonly store: Store;
  readonly idOrCode: string;
  readonly input: AnswerInput;
  readonly by: AnswerBy;
  readonly rules: ApprovalRules;
  readonly now: () => number;
}

/** Settles an ask, if whoever answers may and the answer fits; says what became of it. */
export async function answerAsk({ store, idOrCode, input, by, rules, now }: Answering): Promise<AnswerResult> {
  const principal = principalOf(by);
  const ask = await store.ask(idOrCode);
  if (ask === undefined) {
    return { status: 'unknown', reason: text('answer.unknown', { code: String(idOrCode).slice(0, 80) }) };
  }
  const decision = mayAnswer(ask, principal, rules, by.session);
  if (!decision.allow) return { status: 'refused', ask, reason: decision.reason };
  const { id, displayName, authentication } = principal;
  const who: Answerer = { id, authentication, ...(displayName === undefined ? {} : { displayName }) };
  const answer = answerOf(ask, input, who, now());
  if (answer === undefined) {
    return { status: 'refused', ask, reason: wanted(ask) };
  }
  const answered = await store.answerAsk(ask.id, answer);
  if (answered === undefined) return { status: 'unknown', reason: text('answer.unknown', { code: ask.code }) };
  const key = answered.kind === 'counted' ? TAKEN[answer.kind] : (`answer.${answered.kind}` as const);
  const reason = text(key, { code: ask.code, tool: ask.card.tool, state: text(`ask-state.${answered.ask.state}`) });
  return { status: answered.kind, ask: answered.ask, reason };
}

/** What an answer must be. */
function wanted(ask: StoredAsk): MessageKey {
  const { code } = ask;
  if (ask.kind === 'approval') return text('answer.approval-wants', { code });
  const { options } = ask.card;
  if (options === undefined) return text('answer.question-wants', { code });
  return text('answer.question-options', { code, options: options.join(' | ') });
}

type GivenAnswer = Extract<Answer, { readonly by: Answerer }>;

const TAKEN = { approved: 'answer.approved', denied: 'answer.denied', answered: 'answer.answered' } as const;

/** Undefined: it does not fit what is asked. */
function answerOf(ask: StoredAsk, input: AnswerInput, by: Answerer, at: number): GivenAnswer | undefined {
  if ('value' in input) {
    if (ask.kind !== 'question' || typeof input.value !== 'string' || input.value.length > LONGEST) return undefined;
    const value = readQuestionAnswer(ask, input.value);
    return value === undefined ? undefined : { kind: 'answered', by, at, value };
  }
  if (input.approve === true) return ask.kind === 'approval' ? { kind: 'approved', by, at } : undefined;
  if (input.approve !== false) return undefined;
  const reason = input.reason === undefined ? undefined : String(input.reason).slice(0, LONGEST);
  return { kind: 'denied', by, at, ...(reason === undefined ? {} : { reason }) };
}
