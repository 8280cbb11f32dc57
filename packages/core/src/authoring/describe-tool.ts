import { type DefinitionDescription, describeDefinition } from './describe-definition.ts';

export type { DescriptionFault } from './describe-definition.ts';

/** A tool as plain data. */
export type ToolDescription = DefinitionDescription;

/**
 * Turns a tool that an author defined into plain data, by the rules of `describeDefinition`.
 *
 * @example
 * describeTool(defineAgentTool({ description: 'x', execute() {} })).fields // { description: 'x' }
 */
export function describeTool(definition: object): ToolDescription {
  return describeDefinition(definition, 'tool');
}
