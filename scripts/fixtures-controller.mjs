/**
 * `node scripts/fixtures-controller.mjs`: writes the golden runs of the controller anew.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written unless `--force` is given: a golden
 * changes by hand, with its reason in the commit.
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
const { controller } = await import('@assay/controller');
const { lockOf } = await import('@assay/verifier');
const { CONTROLLER } = await import('./fixtures/controller.mjs');

const STEPS_MAX = 500;
let differing = 0;
for (const fixture of CONTROLLER) {
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
console.log(`fixtures: ${CONTROLLER.length} controller fixtures, ${differing} files ${isCheck ? 'differ' : 'written'}`);
process.exitCode = isCheck && differing > 0 ? 1 : 0;

function filesOf({ name, about, policy, cast }) {
  const genesis = { run_id: name, ts_base: '2026-01-01T00:00:00Z', policy, input: { text: 'write the report of the week', session: [] } };
  const records = recordsOf(genesis, cast);
  const fixture = { name, about, machine: { name: controller.name, version: controller.version } };
  const chosen = { artifact: 'final_result', path: '/reason' };
  return { 'fixture.json': pretty(fixture), 'ledger.jsonl': records.map((record) => `${encodeLine(record)}\n`).join(''), 'expected.json': pretty(orThrow(lockOf(records, chosen))) };
}

/** Answers every request in turn, the lowest id first; `attempt` counts the answers to one request. */
function recordsOf(genesis, cast) {
  const opened = orThrow(openRun(controller, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const attempts = new Map();
  for (let step = 0; run.outcome === null && step < STEPS_MAX; step += 1) {
    const [request] = openRequests(run);
    const attempt = attempts.get(request.id) ?? 0;
    attempts.set(request.id, attempt + 1);
    const said = cast[request.kind]({ ...request, attempt });
    const isFailure = said.failure !== undefined;
    const source = request.kind === 'confirm' ? 'human' : 'synthetic';
    const proposal = { request_id: request.id, source, proposer: 'fixture:hand', confidence: null, value: isFailure ? null : said, failure: isFailure ? said.failure : null, at_us: cast.stamp(request), spent: { tokens: 10 }, cites: [], provenance: {} };
    const next = orThrow(advance(run, proposal));
    records.push(...next.records);
    run = next.run;
  }
  if (run.outcome === null) throw new Error(`${genesis.run_id} does not end`);
  return records;
}

function pretty(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
