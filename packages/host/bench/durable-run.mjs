/**
 * Drives one run in a store on disk and prints its peak memory: what `replay.bench.mjs` measures in a process
 * of its own.
 *
 *   node packages/host/bench/durable-run.mjs none|file|sqlite FOLDER STEPS
 *
 * `none` drives nothing: what the runtime takes for itself, with the host loaded.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drive } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { answering, counter, genesisOf } from './counter.mjs';

const [kind, folder, steps] = process.argv.slice(2);
let driver = null;
if (kind !== 'none') {
  const store = await opened();
  const driven = orThrow(
    await drive(counter, genesisOf(Number(steps)), { store, ports: answering, steps: Number(steps) + 1 }),
  );
  await store.close();
  if (driven.end !== 'success') throw new Error(driven.end);
}
console.log(
  JSON.stringify({
    peak_mib: Math.ceil(peakKib() / 1_024),
    ...(driver === null ? {} : { driver: `${driver.name} ${driver.version}` }),
  }),
);

async function opened() {
  if (kind === 'file') return (await import('@assay/host/store-file')).fileStore(folder);
  const { findDriver, sqliteStore } = await import('@assay/store-sqlite');
  driver = orThrow(await findDriver());
  return sqliteStore(join(folder, 'runs.db'), driver);
}

/**
 * Linux's own high-water mark, since getrusage also counts what the parent had before this program was
 * loaded.
 */
function peakKib() {
  try {
    return Number(
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ??
        process.resourceUsage().maxRSS,
    );
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
