/**
 * Tests as mutation testing runs them: those of the mutated packages, in one project, against the sources.
 *
 * Each law runs 50 times instead of its own number, so that a mutant costs a second and not a minute: a
 * mutant that only a later run would find is reported as a survivor, which errs on the strict side.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { sources } from './vitest.workspace.ts';

const fewerRuns: Plugin = {
  name: 'fewer-runs',
  enforce: 'pre',
  transform: (code, id) => (/\/packages\/[^/]+\/(?:test|tools)\//.test(id) ? code.replace(/\bnumRuns: *[\d_]+/g, 'numRuns: 50') : null),
};

/** The short form mutates what canonical text rests on, and runs the tests written for those. */
const isShort = process.env['ASSAY_MUTATE'] === 'short';
const SHORT = ['packages/kernel/test/unit/canonical/**/*.test.ts', 'packages/kernel/test/laws/canonical.test.ts'];
const LONG = ['packages/kernel/test/**/*.test.ts', 'packages/verifier/test/**/*.test.ts', 'packages/testing/test/**/*.test.ts'];

export default defineConfig({
  plugins: [fewerRuns],
  resolve: {
    alias: Object.entries(sources).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: fileURLToPath(new URL(path, import.meta.url)) })),
  },
  test: {
    include: isShort ? SHORT : LONG,
    env: { ASSAY_LAW_RUNS: '50' },
    testTimeout: 60_000,
  },
});
