import type { ApprovalLevel, DangerCategory, ToolAnnotations } from '../contracts/capability.ts';
import type { Scope } from '../contracts/principal.ts';
import type { DeclaredFailure, DeclaredSuccess } from './declared-outcome.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { Token } from './token.ts';
import type { ToolContext } from './tool-context.ts';

/** JSON Schema (draft-07 or 2020-12) whose root is an object. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown };

type Returned<Result> = Result | DeclaredSuccess<Result> | DeclaredFailure;

/** What an author says of a tool. */
export interface ToolDefinition<Input, Result, Config, Client = unknown> {
  /** What it does and when to use it, written for the model. Required. */
  readonly description: string;
  /** Checked before `execute`, which gets the parsed value, defaults filled in. Default: any object. */
  readonly inputSchema?: StandardSchema | JsonSchemaObject;
  /** One line for the model on what comes back. */
  readonly returns?: string;
  /** Checked after `execute`. */
  readonly outputSchema?: StandardSchema | JsonSchemaObject;
  /** When a person is asked before a call. Default `on-risk`. */
  readonly requiresApproval?: ApprovalLevel;
  /** `dangerous`: every call needs a fresh decision of a person. */
  readonly risk?: 'dangerous' | 'safe';
  readonly riskCategory?: DangerCategory;
  /** MCP's hints. */
  readonly annotations?: ToolAnnotations;
  /** Platforms or adapters that the tool is offered on. Default: all. */
  readonly platforms?: readonly string[];
  /** Kinds of scene that the tool is offered in. Default: all. */
  readonly scopes?: readonly Scope[];
  /** Permission rules, all of which must hold, e.g. `role(master)`. */
  readonly permissions?: readonly string[];
  /** Registered, never offered to the model, callable by name from code. Default false. */
  readonly hidden?: boolean;
  /** The schema is sent in every turn. Default false. */
  readonly alwaysLoaded?: boolean;
  /** `process` (default for files in folders): in a child process. `inline`: in this one, trusted with all it has. */
  readonly isolation?: 'inline' | 'process' | 'sandbox';
  readonly access?:
    | readonly ('network' | 'filesystem' | 'database')[]
    | {
        readonly network?: readonly string[];
        readonly filesystem?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
      };
  /** Milliseconds, 1 … 3,600,000. Default 10,000. */
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly maxConcurrency?: number;
  readonly rateLimit?: { readonly limit: number; readonly perMs: number };
  readonly retry?: { readonly attempts: number };
  /** Characters of a result that go to the model, 1 … 10,000,000. Default 50,000. */
  readonly maxOutputChars?: number;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** At most 50 characters. */
  readonly summary?: string;
  /** Utterances that should trigger the tool. */
  readonly examples?: readonly string[];
  /** Default `1.0.0`. */
  readonly version?: string;
  readonly dependsOn?: readonly string[];
  /** Services that it takes with `context.use`. One that nobody provides is a load error. */
  readonly uses?: readonly Token<unknown>[];
  /**
   * Does the work. Returns a string, any JSON value, `contentParts`, `success` or `failure`, or an async iterable whose
   * last value is the result and whose earlier values are progress. Throws `InputError`, `UpstreamError` or `failure` to
   * say what went wrong.
   */
  execute(
    input: Input,
    context: ToolContext<Config, Client>,
  ): Returned<Result> | Promise<Returned<Result>> | AsyncIterable<Returned<Result>>;
}
