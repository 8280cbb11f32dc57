import type { Digest } from './digest.ts';
import type { JsonObject } from './json.ts';
import type { CodeReference } from './module-graph.ts';
import type { Role, Scope } from './principal.ts';

/** Where a capability's definition came from. */
export type Provenance = 'framework' | 'project' | 'plugin' | 'skill' | 'agent-made' | 'mcp';

export type ApprovalLevel = 'never' | 'on-risk' | 'once' | 'always' | 'human';
export type DangerCategory = 'member' | 'publish' | 'funds' | 'identity';

/** MCP's tool hints. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** `role(trusted)`: at least that role. A rule of any other kind, or one that cannot be read, is `never`: it admits nobody. */
export type PermissionRule =
  | { readonly kind: 'role'; readonly atLeast: Role }
  | { readonly kind: 'never'; readonly text: string };

/** Who may see a capability, where. Equal rules are one object in the table. */
export interface AdmissionRule {
  /** Empty = every platform, and origins without one. */
  readonly platforms: readonly string[];
  /** Empty = every scope, and origins without one. */
  readonly scopes: readonly Scope[];
  /** All must hold. */
  readonly permissions: readonly PermissionRule[];
}

export interface CallLimits {
  /** Milliseconds from the start of the code to its end. */
  readonly timeoutMs: number;
  /** Characters (UTF-16 units) of a result that go to the model. */
  readonly maxOutputChars: number;
}

/** The code behind a tool: source files of a plugin, or an object that only exists in this process. */
export type ToolCode =
  | { readonly kind: 'module'; readonly reference: CodeReference }
  | { readonly kind: 'live'; readonly definition: LiveTool };

/** What an in-process tool offers to the inline executor: the object that `defineAgentTool` made. */
export interface LiveTool {
  readonly inputSchema?: unknown;
  readonly execute: (input: never, context: never) => unknown;
}

/** What a source says of one tool: plain data, checked by the registry, whatever it came from. */
export interface ToolDeclaration {
  readonly name: string;
  /** File below the project, for messages. */
  readonly file?: string;
  /** The fields as the author wrote them, schemas turned into JSON Schema, functions left out. */
  readonly fields: JsonObject;
  /** The tool has a validator of its own (Zod …) beyond its JSON Schema. */
  readonly ownValidator: boolean;
  readonly code: ToolCode;
  /** Hash over every source file that the tool reaches. */
  readonly codeDigest: Digest;
}

/** A tool in the table. Deeply frozen, except for a live definition, which is its author's object. */
export interface ToolCapability {
  readonly kind: 'tool';
  /** Qualified, model-visible, `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly source: { readonly id: string; readonly file?: string; readonly provenance: Provenance };
  readonly description: string;
  readonly returns?: string;
  readonly summary?: string;
  readonly category?: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly version: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly ownValidator: boolean;
  readonly annotations: ToolAnnotations;
  /** What we believe of the hints: false while an untrusted source merely claims it. */
  readonly trustedHints: { readonly readOnly: boolean; readonly idempotent: boolean; readonly closedWorld: boolean };
  readonly approval: ApprovalLevel;
  readonly dangerous: boolean;
  readonly danger?: DangerCategory;
  /** Registered, never offered to the model, callable by name from code. */
  readonly hidden: boolean;
  /** Index into `table.admissionClasses`. */
  readonly admissionClass: number;
  readonly limits: CallLimits;
  readonly isolation: 'inline' | 'process';
  readonly code: ToolCode;
  /** Over visible text, schemas, risk, isolation and code: everything that a person relies on when approving. */
  readonly definitionDigest: Digest;
  /** The form that models are sent, built once. */
  readonly wire: ToolWire;
}

/** A tool as a model is told of it. */
export interface ToolWire {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
