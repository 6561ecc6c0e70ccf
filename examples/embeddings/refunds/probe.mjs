/**
 * `node probe.mjs`: the same two probes on the ledger of the refund desk: `assay verify` on edited copies,
 * and with a changed machine of the same name and version. Prints one JSON document.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from './machine.mjs';
import { genesis, scripted, typed } from './scenario.mjs';

const command = fileURLToPath(new URL('../../../packages/cli/bin/assay.mjs', import.meta.url));
const { version } = JSON.parse(
  readFileSync(new URL('../../../packages/kernel/package.json', import.meta.url), 'utf8'),
);
const own = fileURLToPath(new URL('machine.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-probe-'));
const assay = (...args) => spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' }).stdout;

/** The first check that failed, as `assay verify` has it. */
function verdict(path, machine = own, ...more) {
  const [{ outcome, checks }] = JSON.parse(
    assay('verify', path, '--machine', machine, '--json', ...more),
  ).results;
  const failed = Object.entries(checks).find(([, check]) => check.verdict === 'failed');
  return failed === undefined
    ? `not noticed: ended ${outcome}, nothing failed`
    : `noticed: ${failed[0]} failed, ${failed[1].code} at record ${failed[1].record}`;
}

/** A copy of the ledger under an attack of `assay tamper`. */
function attacked(attack) {
  const copy = join(folder, `${attack}.jsonl`);
  assay('tamper', ledger, '--machine', own, attack, '-o', copy, '--quiet');
  return copy;
}

/** The same steps and another state: a refund is taken from the budget twice. */
const CHANGED =
  `import { refunds } from ${JSON.stringify(new URL('machine.mjs', import.meta.url).href)};
export const machines = [{ ...refunds, evolve: (state, event) => (event.t === 'refunded' ? { ` +
  `...refunds.evolve(state, event), budget: state.budget - event.cents } : refunds.evolve(state, event)) }];`;

const ledger = join(folder, 'desk.jsonl');
const other = join(folder, 'changed.mjs');
const performs = {
  next: scripted,
  approval: typed('yes'),
  pay: ({ id }) => ({ source: 'tool', proposer: 'till', value: { receipt: `till/${id}` } }),
};
try {
  writeFileSync(other, CHANGED);
  const run = openLedger(refunds, genesis, ledger);
  for (let request = run.request(), rejected = null; request !== undefined; request = run.request())
    rejected = run.answer(request, performs[request.kind](request, rejected));
  run.close();
  const head = assay('head', ledger).trim();
  const control = verdict(ledger, own, '--head', head);
  if (control !== 'not noticed: ended success, nothing failed')
    throw new Error(`the probe is wrong: ${control}`);
  console.log(
    JSON.stringify({
      host: 'Assay',
      versions: [`@assay/kernel ${version}`],
      edited: verdict(attacked('edit')),
      rehashed: verdict(attacked('rehash')),
      rederived: verdict(attacked('rederive')),
      headed: verdict(attacked('rederive'), own, '--head', head),
      changed: verdict(ledger, other),
    }),
  );
} finally {
  rmSync(folder, { recursive: true });
}
