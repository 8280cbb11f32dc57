import type { CallLedger } from '../contracts/call-ledger.ts';
import type { DangerCategory, ToolCapability } from '../contracts/capability.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { CallMove, Lease, Store, TurnChange } from '../contracts/store.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';

interface LedgerOptions {
  readonly store: Store;
  readonly lease: Lease;
  readonly sessionKey: string;
  readonly principalId: string;
  /** As stored when the turn was taken up. */
  readonly calls: readonly StoredCall[];
  /** False: what is told to the record is dropped. */
  readonly keepsRecord: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * What one turn writes, and the state of its calls as written: gathers what can wait, and writes it together with what
 * must be written anyway. Nothing that could not be written is forgotten.
 */
export class TurnLedger implements CallLedger {
  readonly #options: LedgerOptions;
  readonly #calls: Map<CallId, StoredCall>;
  readonly #refused: { readonly toolKey: string; readonly danger: DangerCategory | 'none' | undefined }[] = [];
  #entries: RecordEntry[] = [];
  #messages: Message[] = [];
  #ends: CallMove[] = [];

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#calls = new Map(options.calls.map((call) => [call.id, call]));
  }

  /** Tells the record; `durable`: on disk before it resolves, everything gathered so far included. */
  readonly record = async (entry: RecordEntry, durable: boolean): Promise<void> => {
    if (this.#options.keepsRecord) this.#entries.push(entry);
    if (durable) await this.commit({}, true);
  };

  /** Messages, and ends of calls, that the next commit writes. */
  gather(messages: readonly Message[], ends: readonly CallMove[] = []): void {
    this.#messages.push(...messages);
    this.#ends.push(...ends);
  }

  /** Writes the change and all that was gathered, in one transaction. */
  async commit(
    change: Omit<TurnChange, 'at' | 'messages' | 'entries'>,
    durable: boolean,
  ): Promise<'committed' | 'approval-gone'> {
    const { store, lease, now } = this.#options;
    const messages = this.#messages;
    const entries = this.#entries;
    const ends = this.#ends;
    this.#messages = [];
    this.#entries = [];
    this.#ends = [];
    const calls = this.#withRows([...ends, ...(change.calls ?? [])]);
    const whole = { ...change, at: now(), messages, entries, ...(calls.length === 0 ? {} : { calls }) };
    let committed: 'committed' | 'approval-gone' = 'approval-gone';
    try {
      committed = await store.commit(lease, whole, durable);
    } finally {
      if (committed !== 'committed') {
        this.#messages = [...messages, ...this.#messages];
        this.#entries = [...entries, ...this.#entries];
        this.#ends = [...ends, ...this.#ends];
      }
    }
    if (committed === 'committed') for (const move of calls) this.#apply(move);
    return committed;
  }

  find(id: CallId): StoredCall | undefined {
    return this.#calls.get(id);
  }

  /** Calls that the code of a call made and that have not ended. */
  below(id: CallId): readonly StoredCall[] {
    return [...this.#calls.values()].filter((call) => call.state !== 'ended' && call.id.startsWith(`${id}.`));
  }

  move(moves: readonly CallMove[], durable: boolean): Promise<'committed' | 'approval-gone'> {
    return this.commit({ calls: moves }, durable);
  }

  argumentsDigest(canonical: string): string {
    return `hmac-sha256:${this.#options.store.sign(canonical)}`;
  }

  isGranted({ key, definitionDigest }: ToolCapability): Promise<boolean> {
    const { store, sessionKey, principalId } = this.#options;
    return store.isGranted({ sessionKey, principalId, toolKey: key, definitionDigest });
  }

  isDoubted({ key }: ToolCapability, argumentsDigest: string): Promise<boolean> {
    const { store, sessionKey, now } = this.#options;
    return store.isDoubted(sessionKey, key, argumentsDigest, now());
  }

  wasRefused(tool: ToolCapability): boolean {
    return this.#refused.some(
      ({ toolKey, danger }) => toolKey === tool.key || (danger !== undefined && danger === dangerOf(tool)),
    );
  }

  /** An ask about this tool was denied or expired. */
  noteRefusal(toolKey: string, dangerous: boolean, category: DangerCategory | undefined): void {
    this.#refused.push({
      toolKey,
      danger: dangerOf({ dangerous, ...(category === undefined ? {} : { danger: category }) }),
    });
  }

  /** A call gets its row with the first change that needs one. */
  #withRows(moves: readonly CallMove[]): readonly CallMove[] {
    const proposed = new Set<CallId>();
    return moves.flatMap((move): readonly CallMove[] => {
      if (move.move === 'call.propose') proposed.add(move.id);
      if (move.move === 'call.propose' || this.#calls.has(move.id) || proposed.has(move.id)) return [move];
      proposed.add(move.id);
      return [{ move: 'call.propose', id: move.id }, move];
    });
  }

  #apply(move: CallMove): void {
    const { id } = move;
    const call = this.#calls.get(id) ?? { id, state: 'proposed', attempts: 0 };
    this.#calls.set(id, applied(call, move));
  }
}

/** Dangerous tools without a category form one of their own. */
function dangerOf({
  dangerous,
  danger,
}: Pick<ToolCapability, 'dangerous' | 'danger'>): DangerCategory | 'none' | undefined {
  return dangerous ? (danger ?? 'none') : undefined;
}

function applied(call: StoredCall, move: CallMove): StoredCall {
  switch (move.move) {
    case 'call.propose':
      return { ...call, state: 'proposed' };
    case 'call.await':
    case 'call.ready': {
      const { move: name, id: _id, ...decided } = move;
      return { ...call, ...decided, state: name === 'call.await' ? 'awaiting' : 'ready' };
    }
    case 'call.start':
      return { ...call, state: 'started', readOnly: move.readOnly, attempts: 1 };
    case 'call.retry':
      return { ...call, attempts: call.attempts + 1 };
    case 'call.end': {
      const { status, effect } = move.outcome;
      return { ...call, state: 'ended', status, effect, ...(move.keep ? { outcome: move.outcome } : {}) };
    }
  }
}
