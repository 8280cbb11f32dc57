import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredReply } from '../contracts/reply.ts';
import { isSenderGone, type LeaseFacts } from './lease-rules.ts';
import type { ReplyRow } from './rows.ts';
import { type SqliteRows, toReplyRow } from './sqlite-rows.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import { toStoredKey } from './stored-key.ts';
import { storedReply } from './stored-reply.ts';

type SenderFacts = Omit<LeaseFacts, 'isRunning'>;

/** The replies of a SQLite store. */
export class SqliteReplies {
  readonly #rows: SqliteRows;
  readonly #writer: SqliteWriter;
  readonly #waiting: StatementSync;

  constructor(database: DatabaseSync, rows: SqliteRows, writer: SqliteWriter) {
    this.#rows = rows;
    this.#writer = writer;
    this.#waiting = database.prepare(
      "SELECT turn_id, state, holder FROM reply WHERE project = ? AND state <> 'delivered'",
    );
  }

  /** Those that wait and those of unknown fate, oldest first. */
  list(project: string, facts: SenderFacts): readonly StoredReply[] {
    const found = this.#waiting.all(toStoredKey(project)).map(toReplyRow);
    const lost = found.filter((row) => this.#isLost(row, facts));
    if (lost.length > 0) this.#markUnknown(lost, facts);
    const replies: (StoredReply & { readonly number: number })[] = [];
    for (const row of found) {
      const isUnknown = row.state === 'unknown' || lost.includes(row);
      if (row.state === 'sending' && !isUnknown) continue;
      const turn = this.#rows.turn(row.turnId);
      if (turn === undefined) continue;
      const state = isUnknown ? 'unknown' : row.state;
      replies.push({ ...storedReply(turn, { ...row, state }), number: turn.number });
    }
    replies.sort((one, other) => one.endedAt - other.endedAt || one.number - other.number);
    return replies.map(({ number: _number, ...reply }) => reply);
  }

  find(turnId: string, facts: SenderFacts): StoredReply | undefined {
    const turn = this.#rows.turn(turnId);
    const row = turn === undefined ? undefined : this.#rows.reply(turnId);
    if (turn === undefined || row === undefined) return undefined;
    return storedReply(turn, this.#isLost(row, facts) ? { ...row, state: 'unknown' } : row);
  }

  claim(turnId: string, again: boolean, facts: SenderFacts): boolean {
    return this.#writer.change(true, (_rules, rows) => {
      const row = rows.reply(turnId);
      if (row === undefined) return false;
      const isUnknown = row.state === 'unknown' || this.#isLost(row, facts);
      if (row.state !== 'pending' && !(again && isUnknown)) return false;
      rows.updateReply({ turnId, state: 'sending', holder: facts.holder });
      return true;
    });
  }

  /** False: it is not this process that sends it. */
  settle(turnId: string, state: 'delivered' | 'pending', holder: string): boolean {
    return this.#writer.change(false, (_rules, rows) => {
      const row = rows.reply(turnId);
      if (row?.state !== 'sending' || row.holder !== holder) return false;
      rows.updateReply({ ...row, state });
      return true;
    });
  }

  /** For good: a later process may have the id of the one that sent. */
  #markUnknown(lost: readonly ReplyRow[], facts: SenderFacts): void {
    this.#writer.change(false, (_rules, rows) => {
      for (const { turnId } of lost) {
        const row = rows.reply(turnId);
        if (row !== undefined && this.#isLost(row, facts)) rows.updateReply({ ...row, state: 'unknown' });
      }
    });
  }

  #isLost(row: ReplyRow, facts: SenderFacts): boolean {
    return row.state === 'sending' && isSenderGone(row.holder, this.#rows, facts);
  }
}
