import type { BuildOptions } from 'esbuild';

/** What `import.meta` has of use becomes members of an object that the evaluating side hands in. */
const META = { url: '__baigongMeta.url', dirname: '__baigongMeta.dirname', filename: '__baigongMeta.filename' };

/** How every source file is compiled: to CommonJS, each for itself, nothing bundled, nothing written. */
export const compileOptions = {
  absWorkingDir: '/',
  outdir: '/compiled',
  bundle: false,
  write: false,
  metafile: true,
  sourcemap: 'external',
  sourcesContent: false,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  charset: 'utf8',
  supported: { 'dynamic-import': false },
  define: Object.fromEntries(Object.entries(META).map(([name, value]) => [`import.meta.${name}`, value])),
  // A tsconfig.json above must not change what runs.
  tsconfigRaw: {},
  logLevel: 'silent',
  logLimit: 0,
} as const satisfies BuildOptions;
