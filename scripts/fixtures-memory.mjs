/**
 * `node scripts/fixtures-memory.mjs`: writes the golden fixtures of the memory machine anew.
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
const { advance, encodeLine, openRequests, openRun, orThrow } = await import('@assay/kernel');
const { memory, rawOf, tagOn, tagsOf } = await import('@assay/controller/memory');
const { lockOf } = await import('@assay/verifier');
const { MEMORY } = await import('./fixtures/memory.mjs');
/** What each lock shows of the end: how many rules there are. */
const CHOSEN = { artifact: 'memory', path: '/rules' };

let differing = 0;
for (const fixture of MEMORY) {
  const folder = join(root, 'golden-fixtures', fixture.name);
  for (const [name, text] of Object.entries(filesOf(fixture))) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    differing += 1;
    if (isCheck) console.error(`fixtures: ${fixture.name}/${name} ${existsSync(path) ? 'differs' : 'is missing'}`);
    else {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
      console.log(`fixtures: wrote ${fixture.name}/${name}`);
    }
  }
}
console.log(`fixtures: ${MEMORY.length} memory fixtures, ${differing} files ${isCheck ? 'differ' : 'written'}`);
process.exitCode = isCheck && differing > 0 ? 1 : 0;

function filesOf({ name, about, genesis, proposals }) {
  const { answers, records } = played(genesis, proposals);
  const fixture = { name, about, machine: { name: memory.name, version: memory.version }, genesis, proposals: answers };
  return { 'fixture.json': pretty(fixture), 'ledger.jsonl': records.map((record) => `${encodeLine(record)}\n`).join(''), 'expected.json': pretty(orThrow(lockOf(records, CHOSEN))) };
}

/** Brings the answers in order; one that names a Megram is a function of what is remembered by then. */
function played(genesis, proposals) {
  const opened = orThrow(openRun(memory, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const answers = proposals.map((given) => {
    const { shelf } = run.state;
    const answer = typeof given === 'function' ? given(tagsOf(shelf).flatMap(({ rules }) => rules), (tag) => rawOf(tagOn(shelf, tag))) : given;
    const { kind, ...written } = answer;
    const request = openRequests(run).find((open) => open.kind === kind);
    const step = orThrow(advance(run, { request_id: request.id, at_us: null, spent: {}, provenance: {}, ...written }));
    records.push(...step.records);
    run = step.run;
    return answer;
  });
  return { answers, records };
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
