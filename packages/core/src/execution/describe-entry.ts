import { describeTool } from '../authoring/describe-tool.ts';
import type { DescribedEntry } from '../contracts/capability-source.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits } from './execution-limits.ts';
import type { GraphCode } from './graph-code.ts';
import { definitionProblem, loadProblem } from './load-problems.ts';
import { readDefinition } from './read-definition.ts';

/** Evaluates an entry and tells what it declares, or what is wrong with it. Never rejects. */
export async function describeEntry(code: GraphCode, entry: string): Promise<DescribedEntry> {
  try {
    const read = readDefinition(await code.evaluator.load(entry));
    if (read.kind === 'no-default') return { entry, problems: [noDefault(entry)] };
    if (read.kind === 'not-a-tool') return { entry, problems: [notATool(entry, read.found)] };
    const { fields, ownValidator, faults } = describeTool(read.tool);
    const problems = faults.slice(0, executionLimits.problemsPerEntry).map((fault) => definitionProblem(fault, entry));
    return { entry, declaration: { fields, ownValidator }, problems };
  } catch (error) {
    return { entry, problems: [loadProblem(error, entry, code.reading)] };
  }
}

function noDefault(file: string): Problem {
  return {
    code: 'NO_DEFAULT_EXPORT',
    file,
    expected: 'export default defineAgentTool({ … })',
    message: text('execution.no-default-export', { file }),
    hint: text('execution.export-a-tool'),
    fatal: true,
  };
}

function notATool(file: string, found: string): Problem {
  return {
    code: 'NOT_A_TOOL',
    file,
    found,
    expected: 'export default defineAgentTool({ … })',
    message: text('execution.not-a-tool', { file, found }),
    hint: text('execution.export-a-tool'),
    fatal: true,
  };
}
