export { createTableBuilder, type TableBuilder } from './build-table.ts';
export { createDefinitionsSource } from './create-definitions-source.ts';
export { createProjectSource } from './create-project-source.ts';
export { Generations } from './generations.ts';
export { keepWatching } from './keep-watching.ts';
export { watchFiles } from './watch-files.ts';
