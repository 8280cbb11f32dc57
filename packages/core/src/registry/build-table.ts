import type { CallLimits, CapabilityDeclaration, PermissionRule } from '../contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from '../contracts/capability-source.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { Problem } from '../contracts/problem.ts';
import { type CheckedCapability, checkDeclaration } from './check-declaration.ts';
import { checkName } from './check-name.ts';
import { checkReferences } from './check-references.ts';
import { checkServices } from './check-services.ts';
import { createSchemaChecker, type SchemaChecker } from './create-schema-checker.ts';
import { findNameClashes } from './find-name-clashes.ts';
import { kindsWithoutEffect } from './kinds-without-effect.ts';
import { makeTable } from './make-table.ts';
import { freezeCode } from './make-tool.ts';
import { showProblem } from './show-problem.ts';

export interface BuildTableOptions {
  /** Number of the table: greater than that of every earlier one of this runtime. */
  readonly generation: number;
  /** What each source found, in the order in which faults are to be told. */
  readonly snapshots: readonly {
    readonly source: Pick<CapabilitySource, 'id' | 'provenance'>;
    readonly snapshot: SourceSnapshot;
  }[];
}

export interface TableBuilderOptions {
  /** Reads a permission rule; one that it cannot read must come back as `never`. */
  readonly parsePermission: (rule: string) => PermissionRule;
}

export interface BuiltTable {
  /** Absent when any problem is fatal. */
  readonly table?: CapabilityTable;
  /** The sources' own problems and those found here. */
  readonly problems: readonly Problem[];
}

/** `defaults`: limits of tools that declare none. */
export type TableBuilder = (options: BuildTableOptions, defaults: CallLimits) => Promise<BuiltTable>;

/**
 * Makes the immutable table of everything that the sources declare, or tells all that stands against it. The same
 * declarations give the same digests, whatever the order of sources or of the members of a schema. What was judged
 * once is not judged again while its source hands over the same declaration.
 *
 * @example
 * const buildTable = createTableBuilder({ parsePermission });
 * const { table, problems } = await buildTable({ generation: 1, snapshots }, defaults);
 */
export function createTableBuilder({ parsePermission }: TableBuilderOptions): TableBuilder {
  let schemas: Promise<SchemaChecker> | undefined;
  /** By the object that holds the fields, which sources hand over again while nothing changed. */
  let judged = new WeakMap<object, Judged>();
  let judgedFor = '';

  return async ({ generation, snapshots }, defaults) => {
    schemas ??= createSchemaChecker();
    const checker = await schemas;
    // Defaults stand in what was made of a declaration.
    if (judgedFor !== JSON.stringify(defaults)) {
      judged = new WeakMap();
      judgedFor = JSON.stringify(defaults);
    }
    const problems: Problem[] = [];
    const checked: CheckedCapability[] = [];
    for (const { source, snapshot } of snapshots) {
      problems.push(...snapshot.problems);
      for (const declaration of snapshot.declarations) {
        const known = judged.get(declaration.fields);
        const result = isSame(known, declaration, source.id)
          ? { problems: known.result.problems, ...withCode(known.result.checked, declaration) }
          : checkDeclaration(declaration, { source, defaults, parsePermission, schemas: checker });
        judged.set(declaration.fields, { sourceId: source.id, declaration, result });
        problems.push(...result.problems);
        if (result.checked !== undefined) checked.push(result.checked);
      }
    }
    const faulty = snapshots.flatMap(({ source, snapshot }) =>
      (snapshot.faulty ?? []).map((declaration) => ({ declaration, source: source.id })),
    );
    for (const { declaration } of faulty) problems.push(...checkName(declaration));
    const declared = snapshots.flatMap(({ source, snapshot }) =>
      snapshot.declarations.map((declaration) => ({ declaration, source: source.id })),
    );
    problems.push(...findNameClashes([...declared, ...faulty]));
    problems.push(...checkServices(snapshots));
    problems.push(...checkReferences([...declared, ...faulty].map((one) => one.declaration)));
    problems.push(...kindsWithoutEffect(checked));
    // Sources tell what others wrote: files, children, libraries.
    const shown = withoutTwins(problems.map(showProblem));
    if (shown.some((problem) => problem.fatal)) return { problems: shown };
    return { table: makeTable(generation, checked), problems: shown };
  };
}

interface Judged {
  readonly sourceId: string;
  readonly declaration: CapabilityDeclaration;
  readonly result: ReturnType<typeof checkDeclaration>;
}

/** What two steps found in one field is told once. */
function withoutTwins(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ code, file, field, found }) => {
    if (file === undefined || field === undefined) return true;
    const key = JSON.stringify([code, file, field, found]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Does everything that was judged still hold? Where the code lies is no part of it. */
function isSame(known: Judged | undefined, declaration: CapabilityDeclaration, sourceId: string): known is Judged {
  if (known === undefined || known.sourceId !== sourceId) return false;
  const before = known.declaration;
  return (
    before.kind === declaration.kind &&
    before.name === declaration.name &&
    before.file === declaration.file &&
    before.via === declaration.via &&
    before.provenance === declaration.provenance &&
    before.trusted === declaration.trusted &&
    before.codeDigest === declaration.codeDigest &&
    before.ownValidator === declaration.ownValidator &&
    before.code?.kind === declaration.code?.kind &&
    before.texts === declaration.texts &&
    before.owner.agent === declaration.owner.agent &&
    before.owner.skill === declaration.owner.skill &&
    before.owner.plugin.join('/') === declaration.owner.plugin.join('/')
  );
}

/** The same capability, its code where it lies now. */
function withCode(
  checked: CheckedCapability | undefined,
  declaration: CapabilityDeclaration,
): { readonly checked?: CheckedCapability } {
  if (checked === undefined) return {};
  const { code } = declaration;
  const { capability } = checked;
  if (code === undefined) return { checked: { ...checked, declaration } };
  if (capability.kind === 'tool' || capability.kind === 'hook') {
    return { checked: { ...checked, declaration, capability: { ...capability, code: freezeCode(code) } } };
  }
  if (capability.kind === 'prompt-section' && 'code' in capability.content) {
    const content = Object.freeze({ code: freezeCode(code) });
    return { checked: { ...checked, declaration, capability: { ...capability, content } } };
  }
  return { checked: { ...checked, declaration } };
}
