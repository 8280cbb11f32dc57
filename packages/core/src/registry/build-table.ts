import { canonicalJson } from '../contracts/canonical-json.ts';
import type { AdmissionRule, CallLimits, PermissionRule, ToolCapability } from '../contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from '../contracts/capability-source.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import { digest } from '../contracts/digest.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { type CheckedTool, checkDeclaration } from './check-declaration.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { createSchemaChecker } from './create-schema-checker.ts';
import { type DeclaredName, findNameClashes } from './find-name-clashes.ts';
import { showProblem } from './show-problem.ts';

export interface BuildTableOptions {
  /** Number of the table: greater than that of every earlier one of this runtime. */
  readonly generation: number;
  /** What each source found, in the order in which faults are to be told. */
  readonly snapshots: readonly {
    readonly source: Pick<CapabilitySource, 'id' | 'provenance'>;
    readonly snapshot: SourceSnapshot;
  }[];
  /** Reads a permission rule; one that it cannot read must come back as `never`. */
  readonly parsePermission: (rule: string) => PermissionRule;
  /** Limits of tools that declare none. */
  readonly defaults: CallLimits;
}

export interface BuiltTable {
  /** Absent when any problem is fatal. */
  readonly table?: CapabilityTable;
  /** The sources' own problems and those found here. */
  readonly problems: readonly Problem[];
}

/**
 * Makes the immutable table of everything that the sources declare, or tells all that stands against it. The same
 * declarations give the same digests, whatever the order of sources or of the members of a schema.
 *
 * @example
 * const { table, problems } = await buildTable({ generation: 1, snapshots, parsePermission, defaults });
 */
export async function buildTable(options: BuildTableOptions): Promise<BuiltTable> {
  const { generation, snapshots, parsePermission, defaults } = options;
  const schemas = await createSchemaChecker();
  const problems: Problem[] = [];
  const checked: CheckedTool[] = [];
  const names: DeclaredName[] = [];
  for (const { source, snapshot } of snapshots) {
    problems.push(...snapshot.problems);
    for (const declaration of snapshot.declarations) {
      const { name, file } = declaration;
      names.push(file === undefined ? { name, source: source.id } : { name, source: source.id, file });
      const result = checkDeclaration(declaration, { source, defaults, parsePermission, schemas });
      problems.push(...result.problems);
      if (result.checked !== undefined) checked.push(result.checked);
    }
  }
  problems.push(...findNameClashes(names));
  // Sources tell what others wrote: files, children, libraries.
  const shown = problems.map(showProblem);
  if (shown.some((problem) => problem.fatal)) return { problems: shown };
  return { table: makeTable(generation, checked), problems: shown };
}

function makeTable(generation: number, checked: readonly CheckedTool[]): CapabilityTable {
  const classes: AdmissionRule[] = [];
  const classOf = new Map<string, number>();
  const tools: ToolCapability[] = [];
  for (const { tool, admission } of checked.toSorted((a, b) => compareCodeUnits(a.tool.name, b.tool.name))) {
    // Built in one place, its lists sorted: equal rules have equal texts.
    const key = JSON.stringify(admission);
    let admissionClass = classOf.get(key);
    if (admissionClass === undefined) {
      admissionClass = classes.length;
      classOf.set(key, admissionClass);
      classes.push(deepFreeze(admission as unknown as JsonObject) as unknown as AdmissionRule);
    }
    tools.push(Object.freeze({ ...tool, admissionClass }));
  }
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return Object.freeze({
    generation,
    digest: digest(canonicalJson(tools.map((tool) => [tool.name, tool.definitionDigest]))),
    tools: Object.freeze(tools),
    admissionClasses: Object.freeze(classes),
    get: (name: string) => byName.get(name),
  });
}
