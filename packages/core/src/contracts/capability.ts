import type { Digest } from './digest.ts';
import type { JsonObject } from './json.ts';
import type { CodeReference } from './module-graph.ts';
import type { Role, Scope } from './principal.ts';

/** The kinds of things that can be given to an agent. */
export type CapabilityKind = 'tool' | 'skill' | 'prompt-section' | 'agent' | 'hook';

/** Whose a capability is. Without `agent` and `skill` it is public. */
export interface Owner {
  /** Names of plugins from below the root plugin on; empty = the root plugin, the embedding program, the framework. */
  readonly plugin: readonly string[];
  /** The agent that keeps it to itself. */
  readonly agent?: string;
  /** The skill (of that agent, if there is one) that keeps it to itself. */
  readonly skill?: string;
}

/** How a capability came into the table. */
export type DeclaredVia = 'folder' | 'setup' | 'code' | 'framework';

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
  | {
      readonly kind: 'never';
      readonly text: string;
      /** The rule is right; this version cannot decide it yet. */
      readonly isKnown: boolean;
    };

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

/** The code behind a capability: source files of a plugin, or an object that only exists in this process. */
export type CapabilityCode =
  | {
      readonly kind: 'module';
      readonly reference: CodeReference;
      /** Entry of the `plugin.ts` whose `setup` runs in the same process before; absent = none does. */
      readonly plugin?: string;
    }
  | { readonly kind: 'live'; readonly definition: LiveTool };

/** What an in-process tool offers to the inline executor: the object that `defineAgentTool` made. */
export interface LiveTool {
  readonly inputSchema?: unknown;
  readonly execute: (input: never, context: never) => unknown;
}

/** What a source says of one capability: plain data, checked by the registry, whatever it came from. */
export interface CapabilityDeclaration {
  readonly kind: CapabilityKind;
  /** Local: the folder's name, or the one that was given to `addTool`. */
  readonly name: string;
  readonly owner: Owner;
  readonly via: DeclaredVia;
  /** Default: that of the source. */
  readonly provenance?: Provenance;
  /** May its code run inside this process, and are its hints believed? Default: by provenance. */
  readonly trusted?: boolean;
  /** File below the project, for messages. */
  readonly file?: string;
  /** The fields as the author wrote them, schemas turned into JSON Schema, functions left out. */
  readonly fields: JsonObject;
  /** Texts that are too long for fields: the body of a skill, the three texts of an agent. By name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The tool has a validator of its own (Zod …) beyond its JSON Schema. */
  readonly ownValidator: boolean;
  /** Absent where nothing runs: skills, agents, sections whose content is a text. */
  readonly code?: CapabilityCode;
  /** Hash over every source file that the code reaches. */
  readonly codeDigest: Digest;
}

interface CapabilityBase {
  /** Qualified, model-visible, `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** The folder's name. */
  readonly localName: string;
  /** Unique in a table among its kind: the qualified name, or for a private capability its place, `skills/a/tools/b`. */
  readonly key: string;
  readonly owner: Owner;
  readonly source: {
    readonly id: string;
    readonly file?: string;
    readonly provenance: Provenance;
    readonly via: DeclaredVia;
  };
  readonly description: string;
  readonly version: string;
  /** Keys of the tools or skills without which it does not work. */
  readonly dependsOn: readonly string[];
  /** Index into `table.admissionClasses`. */
  readonly admissionClass: number;
  /** Over visible text, schemas, risk, isolation and code: everything that a person relies on when approving. */
  readonly definitionDigest: Digest;
}

/** A tool in the table. Deeply frozen, except for a live definition, which is its author's object. */
export interface ToolCapability extends CapabilityBase {
  readonly kind: 'tool';
  readonly returns?: string;
  readonly summary?: string;
  readonly category?: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
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
  /** The author asks for the schema to be sent in every turn. */
  readonly alwaysLoaded: boolean;
  /** Names of the services that it declares to use. */
  readonly uses: readonly string[];
  /** Hosts that `context.fetch` may reach; empty = as the policy allows. */
  readonly networkLabels: readonly string[];
  readonly limits: CallLimits;
  readonly isolation: 'inline' | 'process';
  readonly code: CapabilityCode;
  /** The form that models are sent, built once. */
  readonly wire: ToolWire;
}

export interface SkillCapability extends CapabilityBase {
  readonly kind: 'skill';
  /** Keys of the tools that loading it makes callable, its own private ones included. */
  readonly tools: readonly string[];
  readonly enabled: boolean;
  /** The Markdown below the front matter. */
  readonly body: string;
}

export interface PromptSectionCapability extends CapabilityBase {
  readonly kind: 'prompt-section';
  readonly title: string;
  readonly layer: 'safety' | 'role' | 'task' | 'context' | 'tools' | 'examples' | 'memory';
  readonly order: number;
  readonly retention: 'required' | 'preferred' | 'opportunistic';
  readonly maxChars?: number;
  readonly profiles: readonly ('interactive' | 'schedule')[];
  /** A fixed text, or the code that makes one for each turn. */
  readonly content: { readonly text: string } | { readonly code: CapabilityCode };
}

export interface AgentCapability extends CapabilityBase {
  readonly kind: 'agent';
  readonly model?: string;
  /** Keys of public tools that are resident while the agent is selected. */
  readonly tools: readonly string[];
  readonly maxSteps?: number;
  /** `system.md`, `boundaries.md`, `conventions.md`. */
  readonly texts: { readonly system: string; readonly boundaries: string; readonly conventions: string };
}

export interface HookCapability extends CapabilityBase {
  readonly kind: 'hook';
  readonly on: string;
  readonly order: number;
  readonly code: CapabilityCode;
}

export type Capability = ToolCapability | SkillCapability | PromptSectionCapability | AgentCapability | HookCapability;

/** A tool as a model is told of it. */
export interface ToolWire {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
