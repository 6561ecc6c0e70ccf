/**
 * The auditor over one controller run of 100,000 records: parsing lines and feeding them, as `assay audit`
 * does after integrity; and the memory it keeps. The run is made first, by the machine, into a file of the
 * system's temporary folder; then a process of its own reads it, so that peak memory is the audit's. Run
 * after a build:
 *
 *   node packages/controller/bench/audit.bench.mjs [--rounds N]
 *
 * Wall time, the median of rounds; the state's size is that of its JSON after a quarter, a half
 * and all of the ledger.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { createReadStream, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineSplitter } from '@assay/kernel';
import { auditor, defaultAuditPolicy } from '@assay/controller/audit';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { roundLines } from './rounds.mjs';

const RECORDS = 100_000;
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const MIB = 2 ** 20;
const utf8 = new TextDecoder();

if (process.argv[2] === 'read') await read(process.argv[3]);
else bench();

function bench() {
  const rounds = option('--rounds', 3);
  const folder = mkdtempSync(join(tmpdir(), 'assay-audit-'));
  try {
    const path = join(folder, 'run.ledger.jsonl');
    const bytes = write(path);
    const runs = Array.from({ length: rounds }, () =>
      JSON.parse(
        spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'read', path], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        }).stdout,
      ),
    );
    const seconds = median(runs.map((run) => run.seconds));
    const growth = Math.max(...runs.map(({ heap_mib }) => heap_mib[2] - heap_mib[0]));
    const targets = [
      atMost(
        'audit-seconds',
        'the audit of a controller run of 100,000 records from a file',
        seconds,
        5,
        's',
      ),
      atMost(
        'audit-memory',
        'what its heap holds after all of it beyond what it holds after a quarter',
        Math.max(0, growth),
        4,
        'MiB',
      ),
    ];
    console.log(
      JSON.stringify(
        shown(
          {
            bench: 'controller-audit',
            machine: machine(),
            node: process.version,
            records: RECORDS,
            ledger_mib: bytes / MIB,
            rounds,
            runs,
            targets,
          },
          3,
        ),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads and audits the file; says how long it took and what memory was held on the way. */
async function read(path) {
  const { start, feed, report, encode } = auditor({ policy: { ...defaultAuditPolicy, every_us: 0 }, sha256 });
  const splitter = new LineSplitter();
  const [heap_mib, state_kib] = [[], []];
  let state = start;
  let records = 0;
  let measuring = 0n;
  const begin = process.hrtime.bigint();
  for await (const chunk of createReadStream(path)) {
    for (const { bytes } of splitter.push(chunk)) {
      state = feed(state, JSON.parse(utf8.decode(bytes))).state;
      records += 1;
      if (![RECORDS / 4, RECORDS / 2, RECORDS].includes(records)) continue;
      const paused = process.hrtime.bigint();
      globalThis.gc();
      heap_mib.push(process.memoryUsage().heapUsed / MIB);
      state_kib.push(JSON.stringify(encode(state)).length / 1_024);
      measuring += process.hrtime.bigint() - paused;
    }
  }
  const seconds = Number(process.hrtime.bigint() - begin - measuring) / 1e9;
  const { answers, anomalies, boundary_violations, drift_alerts } = report(state).report;
  console.log(
    JSON.stringify({
      seconds,
      records,
      accepted: answers.accepted,
      alerts: anomalies.length + boundary_violations.length + drift_alerts.length,
      heap_mib,
      state_kib,
      peak_mib: process.resourceUsage().maxRSS / 1_024,
    }),
  );
}

/** Plays a run of so many records into a file; gives its size. */
function write(path) {
  const file = openSync(path, 'w');
  let size = 0;
  for (const lines of roundLines(RECORDS, sha256)) size += writeSync(file, lines);
  closeSync(file);
  return size;
}
