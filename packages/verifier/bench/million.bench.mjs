/**
 * One million records verified strictly from a file, with progress, and the peak memory of doing so (targets:
 * at most 25 s, below 200 MiB; of another number of records neither is judged). The file (about 1.3 GB) is
 * written to a temporary folder first, by a process of its own, and removed.
 *
 *   npm run build && node packages/verifier/bench/million.bench.mjs [records]
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine, replayable } from '../../kernel/dist/index.js';
import { VerifyStream } from '../dist/index.js';
import { relay, relayGroups } from './relay.mjs';
import { atMost, machine, shown } from '../../../bench/lib/targets.mjs';

const CHUNK = 262_144;
const PROGRESS = 100_000;
const MILLION = 1_000_000;
const MIB = 1_048_576;
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const [first, path] = process.argv.slice(2);

if (first === '--write') write(path, Number(process.argv[4]));
else if (first === '--verify') judge(path);
else main(Number(first ?? 1_000_000));

function main(count) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const file = join(folder, 'million.ledger.jsonl');
  const self = fileURLToPath(import.meta.url);
  try {
    for (const step of [
      ['--write', file, String(count)],
      ['--verify', file],
    ]) {
      const { status } = spawnSync(process.execPath, [self, ...step], { stdio: 'inherit' });
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(to, count) {
  const out = openSync(to, 'w');
  for (const group of relayGroups(count, sha256))
    writeSync(out, group.map((record) => `${encodeLine(record)}\n`).join(''));
  closeSync(out);
}

function judge(from) {
  const start = process.hrtime.bigint();
  const seconds = () => Number(process.hrtime.bigint() - start) / 1e9;
  const stream = new VerifyStream('million', { machines: [replayable(relay)], sha256 });
  const input = openSync(from, 'r');
  const chunk = new Uint8Array(CHUNK);
  let next = PROGRESS;
  let bytes = 0;
  for (let read = readSync(input, chunk); read > 0; read = readSync(input, chunk)) {
    stream.push(chunk.subarray(0, read));
    bytes += read;
    if (stream.records < next) continue;
    process.stderr.write(
      `${stream.records} records, ${seconds().toFixed(1)} s, ${Math.round(process.memoryUsage.rss() / MIB)} MiB\n`,
    );
    next += PROGRESS;
  }
  closeSync(input);
  const { document } = stream.end();
  const took = seconds();
  const held =
    document.checks.integrity.verdict === 'held' && document.checks.rederivation.verdict === 'held';
  const peak = Math.ceil(process.resourceUsage().maxRSS / 1_024);
  const isWhole = stream.records >= MILLION;
  const targets = [
    atMost(
      'million-seconds',
      'strict verification of 1,000,000 records from a file',
      isWhole ? took : null,
      25,
      's',
    ),
    atMost('million-memory', 'its peak memory', isWhole ? peak : null, 199, 'MiB'),
  ];
  console.log(
    JSON.stringify(
      shown(
        {
          bench: 'million',
          node: process.version,
          machine: machine(),
          records: stream.records,
          mean_bytes: bytes / stream.records,
          held,
          seconds: took,
          records_per_second: stream.records / took,
          peak_mib: peak,
          targets,
        },
        1,
      ),
    ),
  );
  if (!held) process.exitCode = 1;
}
