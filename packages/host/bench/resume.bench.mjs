/**
 * How long it takes to take up a run of 100,000 steps: every line derived again and compared, and from a snapshot.
 * Run after a build:
 *
 *   node packages/host/bench/resume.bench.mjs [--json] [--steps N] [--rounds N]
 *
 * From memory: what a disk adds is the reading of the file. CPU time, because other work shares the machine; medians.
 */
import { drive, loadRun, memorySnapshots, memoryStore, nativeSha256 } from '@assay/host';
import { atMost, machine } from '../../../bench/lib/targets.mjs';
import { counter, genesisOf, ports } from './counter.mjs';

const option = (name, otherwise) => Number(process.argv[process.argv.indexOf(name) + 1]) || otherwise;
const isJson = process.argv.includes('--json');
const steps = option('--steps', 100_000);
const rounds = option('--rounds', 3);

const store = memoryStore();
const keep = memorySnapshots();
await drive(counter, genesisOf(steps * 2), { store, ports, steps, snapshots: { keep } });
const took = async (resume) => {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    await resume();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]);
};
const expectOpen = (driven) => {
  if (driven._tag !== 'Right' || driven.right.end !== 'paused') throw new Error(JSON.stringify(driven));
};
const report = {
  bench: 'resume',
  node: process.version,
  machine: machine(),
  steps,
  cpu_ms_derived: await took(async () => expectOpen(await drive(counter, 'bench', { store, ports, steps: 0 }))),
  cpu_ms_snapshot: await took(async () => expectOpen(await drive(counter, 'bench', { store, ports, steps: 0, snapshots: { keep } }))),
  cpu_ms_trusted_snapshot: await took(async () => expectOpen(await drive(counter, 'bench', { store, ports, steps: 0, snapshots: { keep, isTrusted: true } }))),
  cpu_ms_strict: await took(async () => loadRun(counter, 'bench', store, { sha256: nativeSha256 })),
};
const seconds = (ms) => (steps < 100_000 ? null : ms / 1_000);
report.targets = [
  atMost('resume', 'taking up a run of 100,000 steps, every line derived again, from memory', seconds(report.cpu_ms_derived), 3, 's of CPU'),
  atMost('resume-snapshot', 'the same from a snapshot that the ledger bears out', seconds(report.cpu_ms_snapshot), 3, 's of CPU'),
];
console.log(isJson ? JSON.stringify(report) : Object.entries(report).map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`).join('\n'));
