/** Verdicts of a small contract by the engine, run each time and remembered. CPU time. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadEngine } from '@assay/ecology/sandbox';
import { atLeast, machine } from '../../../bench/lib/targets.mjs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const loaded = loadEngine(readFileSync(new URL('../dist/engine.wasm', import.meta.url)), sha256);
if (loaded._tag === 'Left') throw new Error(loaded.left.code);
const engine = loaded.right;
const SOURCE =
  'function check_permission(q) { return { allowed: q.action === "read" || q.requester_id === q.context.owner } }';

/** Verdicts a second of CPU; `different`: how many inputs take turns, more than the memo holds or one. */
function rate(count, different) {
  const inputs = Array.from({ length: different }, (_, n) =>
    JSON.stringify([
      { artifact_id: `a${n}`, action: 'write', requester_id: 'bob', context: { owner: 'alice', version: 3 } },
    ]),
  );
  const run = (n) =>
    engine.run({
      source: SOURCE,
      name: 'check_permission',
      values: inputs[n % different],
      fuel: 5_000_000,
      host: () => null,
    });
  for (let n = 0; n < 2_000; n += 1) run(n);
  const rates = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    for (let n = 0; n < count; n += 1) run(n);
    const { user, system } = process.cpuUsage(start);
    return count / ((user + system) / 1e6);
  });
  return Math.round(rates.toSorted((a, b) => a - b)[2]);
}

const figures = { uncached: rate(10_000, 500), remembered: rate(200_000, 1) };
console.log(
  JSON.stringify({
    bench: 'sandbox-verdict',
    node: process.version,
    machine: machine(),
    figures,
    targets: [
      atLeast(
        'sandbox-verdict',
        'verdicts of a small contract, each run, a second of CPU',
        figures.uncached,
        8_000,
        'verdicts/s',
      ),
      atLeast('sandbox-verdict-memo', 'the same from the memo', figures.remembered, 100_000, 'verdicts/s'),
    ],
  }),
);
