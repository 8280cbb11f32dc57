import type { EntryKind } from '../contracts/code-host.ts';
import { agentToolMark } from './agent-tool.ts';
import { hookMark } from './hook-definition.ts';
import { pluginMark } from './plugin-definition.ts';
import { promptSectionMark } from './prompt-section-definition.ts';

/** Which `define…` function (of any copy of this package) made the value, if one did. */
export function definitionKind(value: unknown): EntryKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const marks = value as Record<symbol, unknown>;
  if (marks[agentToolMark] === true) return 'tool';
  if (marks[promptSectionMark] === true) return 'prompt-section';
  if (marks[hookMark] === true) return 'hook';
  return marks[pluginMark] === true ? 'plugin' : undefined;
}
