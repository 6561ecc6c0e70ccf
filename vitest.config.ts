import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import projects, { sources } from './vitest.workspace.ts';

const alias = Object.entries(sources).map(([name, path]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

/** `npm run test:long` runs the long files too. */
const isLong = process.env['ASSAY_LANE'] === 'long';

/**
 * `npm test` builds first and then runs what was built: Node loads it as it is, so no source is transformed. A file of
 * `src` that has no module in `dist` is taken as it stands.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(id: string, importer: string = '/') {
    const path = id.startsWith('.') ? resolve(dirname(importer), id) : id;
    const module = path.replace(/(\/packages\/[^/]+)\/src\/(.*)\.(?:tsx?|js)$/, '$1/dist/$2.js');
    return module !== path && existsSync(module) ? module : null;
  },
};

export default defineConfig({
  test: {
    // Vitest leaves a core to itself: on two cores it would run one file at a time. Of three, one mostly waits for a
    // process or a timer.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: projects.map(({ name, include, exclude, isolate }) => ({
      resolve: { alias },
      plugins: process.env['ASSAY_BUILT'] === 'true' && !isolate ? [built] : [],
      test: {
        name,
        include,
        exclude: isLong ? exclude : [...exclude, '**/*.long.test.ts'],
        isolate,
        globalSetup: ['packages/store-postgres/test/tools/say-skipped.ts'],
        testTimeout: 300_000,
        hookTimeout: 300_000,
        pool: 'forks',
        server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
      },
    })),
  },
});
