/**
 * The commands themselves on a ledger of 1,000,000 records: `assay head --sign`, `assay verify` with the
 * signature and without it (target: at most 1.3 times its time), and `assay prove`, which makes its tree and
 * stores it, and then proves from it; with the processor time and the peak memory of each. The ledger (about
 * 1.3 GB) is written to a temporary folder first, by a process of its own, and removed. Prints one JSON
 * document.
 *
 * With and without are timed in turn, so that a busy machine slows both; start and end of the process are
 * part of each.
 *
 *   npm run build && node packages/attest/bench/command.bench.mjs [--records 1000000] [--pairs 3]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';

const MILLION = 1_000_000;
const NS = 1e9;
const US = 1e6;
const KIB = 1_024;
const records = option('--records', MILLION);
const pairs = option('--pairs', 3);
const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const ledger = join(folder, 'million.ledger.jsonl');
const key = join(folder, 'key');
const tree = join(folder, 'million.tree');
const signatures = join(folder, 'million.proofs.jsonl');
const used = join(folder, 'used');
const noter = join(folder, 'noter.mjs');

try {
  writeFileSync(
    noter,
    `import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => ` +
      `writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())));\n`,
  );
  run([place('../../verifier/bench/million.bench.mjs'), '--write', ledger, String(records)]);
  assay('keygen', key);
  const signing = assay('head', ledger, '--sign', key, '-o', signatures);
  process.stderr.write(`head --sign: ${JSON.stringify(signing)}\n`);
  const strict = ['verify', ledger, '--machine', place('relay-machines.mjs')];
  const signed = [...strict, '--signature', signatures, '--trust', `${key}.pub`];
  const took = { strict: [], signed: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    // Whoever comes second finds the file in memory: each is second every other time.
    for (const name of pair % 2 === 0 ? ['strict', 'signed'] : ['signed', 'strict'])
      took[name].push(assay(...(name === 'strict' ? strict : signed)));
    process.stderr.write(
      `pair ${pair + 1}: strict ${JSON.stringify(took.strict[pair])}, signed ${JSON.stringify(took.signed[pair])}\n`,
    );
  }
  const proving = ['0', String(Math.floor(records / 2))].map((record) =>
    assay('prove', ledger, '--tree', tree, record),
  );
  const ratio = median(took.signed.map(({ seconds }, pair) => seconds / took.strict[pair].seconds));
  const targets = [
    atMost(
      'attest-command',
      'assay verify of 1,000,000 records with a signed head, against without',
      records >= MILLION ? ratio : null,
      1.3,
      'times',
    ),
  ];
  const cpuRatio = median(took.signed.map((each, pair) => each.cpu_seconds / took.strict[pair].cpu_seconds));
  const sum = (list) => ({
    seconds: median(list.map((each) => each.seconds)),
    cpu_seconds: median(list.map((each) => each.cpu_seconds)),
    peak_mib: Math.max(...list.map((each) => each.peak_mib)),
  });
  console.log(
    JSON.stringify(
      shown(
        {
          bench: 'attest-command',
          node: process.version,
          machine: machine(),
          records,
          bytes: statSync(ledger).size,
          pairs,
          head_sign: signing,
          verify: sum(took.strict),
          verify_signature: sum(took.signed),
          ratio,
          ratio_of_cpu: cpuRatio,
          ratios: took.signed.map((each, pair) => each.seconds / took.strict[pair].seconds),
          prove: { tree_made: proving[0], tree_stored: proving[1] },
          targets,
        },
        3,
      ),
      null,
      2,
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** The command, as a user starts it: seconds and peak memory. Throws where it does not end with 0. */
function assay(...args) {
  const start = process.hrtime.bigint();
  run(['--import', pathToFileURL(noter).href, place('../../cli/bin/assay.mjs'), '--quiet', ...args]);
  const seconds = Number(process.hrtime.bigint() - start) / NS;
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(used, 'utf8'));
  return { seconds, cpu_seconds: (userCPUTime + systemCPUTime) / US, peak_mib: Math.ceil(maxRSS / KIB) };
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`exit ${status}: ${args.join(' ')}`);
}
