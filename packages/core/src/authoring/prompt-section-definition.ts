import type { Locale } from '../contracts/locale.ts';
import type { Origin, Principal, Scope } from '../contracts/principal.ts';

/** Marks what `defineAgentPromptSection` made. Registered globally: it holds across copies of this package. */
export const promptSectionMark: unique symbol = Symbol.for('baigong.prompt-section') as never;

/** What a section's function may look at. */
export interface PromptSectionTurn {
  readonly origin: Origin;
  readonly principal: Principal;
  readonly locale: Locale;
}

/** What an author says of a section of the system prompt. */
export interface PromptSectionDefinition {
  readonly title: string;
  /** A text, or a function that makes one for each turn. */
  readonly content: string | ((turn: PromptSectionTurn) => string | Promise<string>);
  /** Layers follow one another in this order. Default `context`. */
  readonly layer?: 'safety' | 'role' | 'task' | 'context' | 'tools' | 'examples' | 'memory';
  /** Within a layer the larger one comes first. Default 50. */
  readonly order?: number;
  /** What goes first when the prompt is too long. Default `preferred`. */
  readonly retention?: 'required' | 'preferred' | 'opportunistic';
  /** Characters that this section may have. */
  readonly maxChars?: number;
  /** Default `['interactive']`. */
  readonly profiles?: readonly ('interactive' | 'schedule')[];
  readonly platforms?: readonly string[];
  readonly scopes?: readonly Scope[];
}

/** A section as `defineAgentPromptSection` returns it. */
export type AgentPromptSection = PromptSectionDefinition & { readonly [promptSectionMark]: true };
