export type { AgentTool } from './agent-tool.ts';
export { defineAgentTool } from './define-agent-tool.ts';
export { InputError } from './input-error.ts';
export { isAgentTool } from './is-agent-tool.ts';
export type { ToolContext, ToolLog, ToolSession } from './tool-context.ts';
export type { JsonSchemaObject, ToolDefinition } from './tool-definition.ts';
export { ToolError, type ToolErrorOptions } from './tool-error.ts';
export { UpstreamError } from './upstream-error.ts';
