/**
 * `node scripts/fixtures.mjs [NAME]`: writes the golden fixtures anew from what is committed in
 * `scripts/fixtures`; with NAME those whose names begin with it (`intent`, `memory-odd`).
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
const prefix = given.find((word) => !word.startsWith('--')) ?? '';
if (!isCheck && process.env['CI'] === 'true' && !given.includes('--force')) {
  console.error(
    'fixtures: CI does not update goldens; run it by hand, look at the difference, and give ' +
      'the reason in the commit (--check compares, --force writes all the same)',
  );
  process.exit(2);
}
prepare();

let fixtures = 0;
let files = 0;
let differing = 0;
for (const group of [
  'tally',
  'intent',
  'controller',
  'memory',
  'planner',
  'library',
  'ecology',
  'gate',
  'e2e',
]) {
  const { FIXTURES, filesOf } = await import(`./fixtures/${group}.mjs`);
  for (const fixture of FIXTURES.filter(({ name }) => name.startsWith(prefix))) {
    fixtures += 1;
    for (const [file, text] of Object.entries(await filesOf(fixture))) writeGolden(fixture.name, file, text);
  }
}
console.log(`fixtures: ${fixtures} fixtures, ${files} files, ${differing} ${isCheck ? 'differ' : 'written'}`);
if (fixtures === 0) console.error(`fixtures: no name begins with ${prefix}`);
process.exitCode = fixtures === 0 || (isCheck && differing > 0) ? 1 : 0;

function writeGolden(name, file, text) {
  files += 1;
  const folder = join(root, 'golden-fixtures', name);
  const path = join(folder, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  differing += 1;
  if (isCheck) {
    console.error(`fixtures: ${name}/${file} ${existsSync(path) ? 'differs' : 'is missing'}`);
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  console.log(`fixtures: wrote ${name}/${file}`);
}
