/**
 * `node scripts/forgeries.mjs`: makes `golden-fixtures/forgeries/` anew, byte for byte the same each time.
 *
 * `--check` writes nothing and fails where a file differs, is missing or is left over. With `CI=true` it only
 * checks: what a verifier must catch is never updated by a machine. `--all DIR` writes every forgery and twin
 * into DIR, also those that are not committed.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const given = process.argv.slice(2);
const isCheck = given.includes('--check') || process.env['CI'] === 'true';
const folder = given.includes('--all') ? given[given.indexOf('--all') + 1] : undefined;

prepare();
const { FOLDER, committed, filesOf, forgeries, largeForgeries, twins, writeItems } = await import(
  './forgeries/list.mjs'
);

if (folder !== undefined) {
  writeItems(folder, [...twins(), ...forgeries(), ...largeForgeries()]);
} else {
  const items = committed();
  const faults = isCheck ? items.flatMap((item) => differences(item)).concat(leftOver(items)) : [];
  if (!isCheck) writeItems(join(root, FOLDER), items);
  for (const fault of faults) console.error(`forgeries: ${fault}`);
  console.log(`forgeries: ${items.length} ${isCheck ? 'compared' : 'written'}, ${faults.length} differ`);
  process.exitCode = faults.length === 0 ? 0 : 1;
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
