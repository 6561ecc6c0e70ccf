/**
 * The kernel's own tests against the packed kernel: every import of its sources is answered from the
 * unpacked tarball (ASSAY_PACKED_KERNEL), and no code may be made from strings.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vitest/config';

const sources = fileURLToPath(new URL('packages/kernel/src/', import.meta.url));
const packed = process.env['ASSAY_PACKED_KERNEL'];
if (packed === undefined) throw new Error('ASSAY_PACKED_KERNEL: name the folder of the unpacked kernel');
/** The entries of the packed kernel, as its own manifest names them. */
const { exports: entries } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
};

const fromTarball: Plugin = {
  name: 'kernel-from-tarball',
  enforce: 'pre',
  resolveId(specifier, importer) {
    const entry = entries[specifier.replace('@assay/kernel', '.')];
    if (specifier.startsWith('@assay/kernel') && entry !== undefined) return join(packed, entry.default);
    if (importer === undefined || !specifier.startsWith('.')) return null;
    const file = resolve(importer, '..', specifier);
    return file.startsWith(sources)
      ? join(packed, 'dist', file.slice(sources.length).replace(/\.ts$/, '.js'))
      : null;
  },
};

export default defineConfig({
  plugins: [fromTarball],
  test: {
    name: 'packed kernel',
    include: ['packages/kernel/test/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    pool: 'forks',
    execArgv: ['--disallow-code-generation-from-strings'],
  },
});
