/**
 * The greatest `end_order` that the session `:session` ever gave out: that of its last turn, or what its last reset
 * remembers of it should those turns be gone.
 */
export const LAST_END = `max(
  coalesce((SELECT max(end_order) FROM turn WHERE session_key = :session AND end_order IS NOT NULL), 0),
  (SELECT history_start FROM session WHERE key = :session))`;
