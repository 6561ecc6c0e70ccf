/**
 * One script and one style, bundled into a page.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pageOf } from './page.js';
import { ENGINE, entryOf, entryOfModule, type ShellRow } from './shells.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const STYLE = resolve(HERE, '..', '..', 'src', 'page', 'style.css');
const ENTRY = '\0assay-shell';

/** What a shell knows: rows of ours, or a module that exports `machines` and `views`. */
export type ShellSource =
  | { readonly rows: readonly ShellRow[]; readonly hasEngine?: boolean }
  | { readonly module: string };

/**
 * Bundles a shell: a page without data. Rejects where rolldown is not installed or the module cannot be
 * bundled for a browser. `inputs`: every file it was made of.
 */
export async function buildShell(
  source: ShellSource,
): Promise<{ readonly page: string; readonly inputs: readonly string[] }> {
  const { rolldown } = await import('rolldown');
  const hasEngine = 'rows' in source && source.hasEngine === true;
  const text = 'rows' in source ? entryOf(source.rows, hasEngine) : entryOfModule(resolve(source.module));
  const engine = createRequire(import.meta.url).resolve('@assay/ecology/engine.wasm');
  const graph = await rolldown({
    input: ENTRY,
    cwd: HERE,
    platform: 'browser',
    plugins: [
      {
        name: 'assay-shell',
        // The entry is no file, so what it imports is found from here.
        resolveId(id, importer) {
          if (id === ENTRY) return id;
          if (id === ENGINE) return `\0${ENGINE}`;
          return importer === ENTRY && !id.startsWith('/')
            ? this.resolve(id, fileURLToPath(import.meta.url))
            : null;
        },
        load: (id) => (id === ENTRY ? text : id === `\0${ENGINE}` ? engineModule(engine) : null),
      },
    ],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`the shell cannot be bundled: ${log.message}`);
    },
  });
  const { output } = await graph.generate({ format: 'iife', minify: true, codeSplitting: false });
  const inputs = await graph.watchFiles;
  await graph.close();
  const script = output[0].code.trimEnd().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return {
    page: pageOf(smaller(readFileSync(STYLE, 'utf8')), script, hasEngine),
    inputs: [...inputs, STYLE, ...(hasEngine ? [engine] : [])],
  };
}

/** The bytes of the engine as a module. */
function engineModule(path: string): string {
  return `export const packed = '${gzipSync(readFileSync(path), { level: 9 }).toString('base64')}';`;
}

/** A style without the spaces that nobody reads. */
function smaller(style: string): string {
  return style.replaceAll(/\s*\n\s*/g, '').replaceAll(/\s*([{};,])\s*/g, '$1');
}
