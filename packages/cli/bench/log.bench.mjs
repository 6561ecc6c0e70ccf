/**
 * The log of runs: entries appended and durable (target: at least 10,000 a second), `assay log check` of 100,000
 * runs in a folder of ledgers (at most 60 s and 200 MiB), and the proof of a run, its entries found and its paths
 * checked (at most 50 ms). Runs have 11 records; the store, about 1 GB, is written to a temporary folder first and
 * removed. Prints one JSON document.
 *
 *   npm run build && node packages/cli/bench/log.bench.mjs [--runs 100000] [--proofs 50]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeClosing, makeOpening, MerkleTree } from '@assay/attest';
import { openLog, proveRun, readCheckpoint, readSecretKey } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { writeAll } from '@assay/host/files';
import { orThrow } from '@assay/kernel';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { chain, draftsOf, fileOf } from '../../../scripts/forgeries/forge.mjs';
import { POLL, poll } from '../../../scripts/forgeries/runs.mjs';

const WANTED = 100_000;
const KIB = 1_024;
const runs = option('--runs', WANTED);
const proofs = option('--proofs', 50);
const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const [store, log, key, used] = ['runs', 'log', 'key', 'used'].map((name) => join(folder, name));
/** Three calls: no note, and no answer that is refused. */
const template = draftsOf(poll({ answers: [POLL.answers[1], POLL.answers[3], POLL.answers[4]] }));

try {
  assay('keygen', key);
  mkdirSync(store);
  const facts = Array.from({ length: runs }, (_, at) => writeRun(`run-${String(at).padStart(7, '0')}`));
  const appending = await append(facts);
  const check = assay('log', 'check', '--log', log, '--store', `file:${store}`, '--trust', `${key}.pub`);
  const checkpoint = readCheckpoint(log, nativeSha256);
  const took = Array.from({ length: proofs }, (_, at) => {
    // Spread over the log, by a multiplier that shares no factor with its size.
    const { run_id } = facts[(at * 7_919_993) % runs];
    const start = performance.now();
    if (proveRun(log, checkpoint, run_id, nativeSha256)?.end === null)
      throw new Error('a run without an end');
    return performance.now() - start;
  });
  const isWhole = runs >= WANTED;
  const targets = [
    atLeast(
      'log-append',
      'entries appended to a log of runs, durable',
      isWhole ? appending.rate : null,
      10_000,
      'entries/s',
    ),
    atMost(
      'log-check',
      '`assay log check` of 100,000 runs of 11 records in files',
      isWhole ? check.seconds : null,
      60,
      's',
    ),
    atMost('log-check-memory', 'its peak memory', isWhole ? check.peak_mib : null, 200, 'MiB'),
    atMost(
      'log-prove',
      'the proof of a run under 200,000 entries, found, made and checked',
      isWhole ? median(took) : null,
      50,
      'ms',
    ),
  ];
  const report = {
    bench: 'log',
    node: process.version,
    machine: machine(),
    runs,
    append: appending,
    check,
    targets,
  };
  console.log(
    JSON.stringify(shown({ ...report, prove_ms: median(took), prove_worst_ms: Math.max(...took) }), null, 2),
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** A run of the template under another id, and its facts. */
function writeRun(run_id) {
  const lines = chain(
    template.map((draft, at) =>
      at === 0 ? { ...draft, text: draft.text.replace('"run_id":"poll"', `"run_id":"${run_id}"`) } : draft,
    ),
  );
  const hashes = lines.map((line) => /"record_hash":"([0-9a-f]{64})"/.exec(line)[1]);
  const tree = new MerkleTree(nativeSha256);
  for (const hash of hashes) tree.add(hash);
  writeFileSync(join(store, `${run_id}.ledger.jsonl`), fileOf(lines));
  return {
    run_id,
    genesis_hash: hashes[0],
    machine: { name: 'tally', version: 1 },
    count: lines.length,
    hash: hashes.at(-1),
    tree_root: tree.root(),
    outcome: 'success',
  };
}

/** Batches of 2,000 entries, as a fleet at 10,000 a second would fill in 200 ms. */
async function append(facts) {
  const lock = async () => ({ _tag: 'Right', right: { release: async () => undefined } });
  const sequencer = await openLog(log, orThrow(readSecretKey(key)), { sha256: nativeSha256, writeAll, lock });
  const start = performance.now();
  for (let from = 0; from < facts.length; from += 1_000) {
    const batch = facts
      .slice(from, from + 1_000)
      .flatMap((run, at) => [
        makeOpening(run.run_id, run.genesis_hash, run.machine),
        makeClosing(run, 2 * (from + at)),
      ]);
    await sequencer.append(batch);
  }
  const seconds = (performance.now() - start) / 1e3;
  await sequencer.close();
  return { entries: 2 * facts.length, seconds, rate: (2 * facts.length) / seconds };
}

/** The command, as a user starts it: seconds and peak memory. Throws where it does not end with 0. */
function assay(...args) {
  const noter = join(folder, 'noter.mjs');
  writeFileSync(
    noter,
    `import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => ` +
      `writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())));\n`,
  );
  const start = performance.now();
  const flags = ['--import', pathToFileURL(noter).href, place('../bin/assay.mjs'), '--quiet', ...args];
  const { status } = spawnSync(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  const seconds = (performance.now() - start) / 1e3;
  if (status !== 0) throw new Error(`exit ${status}: ${args.join(' ')}`);
  return { seconds, peak_mib: Math.ceil(JSON.parse(readFileSync(used, 'utf8')).maxRSS / KIB) };
}
