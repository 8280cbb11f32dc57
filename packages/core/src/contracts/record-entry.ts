import type { Json } from './json.ts';

/** One entry of a turn's append-only record. */
export interface RecordEntry {
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly body: Json;
}
