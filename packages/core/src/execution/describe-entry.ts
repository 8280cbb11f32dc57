import { describeDefinition } from '../authoring/describe-definition.ts';
import type { DescribedEntry, EntryRequest } from '../contracts/code-host.ts';
import { executionLimits } from './execution-limits.ts';
import type { GraphCode } from './graph-code.ts';
import { definitionProblem, loadProblems } from './load-problems.ts';
import { noDefinition } from './no-definition.ts';
import { readDefinition } from './read-definition.ts';

/** Evaluates an entry and tells what it declares, or what is wrong with it. Never rejects. */
export async function describeEntry(code: GraphCode, { entry, kind }: EntryRequest): Promise<DescribedEntry> {
  try {
    const exports = await code.evaluator.load(entry);
    if (kind === 'module') return { entry, problems: [] };
    const read = readDefinition(exports, kind);
    if (read.kind !== 'found') return { entry, problems: [noDefinition(read, kind, entry)] };
    const { fields, ownValidator, faults } = describeDefinition(read.definition, kind);
    const problems = faults.slice(0, executionLimits.problemsPerEntry).map((fault) => definitionProblem(fault, entry));
    return { entry, declaration: { fields, ownValidator }, problems };
  } catch (error) {
    return { entry, problems: loadProblems(error, entry, code.reading) };
  }
}
