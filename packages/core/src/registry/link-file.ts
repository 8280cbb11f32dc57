import { canonicalJson } from '../contracts/canonical-json.ts';
import { digest } from '../contracts/digest.ts';
import type { SourceModule } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { providedPackages } from '../contracts/provided-packages.ts';
import { checkImportPlace } from './check-import-place.ts';
import type { CompiledFile } from './compiled-file.ts';
import { importFault } from './import-fault.ts';
import { packageName } from './package-name.ts';
import type { PackageUse } from './package-use.ts';
import type { FoundFile, ProjectFiles } from './project-files.ts';
import { resolveImport } from './resolve-import.ts';

export interface LinkedFile {
  readonly module: SourceModule;
  readonly targets: readonly Extract<FoundFile, { kind: 'file' }>[];
  readonly packages: readonly PackageUse[];
  readonly problems: readonly Problem[];
}

export interface LinkOptions {
  readonly files: ProjectFiles;
  /** Below the root, with `/`. */
  readonly pluginFolders: readonly string[];
  /** The module that the very same compiled file gave before: handed on when its imports still lead where they led. */
  readonly earlier?: SourceModule | undefined;
}

/** Looks up what a compiled file imports, always anew. */
export function linkFile(file: CompiledFile, { files, pluginFolders, earlier }: LinkOptions): LinkedFile {
  const { path, format, code, sourceMap, specifiers, dynamicOnly } = file;
  const imports: [string, string][] = [];
  const needed: string[] = [];
  const packages: PackageUse[] = [];
  const targets: Extract<FoundFile, { kind: 'file' }>[] = [];
  const problems: Problem[] = [];
  for (const specifier of specifiers) {
    const resolved = resolveImport(specifier, path, files);
    if (resolved.kind === 'own') {
      const target = resolved.file.path;
      imports.push([specifier, target]);
      targets.push(resolved.file);
      problems.push(...checkImportPlace({ importer: path, specifier, target }, pluginFolders));
    } else if (resolved.kind === 'package') {
      if (!dynamicOnly.has(specifier)) needed.push(specifier);
      if (packageName(specifier) !== undefined && !providedPackages.has(specifier)) {
        packages.push({ importer: path, specifier });
      }
    } else problems.push(importFault(path, specifier, resolved));
  }
  const linked = { targets, packages, problems };
  if (earlier !== undefined && leadWhere(imports, earlier)) return { module: earlier, ...linked };
  const led = Object.fromEntries(imports);
  // The format decides how the same code is run.
  const codeDigest = digest(canonicalJson([path, format, code, led]));
  const module: SourceModule = {
    path,
    // The map says where stack traces point, which moves with blank lines too.
    digest: sourceMap === undefined ? codeDigest : digest(canonicalJson([codeDigest, sourceMap])),
    codeDigest,
    format,
    code,
    ...(sourceMap === undefined ? {} : { sourceMap }),
    imports: led,
    packages: needed,
  };
  return { module, ...linked };
}

function leadWhere(imports: readonly (readonly [string, string])[], { imports: led }: SourceModule): boolean {
  if (Object.keys(led).length !== imports.length) return false;
  return imports.every(([specifier, target]) => Object.hasOwn(led, specifier) && led[specifier] === target);
}
