/**
 * `node scripts/fixtures.mjs [NAME]`: decides the golden runs again, each from the genesis and the answers of its
 * ledger, and writes what came out; with NAME those whose names begin with it (`intent`, `memory-odd`). What the rules
 * of requests answered is asked of them again. A new golden is a folder with a ledger, a `fixture.json`, and an
 * `expected.json` that says which reading is `chosen`.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';

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
const { GOLDENS, linesOf, listGoldens, playGolden } = await import('./lib/goldens.mjs');
const { makeLock } = await import('@assay/verifier');
const { openRequests, orThrow } = await import('@assay/kernel');
const { proposeByRules, RULES_PROPOSER } = await import('@assay/proposers/language');

let fixtures = 0;
let files = 0;
let differing = 0;
for (const name of listGoldens().filter((each) => each.startsWith(prefix))) {
  fixtures += 1;
  const { machine, records, parent } = await playGolden(
    name,
    name.startsWith('intent-') ? anewByRules : undefined,
  );
  const { chosen } = readJson(name, 'expected.json');
  if (parent !== null) writeGolden(name, 'base.ledger.jsonl', linesOf(parent.records));
  writeGolden(name, 'ledger.jsonl', linesOf(records));
  writeGolden(name, 'expected.json', pretty(orThrow(makeLock(records, chosen))));
  writeGolden(
    name,
    'fixture.json',
    pretty({ ...readJson(name, 'fixture.json'), machine: { name: machine.name, version: machine.version } }),
  );
}
console.log(`fixtures: ${fixtures} fixtures, ${files} files, ${differing} ${isCheck ? 'differ' : 'written'}`);
if (fixtures === 0) console.error(`fixtures: no name begins with ${prefix}`);
process.exitCode = fixtures === 0 || (isCheck && differing > 0) ? 1 : 0;

/** What the rules say today, in the place of what they said. */
function anewByRules(run, answer) {
  if (answer.proposer !== RULES_PROPOSER) return answer;
  const { body } = openRequests(run).find(({ id }) => id === answer.request_id);
  const { value, failure, confidence, provenance } = proposeByRules(body);
  return { ...answer, confidence, value, failure, provenance };
}

function readJson(name, file) {
  return JSON.parse(readFileSync(join(GOLDENS, name, file), 'utf8'));
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function writeGolden(name, file, text) {
  files += 1;
  const path = join(GOLDENS, name, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  differing += 1;
  if (isCheck) {
    console.error(`fixtures: ${name}/${file} ${existsSync(path) ? 'differs' : 'is missing'}`);
    return;
  }
  writeFileSync(path, text);
  console.log(`fixtures: wrote ${name}/${file}`);
}
