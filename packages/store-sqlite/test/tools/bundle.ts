import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { sources } from '../../../../vitest.workspace.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** `writer.ts` and the sources it uses, as one file that plain Node can start; in node_modules, where libsql is found. */
export async function bundleWriter(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(root, 'node_modules', '.assay-writer-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    resolve: { alias: Object.entries(sources).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: join(root, path) })) },
    ssr: { noExternal: true, external: ['libsql'] },
    build: { ssr: fileURLToPath(new URL('writer.ts', import.meta.url)), outDir: folder, emptyOutDir: false, minify: false, target: 'node20', rollupOptions: { output: { entryFileNames: 'writer.mjs' } } },
  });
  return { path: join(folder, 'writer.mjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}
