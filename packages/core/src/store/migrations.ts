/** Marks our files among all SQLite databases (`PRAGMA application_id`): the letters "BAIG". */
export const APPLICATION_ID = 0x42414947;

/**
 * The schema, step by step: entry n brings a file from version n to n + 1 (`PRAGMA user_version`).
 * An entry that was ever released is never changed; a change is one more entry.
 *
 * Keys are in the form of `toStoredKey`, bodies and values are JSON text, times are milliseconds since the epoch.
 * `chars` is the length of a turn's messages as JSON, `end_order` its place among the ended turns of its session (null
 * while it runs). Every index costs a page per commit on the way of a turn: lists that people look at do without.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE session (
    key TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    turns INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE turn (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_key TEXT NOT NULL REFERENCES session (key),
    status TEXT NOT NULL,
    started_at REAL NOT NULL,
    ended_at REAL,
    holder TEXT NOT NULL,
    chars INTEGER NOT NULL,
    end_order INTEGER
  ) STRICT;
  CREATE INDEX turn_by_end ON turn (session_key, end_order);

  CREATE TABLE message (
    number INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn (number),
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX message_by_turn ON message (turn);

  CREATE TABLE record_entry (
    number INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn (number),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX record_entry_by_turn ON record_entry (turn);

  CREATE TABLE session_value (
    session_key TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session_key, key)
  ) STRICT, WITHOUT ROWID;
  `,
];
