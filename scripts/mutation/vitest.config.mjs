/** The tests of the area that is mutated, against the sources, as Stryker's Vitest runner starts them. */
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { chosenArea, NOT_RUN, RUNS, SKIPPED } from './areas.mjs';

const inPackages = (globs) =>
  globs.map((glob) => (glob.startsWith('**') ? glob : `packages/${glob.replace(/\*\*$|\*$/, '$&.test.ts')}`));

export default defineConfig({
  resolve: base.test.projects[0].resolve,
  test: {
    include: inPackages(chosenArea().tests).map((glob) => glob.replace('**.test.ts', '**/*.test.ts')),
    exclude: ['**/node_modules/**', '**/*.long.test.ts', ...inPackages(NOT_RUN)],
    testNamePattern: new RegExp(`^(?!.*(?:${SKIPPED.map(({ source }) => source).join('|')}))`),
    env: { ASSAY_LAW_RUNS: String(RUNS) },
    isolate: false,
    testTimeout: 60_000,
  },
});
