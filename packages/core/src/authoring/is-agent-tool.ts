import { type AgentTool, agentToolMark } from './agent-tool.ts';

/** Was the value made by `defineAgentTool` (of any copy of this package)? */
export function isAgentTool(value: unknown): value is AgentTool {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[agentToolMark] === true;
}
