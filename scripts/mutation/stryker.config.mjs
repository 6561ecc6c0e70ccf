/**
 * Mutation testing of what evidence rests on. `ASSAY_MUTATE=short` takes the fixed sample that CI runs.
 */
const LONG = ['canonical', 'hash', 'ledger', 'graph', 'collections', 'machine', 'replay'].map((folder) => `packages/kernel/src/${folder}/**/*.ts`).concat('packages/verifier/src/**/*.ts');
const SHORT = ['packages/kernel/src/canonical/encode.ts', 'packages/kernel/src/canonical/canonicalize.ts', 'packages/kernel/src/canonical/text.ts'];
const isShort = process.env['ASSAY_MUTATE'] === 'short';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
const options = {
  mutate: isShort ? SHORT : [...LONG, '!packages/*/src/**/index.ts', '!packages/kernel/src/machine/types.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.ts', related: true },
  // Stryker would rewrite tsconfig.json by TypeScript's API, which TypeScript 7 does not have; Vitest needs none.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  checkers: [],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false, logTests: false },
  jsonReporter: { fileName: `reports/mutation-${isShort ? 'short' : 'long'}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: ['/.cache', '/reports', '/docs', '/examples', '/scripts/*/node_modules', 'dist', '*.tsbuildinfo'],
  tempDirName: '.stryker-tmp',
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  disableTypeChecks: false,
  allowConsoleColors: false,
  disableBail: false,
};

export default options;
