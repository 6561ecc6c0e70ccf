/**
 * `assay verify` with ASSAY_THREADS=2 against one thread: 1,000,000 records in 100 ledgers (target: 1.7
 * times), and in one ledger, where integrity and re-derivation run beside each other. Wall time of the
 * process, the better of two calls each, taken in turn; CPU time of all threads beside it. Run after a build:
 *
 *   node packages/cli/bench/verify-threads.bench.mjs [--records N] [--json]
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine } from '@assay/kernel';
import { atLeast, machine, option, shown } from '../../../bench/lib/targets.mjs';
import { relayGroups } from '../../verifier/bench/relay.mjs';

const MILLION = 1_000_000;
const RECORDS = option('--records', MILLION);
const FILES = 100;
const ROUNDS = 2;
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const relay = join(folder, 'relay.mjs');
writeFileSync(
  relay,
  `import { relay } from ${JSON.stringify(new URL('../../verifier/bench/relay.mjs', import.meta.url).href)};\n` +
    'export const machines = [relay];\n',
);

function written(name, count) {
  const file = join(folder, `${name}.ledger.jsonl`);
  const out = openSync(file, 'w');
  const sha256 = (bytes) => hash('sha256', bytes, 'hex');
  for (const group of relayGroups(count, sha256, name))
    writeSync(out, group.map((record) => `${encodeLine(record)}\n`).join(''));
  closeSync(out);
  return file;
}

function call(files, workers) {
  const used = join(folder, 'used');
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--require',
      path('usage.cjs'),
      path('../bin/assay.mjs'),
      'verify',
      ...files,
      '--machine',
      relay,
      '--quiet',
    ],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 29,
      env: { ...process.env, ASSAY_USED: used, ASSAY_THREADS: String(workers) },
    },
  );
  const wall_ms = performance.now() - start;
  if (status !== 0) throw new Error(`verify ended with ${status}: ${stderr}`);
  return { wall_ms, ...JSON.parse(readFileSync(used, 'utf8')) };
}

function compared(files) {
  const rounds = Array.from({ length: ROUNDS }, () => [call(files, 1), call(files, 2)]);
  const best = (index) => rounds.map((round) => round[index]).toSorted((a, b) => a.wall_ms - b.wall_ms)[0];
  return { one: best(0), two: best(1), times: best(0).wall_ms / best(1).wall_ms };
}

const many = compared(Array.from({ length: FILES }, (_, index) => written(`run-${index}`, RECORDS / FILES)));
for (let index = 0; index < FILES; index += 1) rmSync(join(folder, `run-${index}.ledger.jsonl`));
const single = compared([written('whole', RECORDS)]);
const isWhole = RECORDS === MILLION;
const targets = [
  atLeast(
    'verify-threads',
    'assay verify of 1,000,000 records in 100 ledgers, two threads against one',
    isWhole ? many.times : null,
    1.7,
    'times',
  ),
  atLeast('verify-threads-one', 'the same in one ledger', isWhole ? single.times : null, 1.7, 'times'),
];
console.log(
  JSON.stringify(shown({ machine: machine(), records: RECORDS, many, single, targets }, 2), null, 2),
);
