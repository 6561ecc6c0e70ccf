/**
 * Replaying stored runs whose answers have 468 bytes, every decision derived again, in three ways:
 *
 * - `strict`: every line read, hashed, linked and its payload compared with what is derived (`loadRun`);
 * - `taken_up`: the same by `drive`, which claims the run and finds it closed;
 * - `hash_only`: lines hashed and linked without reading decisions, answers read and derived again.
 *
 * And what a step costs beyond its answer: bytes of its ledger, and the peak memory of driving 1,000 durable
 * steps, the middle of five processes for each store. Run after a build:
 *
 *   node packages/host/bench/replay.bench.mjs [--rounds N]
 *
 * The three take turns in each round, in an order that changes; medians. Rates are by wall time; those by CPU
 * time, collections included, show the code's own cost where other work shares the machine. From memory: a
 * disk adds reading.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drive, loadRun, memoryStore, nativeSha256 } from '@assay/host';
import { follow, orThrow } from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { ANSWER_BYTES, answering, counter, genesisOf } from './counter.mjs';

const LENGTHS = [1_000, 20_000];
const WARM_ROUNDS = 3;
const PROCESSES = 5;
const rounds = option('--rounds', 9);
const sha256 = nativeSha256;

const runs = [];
for (const steps of LENGTHS) runs.push(await recorded(steps));
const replayed = {};
// One run after the other: two that await at the same time would each be charged for both.
for (const run of runs) replayed[run.steps] = await replay(run);
const memory = Object.fromEntries(['none', 'file', 'sqlite'].map((store) => [store, middlePeak(store)]));
const overhead = Math.max(...runs.map(({ steps, bytes }) => Math.ceil(bytes / steps - ANSWER_BYTES)));
const slowest = (way) => Math.min(...Object.values(replayed).map((ways) => ways[way].steps_per_second));
const peaks = ['file', 'sqlite'].map((store) => memory[store].peak_mib);

console.log(
  JSON.stringify(
    shown(
      {
        bench: 'replay',
        node: process.version,
        machine: machine(),
        rounds,
        answer_bytes: ANSWER_BYTES,
        replayed,
        ledger_bytes_a_step: Object.fromEntries(runs.map(({ steps, bytes }) => [steps, bytes / steps])),
        durable_1000_steps: memory,
        targets: [
          atLeast('replay-strict', 'replay with re-derivation, strict', slowest('strict'), 20_000, 'steps/s'),
          atLeast(
            'replay-hash-only',
            'replay with re-derivation, integrity by hashes only',
            slowest('hash_only'),
            50_000,
            'steps/s',
          ),
          atLeast(
            'replay-taken-up',
            'the same by `drive`, which takes up the run',
            slowest('taken_up'),
            20_000,
            'steps/s',
          ),
          atMost(
            'step-overhead',
            'bytes of a step in its ledger beyond its answer',
            overhead,
            1_100,
            'bytes',
          ),
          atMost(
            'run-memory',
            'peak memory of a process that drives 1,000 durable steps, the larger of file store and SQLite',
            peaks.includes(null) ? null : Math.max(...peaks),
            80,
            'MiB',
          ),
        ],
      },
      1,
    ),
  ),
);

/** A driven and closed run, as a store that gives its lines. */
async function recorded(steps) {
  const store = memoryStore();
  const driven = orThrow(
    await drive(counter, genesisOf(steps), { store, ports: answering, steps: steps + 1 }),
  );
  if (driven.end !== 'success') throw new Error(driven.end);
  const lines = [];
  for await (const line of store.read('bench')) lines.push(line);
  return { steps, lines, store, bytes: lines.reduce((sum, line) => sum + line.length + 1, 0) };
}

async function replay({ steps, lines, store }) {
  const ways = {
    strict: async () => orThrow(await loadRun(counter, 'bench', store, { sha256 })).outcome,
    taken_up: async () => orThrow(await drive(counter, 'bench', { store, ports: answering, steps: 0 })).end,
    hash_only: () => hashOnly(lines),
  };
  const names = Object.keys(ways);
  const seconds = Object.fromEntries(names.map((name) => [name, { wall: [], cpu: [] }]));
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + WARM_ROUNDS) % names.length];
      globalThis.gc?.();
      const start = process.hrtime.bigint();
      const before = process.cpuUsage();
      // A short run is replayed again and again, so that a window is longer than what the clock and a
      // collection cost.
      for (let again = 0; again < LENGTHS.at(-1) / steps; again += 1)
        if ((await ways[name]()) !== 'success') throw new Error(`${name}: the run does not end in success`);
      const wall = Number(process.hrtime.bigint() - start) / 1e9;
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      seconds[name].wall.push(wall);
      seconds[name].cpu.push((user + system) / 1e6);
    }
  }
  const rate = (taken) => LENGTHS.at(-1) / taken;
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        steps_per_second: rate(median(seconds[name].wall)),
        best_per_second: rate(Math.min(...seconds[name].wall)),
        steps_per_cpu_second: rate(median(seconds[name].cpu)),
      },
    ]),
  );
}

/**
 * Hashes, links, times and order of every line; then answers are read and every decision's hash is derived
 * again.
 */
function hashOnly(lines) {
  const integrity = new HashOnlyIntegrity(sha256);
  let follower = null;
  for (const line of lines) {
    const record = orThrow(integrity.feed(line, true, follower?.next ?? null));
    // What is derived is compared by record hash, so only answers need to be read.
    const isRead = record.payload === null && record.kind === 'proposal';
    const full = isRead
      ? {
          ...record,
          payload: JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()).payload,
        }
      : record;
    follower = orThrow(
      follower === null ? follow(counter, full, { sha256, checked: true }) : follower.feed(full, line.length),
    );
  }
  orThrow(integrity.finish());
  return follower.outcome;
}

/** The middle of the peaks of some processes: when the collector runs moves a peak by a few MiB. */
function middlePeak(store) {
  const peaks = Array.from({ length: PROCESSES }, () => peak(store));
  return {
    ...peaks[0],
    peak_mib: peaks.some(({ peak_mib: mib }) => mib === null)
      ? null
      : median(peaks.map(({ peak_mib: mib }) => mib)),
  };
}

/** The peak memory of a process of its own; null figures where it cannot run the store. */
function peak(store) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('durable-run.mjs', import.meta.url)), store, folder, '1000'],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? JSON.parse(stdout) : { peak_mib: null, reason: stderr.trim().split('\n').at(-1) };
}
