import type { AgentTool } from '../authoring/agent-tool.ts';
import { describeDefinition } from '../authoring/describe-definition.ts';
import { isAgentTool } from '../authoring/is-agent-tool.ts';
import { canonicalJson } from '../contracts/canonical-json.ts';
import type { CapabilityDeclaration, Owner } from '../contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from '../contracts/capability-source.ts';
import { digest } from '../contracts/digest.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { checkName } from './check-name.ts';
import { descriptionProblem } from './description-problem.ts';

export interface DefinitionsSourceOptions {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  /** Default `project`: what the embedding program hands over. */
  readonly provenance?: 'project' | 'framework';
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
  const { id, provenance = 'project' } = options;
  return { id, provenance, load: async () => loadDefinitions(options.tools, provenance) };
}

const ROOT: Owner = Object.freeze({ plugin: Object.freeze([]) });

function loadDefinitions(
  tools: DefinitionsSourceOptions['tools'],
  provenance: 'project' | 'framework',
): SourceSnapshot {
  const via = provenance === 'framework' ? 'framework' : 'code';
  const declarations: CapabilityDeclaration[] = [];
  const problems: Problem[] = [];
  for (const [name, tool] of isIterable(tools) ? tools : Object.entries(tools)) {
    const loaded = loadDefinition(name, tool, via);
    if (loaded.declaration !== undefined) declarations.push(loaded.declaration);
    problems.push(...loaded.problems);
  }
  return { declarations, problems };
}

function loadDefinition(
  name: string,
  tool: AgentTool,
  via: 'code' | 'framework',
): { readonly declaration?: CapabilityDeclaration; readonly problems: readonly Problem[] } {
  if (!isAgentTool(tool))
    return { problems: [...checkName({ kind: 'tool', name, owner: ROOT, via }), notATool(name, tool)] };
  const description = describeDefinition(tool, 'tool');
  const problems = description.faults.map((fault) => descriptionProblem(fault, name));
  // A tool with a faulty field is declared all the same: its other fields and its name are checked with the table.
  const codeDigest = digest(canonicalJson([name.toWellFormed(), sourceOf(tool)]));
  const { fields, ownValidator } = description;
  return {
    declaration: {
      kind: 'tool',
      name,
      owner: ROOT,
      via,
      fields,
      ownValidator,
      code: { kind: 'live', definition: tool },
      codeDigest,
    },
    problems,
  };
}

/** The text of the code as far as the engine tells it: what it closes over cannot be seen. */
function sourceOf(tool: AgentTool): string {
  return typeof tool.execute === 'function' ? Function.prototype.toString.call(tool.execute).toWellFormed() : '';
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
