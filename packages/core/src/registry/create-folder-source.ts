import type { Provenance, ToolDeclaration } from '../contracts/capability.ts';
import type { CapabilitySource, CodeDescriber, SourceSnapshot } from '../contracts/capability-source.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { checkName } from './check-name.ts';
import { codeDigests } from './code-digests.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { compileGraph } from './compile-graph.ts';
import { findToolFolders } from './find-tool-folders.ts';
import { showText } from '../contracts/show-text.ts';

export interface FolderSourceOptions {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  /** Folder that holds `tools/`. */
  readonly root: string;
  readonly provenance: Provenance;
  /** Evaluates the code where it will run. */
  readonly describer: CodeDescriber;
}

/**
 * The tools of a folder: each `tools/<name>/index.ts` (or `.mts .cts .js .mjs .cjs`) declares one. The files are
 * compiled here and evaluated by the describer only, never in this process. One run finds all faults.
 *
 * @example
 * const source = createFolderSource({ id: 'project', root: '/srv/bot', provenance: 'project', describer });
 * const { declarations, problems } = await source.load(signal);
 */
export function createFolderSource(options: FolderSourceOptions): CapabilitySource {
  const { id, root, provenance, describer } = options;
  return { id, provenance, load: (signal) => loadFolder(root, describer, signal) };
}

async function loadFolder(root: string, describer: CodeDescriber, signal: AbortSignal): Promise<SourceSnapshot> {
  const { folders, problems: misplaced } = await findToolFolders(root);
  const problems = [...misplaced];
  if (folders.length === 0) return { declarations: [], problems };

  const compiled = await compileGraph(
    root,
    folders.map((folder) => folder.entry),
    signal,
  );
  problems.push(...compiled.problems);
  const { graph, sound } = compiled;
  const modules = [...new Set(sound.values())].sort(compareCodeUnits);
  const described = modules.length === 0 ? [] : await describer.describe(graph, modules, signal);
  const byModule = new Map(described.map((one) => [one.entry, one]));
  const digests = codeDigests(graph, modules);

  const declarations: ToolDeclaration[] = [];
  for (const module of modules) {
    const one = byModule.get(module);
    problems.push(...(one?.problems ?? []));
    if (one?.declaration === undefined && !one?.problems.some((problem) => problem.fatal))
      problems.push(silent(module));
  }
  for (const { name, entry } of folders) {
    const module = sound.get(entry);
    const declared = module === undefined ? undefined : byModule.get(module)?.declaration;
    const codeDigest = module === undefined ? undefined : digests.get(module);
    if (module === undefined || declared === undefined || codeDigest === undefined) {
      // What was declared is checked with the table; of the others at least the name is known.
      problems.push(...checkName(name, entry));
      continue;
    }
    declarations.push({
      name,
      file: entry,
      fields: declared.fields,
      ownValidator: declared.ownValidator,
      code: { kind: 'module', reference: { graph: graph.digest, entry: module } },
      codeDigest,
    });
  }
  return { declarations, problems: byFile(problems), graph };
}

function silent(module: string): Problem {
  const file = showText(module);
  return { code: 'NOT_DESCRIBED', file, message: text('registry.not-described', { file }), fatal: true };
}

function byFile(problems: readonly Problem[]): readonly Problem[] {
  const fileOf = (problem: Problem) => (problem.file ?? '').replace(/:\d+:\d+$/, '');
  return problems.toSorted((a, b) => compareCodeUnits(fileOf(a), fileOf(b)));
}
