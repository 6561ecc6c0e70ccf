/**
 * What every script that writes golden fixtures does alike: refuse to in CI, compare or write file by file,
 * count.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root } from './run.mjs';

const given = process.argv.slice(2);
const isCheck = given.includes('--check');

/**
 * Installs and builds what a fixture is made with; to be called before the built packages are imported. With
 * `CI=true` the process ends here, exit 2, unless `--check` or `--force` is given.
 */
export function prepareGoldens() {
  if (!isCheck && process.env['CI'] === 'true' && !given.includes('--force')) {
    console.error(
      'fixtures: CI does not update goldens; run it by hand, look at the difference, and give ' +
        'the reason in the commit (--check compares, --force writes all the same)',
    );
    process.exit(2);
  }
  prepare();
}

/**
 * Writes the files of each fixture under `golden-fixtures/` where they differ; with `--check` only says
 * which, and the exit code is 1 where any does. `filesOf(fixture)`: text by file name. `what` is named in the
 * count: `intent fixtures`.
 */
export function writeGoldens(what, fixtures, filesOf) {
  let differing = 0;
  let seen = 0;
  for (const fixture of fixtures) {
    const folder = join(root, 'golden-fixtures', fixture.name);
    for (const [name, text] of Object.entries(filesOf(fixture))) {
      seen += 1;
      const path = join(folder, name);
      if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
      differing += 1;
      if (isCheck)
        console.error(`fixtures: ${fixture.name}/${name} ${existsSync(path) ? 'differs' : 'is missing'}`);
      else {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, text);
        console.log(`fixtures: wrote ${fixture.name}/${name}`);
      }
    }
  }
  console.log(
    `fixtures: ${fixtures.length} ${what}, ${seen} files, ${differing} ${isCheck ? 'differ' : 'written'}`,
  );
  process.exitCode = isCheck && differing > 0 ? 1 : 0;
}
