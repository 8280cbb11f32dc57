import type { AgentTool } from '../authoring/agent-tool.ts';
import { describeTool, type ToolDescription } from '../authoring/describe-tool.ts';
import { isAgentTool } from '../authoring/is-agent-tool.ts';
import { canonicalJson } from '../contracts/canonical-json.ts';
import type { ToolDeclaration } from '../contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from '../contracts/capability-source.ts';
import { digest } from '../contracts/digest.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { checkName } from './check-name.ts';
import { descriptionProblem } from './description-problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

export interface DefinitionsSourceOptions {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  /** Tools by name. Entries also carry names that an object literal cannot, such as `__proto__`. */
  readonly tools: Readonly<Record<string, AgentTool>> | Iterable<readonly [name: string, tool: AgentTool]>;
}

/**
 * Tools that only exist in this process: what the embedding program hands over. They run inline and are checked
 * exactly like files in folders. They are read anew at each load, so an object that was added to meanwhile counts.
 *
 * @example
 * createDefinitionsSource({ id: 'embedded', tools: { weather: defineAgentTool({ … }) } })
 */
export function createDefinitionsSource(options: DefinitionsSourceOptions): CapabilitySource {
  return { id: options.id, provenance: 'project', load: async () => loadDefinitions(options.tools) };
}

function loadDefinitions(tools: DefinitionsSourceOptions['tools']): SourceSnapshot {
  const declarations: ToolDeclaration[] = [];
  const problems: Problem[] = [];
  for (const [name, tool] of isIterable(tools) ? tools : Object.entries(tools)) {
    const loaded = loadDefinition(name, tool);
    if (loaded.declaration !== undefined) declarations.push(loaded.declaration);
    problems.push(...loaded.problems);
  }
  return { declarations, problems };
}

function loadDefinition(
  name: string,
  tool: AgentTool,
): { readonly declaration?: ToolDeclaration; readonly problems: readonly Problem[] } {
  if (!isAgentTool(tool)) return { problems: [...checkName(name, undefined), notATool(name, tool)] };
  let description: ToolDescription;
  try {
    description = describeTool(tool);
  } catch (error) {
    // A getter or a proxy of the author's threw.
    return { problems: [...checkName(name, undefined), unreadable(name, error)] };
  }
  const problems = description.faults.map((fault) => descriptionProblem(fault, name));
  // A tool with a faulty field is declared all the same: its other fields and its name are checked with the table.
  const codeDigest = digest(canonicalJson([name.toWellFormed(), sourceOf(tool)]));
  const { fields, ownValidator } = description;
  return {
    declaration: { name, fields, ownValidator, code: { kind: 'live', definition: tool }, codeDigest },
    problems,
  };
}

/** The text of the code as far as the engine tells it: what it closes over cannot be seen. */
function sourceOf(tool: AgentTool): string {
  return typeof tool.execute === 'function' ? Function.prototype.toString.call(tool.execute).toWellFormed() : '';
}

function unreadable(name: string, error: unknown): Problem {
  const reason = showText(error instanceof Error ? error.message : String(error));
  return {
    code: 'UNREADABLE_DEFINITION',
    found: reason,
    expected: 'JSON',
    message: text('registry.unreadable-definition', { tool: showText(name), reason }),
    hint: text('registry.not-json-hint'),
    fatal: true,
  };
}

function notATool(name: string, value: unknown): Problem {
  const tool = showText(name);
  return {
    code: 'NOT_A_TOOL',
    found: typeof value === 'object' ? (value === null ? 'null' : 'object') : showValue(value ?? typeof value),
    expected: 'defineAgentTool({ … })',
    message: text('registry.not-a-tool', { tool }),
    hint: text('registry.not-a-tool-hint'),
    fatal: true,
  };
}

function isIterable(value: object): value is Iterable<readonly [string, AgentTool]> {
  return typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}
