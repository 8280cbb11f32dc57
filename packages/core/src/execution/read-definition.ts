import type { AgentTool } from '../authoring/agent-tool.ts';
import { isAgentTool } from '../authoring/is-agent-tool.ts';

export type ReadDefinition =
  | { readonly kind: 'tool'; readonly tool: AgentTool }
  | { readonly kind: 'no-default' }
  | { readonly kind: 'not-a-tool'; readonly found: string };

/** What a tool file declares: its default export, made by `defineAgentTool`. */
export function readDefinition(exports: object): ReadDefinition {
  const value = (exports as { readonly default?: unknown }).default;
  if (value === undefined) return { kind: 'no-default' };
  if (isAgentTool(value)) return { kind: 'tool', tool: value };
  // A CommonJS file compiled from an ES module keeps its default export one level down.
  const inner = value !== null && typeof value === 'object' ? (value as { readonly default?: unknown }).default : null;
  if (isAgentTool(inner)) return { kind: 'tool', tool: inner };
  return { kind: 'not-a-tool', found: value === null ? 'null' : typeof value };
}
