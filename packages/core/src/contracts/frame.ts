import type { DescribedEntry, EntryRequest, SetUpPlugin } from './code-host.ts';
import type { Digest } from './digest.ts';
import type { CallRequest, ContextOperation, LogLevel, ValidationIssue } from './executor.ts';
import type { Json, JsonObject } from './json.ts';
import type { CodeReference, SourceModule } from './module-graph.ts';
import type { OutcomeCode } from './outcome.ts';

/**
 * What host and child say to one another: 4 bytes of length (big endian) and that many bytes of UTF-8 JSON,
 * at most 16 MiB a frame, over a pipe of its own. Anything malformed or unexpected ends the child.
 * `id` names one conversation. The host makes it up at random, 32 hex digits, and the child's frames must bear it: code
 * in the child that writes on the pipe itself can answer neither for another file nor for a later call.
 */
export type HostFrame =
  /** A source file. Graphs name it by its digest. */
  | { readonly type: 'module'; readonly module: SourceModule }
  /** A graph, made of modules that were sent before. Modules that did not change keep their instances. */
  | { readonly type: 'graph'; readonly graph: Digest; readonly modules: readonly Digest[] }
  /** The graph is not needed any more: its plugins are disposed, modules that no other graph holds forgotten. */
  | { readonly type: 'forget'; readonly graph: Digest }
  /**
   * Entries to describe, answered in their order, each under an id of its own. All stand in one frame: read whole before
   * any of their code runs, it leaves nothing in the pipe that this code could read.
   */
  | { readonly type: 'describe'; readonly graph: Digest; readonly entries: readonly DescribeRequest[] }
  | {
      readonly type: 'set-up';
      readonly id: string;
      readonly graph: Digest;
      readonly entry: string;
      readonly plugin: string;
      readonly config: JsonObject;
    }
  /** Asks a child that has run code already whether it still answers, before it is given anything to do. */
  | { readonly type: 'ping'; readonly id: string }
  | {
      readonly type: 'validate';
      readonly id: string;
      readonly code: FrameCode;
      readonly config: Json;
      readonly input: JsonObject;
    }
  | { readonly type: 'call'; readonly id: string; readonly code: FrameCode; readonly request: CallRequest }
  | {
      readonly type: 'context-result';
      readonly id: string;
      readonly request: number;
      readonly value?: Json;
      readonly error?: string;
    }
  | { readonly type: 'cancel'; readonly id: string; readonly reason: string }
  /** Plugins tidy up, then the child answers: the one named, or all of them, since the child is about to be ended. */
  | { readonly type: 'dispose'; readonly id: string; readonly plugin?: FramePlugin };

/** An entry to describe, and the id that the answer must bear. */
export type DescribeRequest = EntryRequest & { readonly id: string };

/** A plugin that was set up in a child. */
export interface FramePlugin {
  readonly graph: Digest;
  readonly entry: string;
  readonly config: JsonObject;
}

/** What to run: a reference into a graph, and the plugin that is set up before. */
export type FrameCode = CodeReference & { readonly plugin?: string };

export type ChildFrame =
  | { readonly type: 'ready' }
  /** The tool's module is loaded and its code begins now: the time limit counts from here. */
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'described'; readonly id: string; readonly entry: DescribedEntry }
  | { readonly type: 'set-up'; readonly id: string; readonly plugin: SetUpPlugin }
  | { readonly type: 'disposed'; readonly id: string }
  | { readonly type: 'pong'; readonly id: string }
  | { readonly type: 'validated'; readonly id: string; readonly issues: readonly ValidationIssue[] }
  | {
      readonly type: 'context';
      readonly id: string;
      readonly request: number;
      readonly operation: ContextOperation;
      readonly args: readonly Json[];
    }
  | { readonly type: 'progress'; readonly id: string; readonly value: Json }
  | { readonly type: 'log'; readonly id: string; readonly level: LogLevel; readonly message: string }
  | { readonly type: 'result'; readonly id: string; readonly value?: Json; readonly isParts?: boolean }
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
