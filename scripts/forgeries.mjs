/**
 * `node scripts/forgeries.mjs`: makes `golden-fixtures/forgeries/` anew, byte for byte the same each time.
 *
 * `--check` writes nothing and fails where a file differs, is missing or is left over. With `CI=true` it only
 * checks: what a verifier must catch is never updated by a machine. `--large DIR` writes the forgeries that
 * are too large for the repository.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const given = process.argv.slice(2);
const isCheck = given.includes('--check') || process.env['CI'] === 'true';
const large = given.includes('--large') ? given[given.indexOf('--large') + 1] : undefined;

prepare();
const { FOLDER, filesOf, forgeries, largeForgeries, twins } = await import('./forgeries/list.mjs');

if (large !== undefined) {
  for (const item of largeForgeries()) write(join(large, item.name), filesOf(item));
} else {
  const items = [...twins(), ...forgeries()];
  const faults = isCheck ? items.flatMap((item) => differences(item)).concat(leftOver(items)) : [];
  if (!isCheck) for (const item of items) write(join(root, FOLDER, item.name), filesOf(item));
  for (const fault of faults) console.error(`forgeries: ${fault}`);
  console.log(`forgeries: ${items.length} ${isCheck ? 'compared' : 'written'}, ${faults.length} differ`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function write(folder, files) {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

function differences(item) {
  return Object.entries(filesOf(item)).flatMap(([name, bytes]) => {
    const path = join(FOLDER, item.name, name);
    if (!existsSync(join(root, path))) return [`${path} is missing`];
    return Buffer.compare(readFileSync(join(root, path)), bytes) === 0 ? [] : [`${path} differs`];
  });
}

function leftOver(items) {
  const known = new Set([...items.map(({ name }) => name), 'README.md', '.gitattributes']);
  return readdirSync(join(root, FOLDER))
    .filter((name) => !known.has(name))
    .map((name) => `${join(FOLDER, name)} is left over`);
}
