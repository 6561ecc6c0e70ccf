/**
 * How long it takes to take up a run of 100,000 steps: every line derived again, and from a snapshot.
 * Run after a build:
 *
 *   node packages/host/bench/resume.bench.mjs [--json] [--steps N] [--rounds N]
 *
 * Each way from memory, by CPU time, because other work shares the machine; and from a file store, by wall
 * time, which is what somebody waits: reading, claiming and syncing the file included. Medians; the ways take
 * turns.
 *
 * - `derived` (integrity `strict`): every line read, hashed, linked and compared with what is derived; what
 *   `drive` does.
 * - `snapshot` (integrity `hash_only` up to the snapshot): every line hashed and linked, only what comes
 *   after it is derived.
 * - `trusted_snapshot` (integrity of the last group only): most lines are not read.
 * - `loaded` (integrity `strict`): `loadRun`, which claims nothing; from memory only.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drive, folderSnapshots, loadRun, memorySnapshots, memoryStore, nativeSha256 } from '@assay/host';
import { fileStore, LEDGER_SUFFIX } from '@assay/host/store-file';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { counter, genesisOf, ports } from './counter.mjs';

const NEWLINE = Buffer.from('\n');
const INTEGRITY = {
  derived: 'strict',
  snapshot: 'hash_only',
  trusted_snapshot: 'last_group',
  loaded: 'strict',
};
const isJson = process.argv.includes('--json');
const steps = option('--steps', 100_000);
const rounds = option('--rounds', 3);

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const memory = memoryStore();
const kept = new Map();
await drive(counter, genesisOf(steps * 2), {
  store: memory,
  ports,
  steps,
  snapshots: { keep: memorySnapshots(kept) },
});
await copyToFiles();

const expectOpen = (driven) => {
  if (driven._tag !== 'Right' || driven.right.end !== 'paused') throw new Error(JSON.stringify(driven));
};
const onEvent = (event) => {
  if (event.type === 'snapshot_error')
    throw new Error(`the snapshot is not used: ${JSON.stringify(event.fault)}`);
};
const resume = async (store, snapshots) =>
  expectOpen(
    await drive(counter, 'bench', {
      store,
      ports,
      steps: 0,
      ...(snapshots === undefined ? {} : { snapshots, onEvent }),
    }),
  );
const fromFiles = (snapshots) => async () => {
  const store = fileStore(folder);
  await resume(store, snapshots);
  await store.close();
};

const inMemory = memorySnapshots(kept);
const cpuMs = await took(cpu, {
  derived: () => resume(memory),
  snapshot: () => resume(memory, { keep: inMemory }),
  trusted_snapshot: () => resume(memory, { keep: inMemory, isTrusted: true }),
  loaded: () => loadRun(counter, 'bench', memory, { sha256: nativeSha256 }),
});
const keep = folderSnapshots(folder);
const wallMs = await took(() => performance.now(), {
  derived: fromFiles(),
  snapshot: fromFiles({ keep }),
  trusted_snapshot: fromFiles({ keep, isTrusted: true }),
});
rmSync(folder, { recursive: true, force: true });

const seconds = (ms) => (steps < 100_000 ? null : ms / 1_000);
const report = {
  bench: 'resume',
  node: process.version,
  machine: machine(),
  steps,
  rounds,
  integrity: INTEGRITY,
  cpu_ms_from_memory: cpuMs,
  wall_ms_from_files: wallMs,
  targets: [
    atMost(
      'resume',
      'taking up a run of 100,000 steps, every line derived again, integrity strict, from memory',
      seconds(cpuMs.derived),
      3,
      's of CPU',
    ),
    atMost(
      'resume-snapshot',
      'the same from a snapshot that the ledger bears out, integrity by hashes only',
      seconds(cpuMs.snapshot),
      3,
      's of CPU',
    ),
    atMost(
      'resume-wall',
      'taking up a run of 100,000 steps, every line derived again, integrity strict, from a file store',
      seconds(wallMs.derived),
      3,
      's of wall time',
    ),
    atMost(
      'resume-snapshot-wall',
      'the same from a snapshot in a folder that the ledger bears out, integrity by hashes only',
      seconds(wallMs.snapshot),
      3,
      's of wall time',
    ),
  ],
};
console.log(
  isJson
    ? JSON.stringify(shown(report, 0))
    : Object.entries(shown(report, 0))
        .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
        .join('\n'),
);

/** Milliseconds that each way takes, the median of the rounds. */
async function took(clock, ways) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      globalThis.gc?.();
      const start = clock();
      await way();
      times[name].push(clock() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, taken]) => [name, median(taken)]));
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The run and its snapshot as files: written at once, since a sync for each step is not what is measured
 * here.
 */
async function copyToFiles() {
  const lines = [];
  for await (const line of memory.read('bench')) lines.push(line, NEWLINE);
  writeFileSync(join(folder, `bench${LEDGER_SUFFIX}`), Buffer.concat(lines));
  const bytes = kept.get('bench');
  if (bytes !== undefined) await folderSnapshots(folder).save('bench', bytes);
}
