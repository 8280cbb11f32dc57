// The floors of `packages/core`, lowest first. A floor uses only floors below it, never a sibling: one rule per pair.
const floors = [
  ['contracts'],
  ['authoring'],
  ['policy', 'registry', 'execution', 'store'],
  ['dispatch', 'models', 'config'],
  ['agent'],
];
const core = '^packages/core/src';

const forbidden = [];
for (const [level, names] of floors.entries()) {
  for (const from of names) {
    const refused = floors.flatMap((others, otherLevel) =>
      otherLevel >= level ? others.filter((other) => other !== from) : [],
    );
    for (const to of refused) {
      forbidden.push({
        name: `${from}-not-to-${to}`,
        severity: 'error',
        comment: `${from} stands on floor ${level + 1} and may not use ${to}.`,
        from: { path: `${core}/${from}/` },
        to: { path: `${core}/${to}/` },
      });
    }
    forbidden.push({
      name: `${from}-not-to-runtime`,
      severity: 'error',
      comment: 'Only what embeds the runtime knows it.',
      from: { path: `${core}/${from}/` },
      to: { path: `${core}/(runtime[a-z-]*|index)\\.ts$` },
    });
  }
}

const packages = [
  ['core', ['cli', 'testing']],
  ['testing', ['cli', 'core']],
];
for (const [from, refused] of packages) {
  for (const to of refused) {
    forbidden.push({
      name: `package-${from}-not-to-${to}`,
      severity: 'error',
      comment: `${from} does not know ${to}; its tests may.`,
      // Fixtures are code of tests.
      from: { path: `^packages/${from}/src`, pathNot: '/fixtures/' },
      to: { path: `^packages/${to}/` },
    });
  }
}

forbidden.push(
  {
    name: 'only-the-face-of-core',
    severity: 'error',
    comment: 'Other packages use what core exports, not its files.',
    from: { path: '^(packages/(?!core/)|examples|bench)' },
    to: { path: `${core}/(?!index\\.ts$)` },
  },
  {
    name: 'contracts-without-dependencies',
    severity: 'error',
    comment: 'Contracts are types and pure functions.',
    from: { path: `${core}/contracts/` },
    to: { dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional'] },
  },
  { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-unresolvable',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
);

module.exports = {
  forbidden,
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/|\\.test(-d)?\\.ts$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['baigong-source', 'node', 'import', 'types', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
