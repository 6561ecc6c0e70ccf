/**
 * `node scripts/fixtures.mjs`: writes the golden fixtures anew from their committed genesis and answers.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const given = process.argv.slice(2);
const isCheck = given.includes('--check');
if (!isCheck && process.env['CI'] === 'true' && !given.includes('--force')) {
  console.error('fixtures: CI does not update goldens; run it by hand, look at the difference, and give the reason in the commit (--check compares, --force writes all the same)');
  process.exit(2);
}

prepare();
const { TALLY } = await import('./fixtures/tally.mjs');
const { filesOf } = await import('./fixtures/write.mjs');

let differing = 0;
let seen = 0;
for (const fixture of TALLY) {
  const folder = join(root, 'golden-fixtures', fixture.name);
  for (const [name, text] of Object.entries(filesOf(fixture))) {
    seen += 1;
    const path = join(folder, name);
    const isSame = existsSync(path) && readFileSync(path, 'utf8') === text;
    if (isSame) continue;
    differing += 1;
    if (isCheck) console.error(`fixtures: ${fixture.name}/${name} ${existsSync(path) ? 'differs' : 'is missing'}`);
    else {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
      console.log(`fixtures: wrote ${fixture.name}/${name}`);
    }
  }
}
console.log(`fixtures: ${TALLY.length} fixtures, ${seen} files, ${differing} ${isCheck ? 'differ' : 'written'}`);
process.exitCode = isCheck && differing > 0 ? 1 : 0;
