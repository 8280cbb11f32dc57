import type { Json } from './json.ts';

/** Values that tools keep for one session. They end with it. */
export interface SessionValues {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  delete(key: string): Promise<void>;
}
