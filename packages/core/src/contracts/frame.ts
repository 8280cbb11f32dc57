import type { DescribedEntry } from './capability-source.ts';
import type { CallRequest, LogLevel, ValidationIssue } from './executor.ts';
import type { Json, JsonObject } from './json.ts';
import type { SourceModule } from './module-graph.ts';
import type { OutcomeCode } from './outcome.ts';

/**
 * What host and child say to one another: 4 bytes of length (big endian) and that many bytes of UTF-8 JSON,
 * at most 16 MiB a frame, over a pipe of its own. Anything malformed or unexpected ends the child.
 * `id` names one conversation. The host makes it up at random, 32 hex digits, and the child's frames must bear it: code
 * in the child that writes on the pipe itself can answer neither for another file nor for a later call.
 */
export type HostFrame =
  | { readonly type: 'module'; readonly module: SourceModule }
  | { readonly type: 'describe'; readonly id: string; readonly entry: string }
  /** Asks a child that has run code already whether it still answers, before it is given anything to do. */
  | { readonly type: 'ping'; readonly id: string }
  | { readonly type: 'validate'; readonly id: string; readonly entry: string; readonly input: JsonObject }
  | { readonly type: 'call'; readonly id: string; readonly entry: string; readonly request: CallRequest }
  | {
      readonly type: 'context-result';
      readonly id: string;
      readonly request: number;
      readonly value?: Json;
      readonly error?: string;
    }
  | { readonly type: 'cancel'; readonly id: string; readonly reason: string };

export type ChildFrame =
  | { readonly type: 'ready' }
  /** The tool's module is loaded and its code begins now: the time limit counts from here. */
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'described'; readonly id: string; readonly entry: DescribedEntry }
  | { readonly type: 'pong'; readonly id: string }
  | { readonly type: 'validated'; readonly id: string; readonly issues: readonly ValidationIssue[] }
  | {
      readonly type: 'context';
      readonly id: string;
      readonly request: number;
      readonly operation: 'get' | 'set' | 'delete';
      readonly key: string;
      readonly value?: Json;
    }
  | { readonly type: 'progress'; readonly id: string; readonly value: Json }
  | { readonly type: 'log'; readonly id: string; readonly level: LogLevel; readonly message: string }
  | { readonly type: 'result'; readonly id: string; readonly value?: Json }
  | {
      readonly type: 'error';
      readonly id: string;
      readonly code: OutcomeCode;
      readonly message: string;
      readonly hint?: string;
      readonly retryable?: boolean;
      readonly stack?: string;
      /** The tool's code did not begin. */
      readonly unbegun?: boolean;
    };
