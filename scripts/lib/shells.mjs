/**
 * The shells of the explorer: one page for each machine that has one, one with all, and the viewer. What
 * `assay report` splices a ledger into.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { digestOf, digestsOf } from './bundle.mjs';
import { root } from './run.mjs';

const DIST = join(root, 'packages', 'explorer', 'dist');
/** What the shells were made of and came to, each file with its SHA-256. Not published. */
const STAMP = join(DIST, '.shells.json');
const OF = ['package-lock.json', 'packages/explorer/dist/build/build.js'];

/** True where the shells are what would be made now, decided by content. */
export function areShellsBuilt() {
  if (!existsSync(STAMP)) return false;
  return Object.entries(JSON.parse(readFileSync(STAMP, 'utf8'))).every(
    ([path, digest]) => existsSync(join(root, path)) && digestOf(join(root, path)) === digest,
  );
}

/** Builds every shell, replacing what is there. A warning is an error. */
export async function buildShells() {
  const { ALL, buildShell, SHELLS } = await import(pathToFileURL(join(DIST, 'build', 'index.js')).href);
  rmSync(STAMP, { force: true });
  mkdirSync(join(DIST, 'shell'), { recursive: true });
  const wanted = [
    [ALL, SHELLS],
    ...SHELLS.filter(({ hasShell }) => hasShell).map((row) => [row.name, [row]]),
    ...SHELLS.filter(({ withEngine }) => withEngine !== undefined).map((row) => [
      `${row.name}-engine`,
      [row],
      true,
    ]),
  ];
  const files = OF.map((path) => join(root, path));
  for (const [name, rows, hasEngine = false] of wanted) {
    const { page, inputs } = await buildShell({ rows, hasEngine });
    const path = join(DIST, 'shell', `${name}.html`);
    writeFileSync(path, page);
    files.push(path, ...inputs);
    if (name !== ALL) continue;
    files.push(join(DIST, 'viewer.html'));
    writeFileSync(join(DIST, 'viewer.html'), page);
  }
  const whole = [...new Set(files)].filter((path) => existsSync(path));
  writeFileSync(STAMP, `${JSON.stringify(digestsOf(whole), null, 1)}\n`);
}
