import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tools run in child processes, which strip the types of their sources at every start unless the result is kept.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile');

export default defineConfig({
  resolve: { conditions: ['baigong-source'] },
  ssr: { resolve: { conditions: ['baigong-source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
    execArgv: ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'],
    // Every core: Vitest's own default leaves one idle, which is half of a machine with two.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    typecheck: {
      enabled: true,
      include: ['packages/*/src/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
      ignoreSourceErrors: false,
    },
  },
});
