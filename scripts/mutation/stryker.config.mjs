/**
 * Mutation testing of what evidence rests on. `ASSAY_MUTATION_AREA` names the area (`areas.mjs`).
 */
import { chosenArea } from './areas.mjs';

const { name, mutate } = chosenArea();

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
const options = {
  mutate: [
    ...mutate.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)),
    '!packages/*/src/**/index.ts',
    '!packages/kernel/src/machine/types.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.mjs', related: false },
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  // Stryker would rewrite tsconfig.json by TypeScript's API, which TypeScript 7 does not have; nothing here needs it.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  checkers: [],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false, logTests: false },
  jsonReporter: { fileName: `reports/mutation-${name}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: [
    '/.cache',
    '/reports',
    '/docs',
    '/examples',
    '/scripts/*/node_modules',
    'dist',
    '*.tsbuildinfo',
  ],
  tempDirName: '.stryker-tmp',
  concurrency: 2,
  // Ample: on a busy machine a test that is merely slow must not count as killed.
  timeoutMS: 10_000,
  timeoutFactor: 1.2,
  disableTypeChecks: false,
  allowConsoleColors: false,
  disableBail: false,
};

export default options;
