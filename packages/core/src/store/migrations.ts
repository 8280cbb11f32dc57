/** Marks our files among all SQLite databases (`PRAGMA application_id`): the letters "BAIG". */
export const APPLICATION_ID = 0x42414947;

/** Messages, and record entries, that one turn may have. */
export const ROWS_PER_TURN = 2 ** 20;

/**
 * The schema, step by step: entry n brings a file from version n to n + 1 (`PRAGMA user_version`).
 * An entry that was ever released is never changed; a change is one more entry.
 *
 * Keys are in the form of `toStoredKey`, bodies and values are JSON text, times are milliseconds since the epoch.
 * `chars` is the length of a message, and of all messages of an ended turn, as JSON; `end_order` is a turn's place
 * among the ended ones of its session (null while it runs). What a commit costs is the number of pages that it
 * touches, so a message or record entry needs no index: its number is its turn's, times `ROWS_PER_TURN`, plus its
 * place in the turn. Lists that people look at do without indexes.
 *
 * From version 2: a session's history are its turns whose `end_order` is greater than `history_start`. A reset puts that
 * to the last one given out and marks the turns that run at that moment as `forgotten`: their `end_order` will be 0.
 * `value_count` and `value_bytes` are the number and the UTF-8 length of a session's keys and values together.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE session (
    key TEXT NOT NULL PRIMARY KEY,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    turns INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

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
    chars INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE record_entry (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE session_value (
    session_key TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session_key, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE session ADD COLUMN history_start INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN value_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN value_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

  -- Version 1 kept values of sessions that had no turn without a session; when they were set is not known.
  INSERT INTO session (key, created_at, updated_at, turns)
    SELECT DISTINCT session_key, unixepoch() * 1000.0, unixepoch() * 1000.0, 0 FROM session_value
    WHERE session_key NOT IN (SELECT key FROM session);
  UPDATE session SET value_count = total.number, value_bytes = total.bytes
    FROM (
      SELECT session_key, count(*) AS number, sum(octet_length(key) + octet_length(value)) AS bytes
      FROM session_value GROUP BY session_key
    ) AS total
    WHERE total.session_key = session.key;
  `,
];
