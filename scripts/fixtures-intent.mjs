/**
 * `node scripts/fixtures-intent.mjs`: writes the golden fixtures of the intent machine anew.
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
const { intent } = await import('@assay/kernel/intent');
const { lockOf } = await import('@assay/verifier');
const { answerByRules, INTENT } = await import('./fixtures/intent.mjs');

let differing = 0;
for (const fixture of INTENT) {
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
console.log(`fixtures: ${INTENT.length} intent fixtures, ${differing} files ${isCheck ? 'differ' : 'written'}`);
process.exitCode = isCheck && differing > 0 ? 1 : 0;

function filesOf({ name, about, genesis, proposals, chosen }) {
  const records = recordsOf(genesis, proposals);
  const fixture = { name, about, machine: { name: intent.name, version: intent.version }, genesis, ...(proposals === null ? {} : { proposals }) };
  return { 'fixture.json': pretty(fixture), 'ledger.jsonl': records.map((record) => `${encodeLine(record)}\n`).join(''), 'expected.json': pretty(orThrow(lockOf(records, chosen))) };
}

function recordsOf(genesis, proposals) {
  const opened = orThrow(openRun(intent, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const slots = proposals ?? openRequests(run).map(({ body }) => ({ slot: body.slot, by: 'rules' }));
  for (const { slot, by, ...written } of slots) {
    const request = openRequests(run).find(({ body }) => body.slot === slot);
    const answer = by === 'rules' ? answerByRules(request.body) : written;
    const step = orThrow(advance(run, { request_id: request.id, at_us: null, spent: {}, cites: [], ...answer }));
    records.push(...step.records);
    run = step.run;
  }
  return records;
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
