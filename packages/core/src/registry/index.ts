export { type BuildTableOptions, type BuiltTable, buildTable } from './build-table.ts';
export { codeDigests } from './code-digests.ts';
export { type CompiledGraph, compileGraph } from './compile-graph.ts';
export { createDefinitionsSource, type DefinitionsSourceOptions } from './create-definitions-source.ts';
export { createFolderSource, type FolderSourceOptions } from './create-folder-source.ts';
export { nearestNames } from './nearest-name.ts';
