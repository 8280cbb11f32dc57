/** How often a process that runs turns says that it lives. Milliseconds. */
export const HEARTBEAT_MS = 1_000;

/** After this long without a word, a process that cannot be looked up (another machine) counts as gone. */
export const LEASE_MS = 4_000;

/** After this long without a word, a process of this machine that still exists counts as stuck: its turns are taken over. */
export const STALLED_MS = 30_000;
