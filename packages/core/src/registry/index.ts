export { buildTable } from './build-table.ts';
export { createDefinitionsSource } from './create-definitions-source.ts';
export { createFolderSource } from './create-folder-source.ts';
