import { expect, it } from 'vitest';
import { checkImportPlace } from './check-import-place.ts';

const plugins = ['plugins/maps/plugins/tiles', 'plugins/maps', 'plugins/map'];

it.each([
  ['tools/a/index.ts', 'tools/a/client.ts', []],
  ['tools/a/index.ts', 'shared.ts', []],
  ['plugins/maps/tools/a/index.ts', 'plugins/maps/shared.ts', []],
  ['plugins/maps/tools/a/index.ts', 'shared.ts', ['IMPORT_LEAVES_PLUGIN']],
  ['shared.ts', 'plugins/maps/shared.ts', ['IMPORT_LEAVES_PLUGIN']],
  ['plugins/maps/a.ts', 'plugins/map/a.ts', ['IMPORT_LEAVES_PLUGIN']],
  ['plugins/maps/plugins/tiles/a.ts', 'plugins/maps/a.ts', ['IMPORT_LEAVES_PLUGIN']],
  ['plugins/grouped/a.ts', 'a.ts', []],
  ['plugins/mapstore/a.ts', 'a.ts', []],
  ['tools/a/index.ts', 'src/inner/x.ts', ['IMPORT_CLIMBS_INTO_SRC']],
  ['hooks/a/parts/x.ts', 'src/x.ts', ['IMPORT_CLIMBS_INTO_SRC']],
  ['prompt-sections/a/index.ts', 'src/x.ts', ['IMPORT_CLIMBS_INTO_SRC']],
  ['skills/s/tools/a/index.ts', 'src/x.ts', ['IMPORT_CLIMBS_INTO_SRC']],
  ['skills/s/tools/a/index.ts', 'skills/s/src/x.ts', ['IMPORT_CLIMBS_INTO_SRC']],
  // The module of a skill, an agent or a plugin that brings in what its leaves share.
  ['skills/s/bridge.ts', 'src/x.ts', []],
  ['bridge.ts', 'src/x.ts', []],
  // Its own `src`, and one in which it stands itself.
  ['tools/a/index.ts', 'tools/a/src/x.ts', []],
  ['src/tools/a/index.ts', 'src/x.ts', []],
  ['tools/a/index.ts', 'src', []],
  ['tools/index.ts', 'src/x.ts', []],
  ['plugins/maps/tools/a/index.ts', 'src/x.ts', ['IMPORT_LEAVES_PLUGIN', 'IMPORT_CLIMBS_INTO_SRC']],
])('judges an import of %s that leads to %s', (importer, target, codes) => {
  const problems = checkImportPlace({ importer, specifier: '../x', target }, plugins);
  expect(problems.map(({ code }) => code)).toEqual(codes);
  expect(problems.every(({ fatal, hint }) => !fatal && hint !== undefined)).toBe(true);
});
