import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import projects, { sources } from './vitest.workspace.ts';

const alias = Object.entries(sources).map(([name, path]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

/** `npm run test:long` runs the long files too. */
const isLong = process.env['ASSAY_LANE'] === 'long';

export default defineConfig({
  test: {
    // Vitest leaves a core to itself: on two cores it would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: projects.map(({ name, include, exclude, isolate }) => ({
      resolve: { alias },
      test: {
        name,
        include,
        exclude: isLong ? exclude : [...exclude, '**/*.long.test.ts'],
        isolate,
        globalSetup: ['packages/store-postgres/test/tools/say-skipped.ts'],
        testTimeout: isLong ? 180_000 : 60_000,
        hookTimeout: isLong ? 180_000 : 60_000,
        pool: 'forks',
      },
    })),
  },
});
