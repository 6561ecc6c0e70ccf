/**
 * A script of the tests and the sources it uses, as one file that plain Node can start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { sources } from '../../vitest.workspace.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles a TypeScript file; `external`: packages that are loaded as they are installed, for which it stands
 * in node_modules.
 */
export async function bundled(
  script: URL,
  external: readonly string[] = [],
): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(root, 'node_modules', '.assay-test-'));
  const name = `${basename(script.pathname, '.ts')}.mjs`;
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    resolve: {
      alias: Object.entries(sources).map(([from, path]) => ({
        find: new RegExp(`^${from}$`),
        replacement: join(root, path),
      })),
    },
    ssr: { noExternal: true, external: [...external] },
    build: {
      ssr: fileURLToPath(script),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: name } },
    },
  });
  return { path: join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}
