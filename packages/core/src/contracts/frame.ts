import type { DescribedEntry } from './capability-source.ts';
import type { CallRequest, LogLevel, ValidationIssue } from './executor.ts';
import type { Json, JsonObject } from './json.ts';
import type { SourceModule } from './module-graph.ts';
import type { OutcomeCode } from './outcome.ts';

/**
 * What host and child say to one another: 4 bytes of length (big endian) and that many bytes of UTF-8 JSON,
 * at most 16 MiB a frame, over a pipe of its own. Anything malformed or unexpected ends the child.
 */
export type HostFrame =
  | { readonly type: 'module'; readonly module: SourceModule }
  | { readonly type: 'describe'; readonly id: number; readonly entries: readonly string[] }
  | { readonly type: 'validate'; readonly id: number; readonly entry: string; readonly input: JsonObject }
  | { readonly type: 'call'; readonly id: number; readonly entry: string; readonly request: CallRequest }
  | {
      readonly type: 'context-result';
      readonly id: number;
      readonly request: number;
      readonly value?: Json;
      readonly error?: string;
    }
  | { readonly type: 'cancel'; readonly id: number; readonly reason: string };

export type ChildFrame =
  | { readonly type: 'ready' }
  /** The tool's module is loaded and its code begins now: the time limit counts from here. */
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'described'; readonly id: number; readonly entry: DescribedEntry }
  | { readonly type: 'describe-end'; readonly id: number }
  | { readonly type: 'validated'; readonly id: number; readonly issues: readonly ValidationIssue[] }
  | {
      readonly type: 'context';
      readonly id: number;
      readonly request: number;
      readonly operation: 'get' | 'set' | 'delete';
      readonly key: string;
      readonly value?: Json;
    }
  | { readonly type: 'progress'; readonly id: number; readonly value: Json }
  | { readonly type: 'log'; readonly id: number; readonly level: LogLevel; readonly message: string }
  | { readonly type: 'result'; readonly id: number; readonly value?: Json }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly code: OutcomeCode;
      readonly message: string;
      readonly hint?: string;
      readonly retryable?: boolean;
      readonly stack?: string;
    };
