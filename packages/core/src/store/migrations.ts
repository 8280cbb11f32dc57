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
 *
 * From version 3: a turn that has not ended may be taken up by another process (`epoch` counts them). What only turns
 * under way need (`call`, `ask`, `approval_grant`, `doubt`, `inbox`, `reply`) is erased some time after; `body` is the row
 * as the contract has it, the other columns are what is looked for. `request`, `cancel` and `error` are JSON.
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
  `
  ALTER TABLE turn ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE turn ADD COLUMN in_lane INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE turn ADD COLUMN project TEXT NOT NULL DEFAULT '';
  ALTER TABLE turn ADD COLUMN request TEXT NOT NULL DEFAULT '{"origin":{"kind":"api"},"principal":{"id":"api:local:embedder","userId":"embedder","role":"user","platformRoles":[],"authentication":"none"},"attended":false,"deliver":false}';
  ALTER TABLE turn ADD COLUMN active_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn ADD COLUMN taken_at REAL NOT NULL DEFAULT 0;
  ALTER TABLE turn ADD COLUMN cancel TEXT;
  ALTER TABLE turn ADD COLUMN error TEXT;

  -- Turns of version 2 that a crash left cannot be gone on with: nobody knows any more for whom they were. They end.
  UPDATE turn SET status = 'failed', ended_at = unixepoch() * 1000.0,
      chars = (SELECT coalesce(sum(chars), 0) FROM message
        WHERE number BETWEEN turn.number * ${ROWS_PER_TURN} AND (turn.number + 1) * ${ROWS_PER_TURN} - 1),
      end_order = CASE forgotten WHEN 0 THEN last.place + last.rank ELSE 0 END
    FROM (
      SELECT open.number AS number, row_number() OVER (PARTITION BY open.session_key ORDER BY open.number) AS rank,
        max(coalesce((SELECT max(end_order) FROM turn AS other WHERE other.session_key = open.session_key), 0),
          (SELECT history_start FROM session WHERE key = open.session_key)) AS place
      FROM turn AS open WHERE open.end_order IS NULL
    ) AS last
    WHERE last.number = turn.number;

  CREATE INDEX turn_open ON turn (number) WHERE end_order IS NULL;

  CREATE TABLE call (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE ask (
    id TEXT NOT NULL UNIQUE,
    code TEXT NOT NULL UNIQUE,
    turn_id TEXT NOT NULL,
    state TEXT NOT NULL,
    opened_at REAL NOT NULL,
    answer_by REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ask_by_turn ON ask (turn_id);
  CREATE INDEX ask_open ON ask (answer_by) WHERE state = 'open';

  CREATE TABLE approval_grant (
    session_key TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    tool_key TEXT NOT NULL,
    definition TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session_key, principal_id, tool_key, definition)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE doubt (
    session_key TEXT NOT NULL,
    tool_key TEXT NOT NULL,
    arguments TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session_key, tool_key, arguments)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE inbox (
    adapter TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    message_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (adapter, endpoint, message_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE reply (
    turn_id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL,
    state TEXT NOT NULL,
    holder TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reply_waiting ON reply (project) WHERE state <> 'delivered';

  CREATE TABLE process (
    holder TEXT NOT NULL PRIMARY KEY,
    beat_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE secret (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO secret (name, value) VALUES ('hmac', randomblob(32));
  `,
];
