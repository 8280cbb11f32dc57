/**
 * The turns of the history of a session (first parameter), newest first, as many as the second one says. Asked in every
 * turn: it walks the index `turn_by_end` from its end and never sees what a reset left behind.
 */
export const HISTORY_TURNS = `SELECT number, chars FROM turn
  WHERE session_key = ?1 AND end_order > (SELECT history_start FROM session WHERE key = ?1) AND chars > 0
  ORDER BY end_order DESC LIMIT ?2`;
