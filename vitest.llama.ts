/** The lane of a real inference runtime (`npm run check:llama`); the same aliases as all other tests. */
import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';
import { sources } from './vitest.workspace.ts';

const alias = Object.entries(sources).map(([name, path]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

export default defineConfig({
  resolve: { alias },
  test: {
    name: 'llama',
    include: ['packages/models/test/llama/*.lane.ts'],
    testTimeout: 120_000,
    pool: 'forks',
  },
});
