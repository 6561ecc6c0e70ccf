/** A store in a simulated world: slow, sometimes refusing, torn by the death of its process. */
import { err, isRunId, ok, type EvidenceRecord, type Head, type Result } from '@assay/kernel';
import { headAfter, StoreReadError, type Store, type StoreError } from '../store.js';
import type { SimulatedDisk, StoredRun } from './disk.js';
import type { Faults } from './faulty-port.js';
import { Life } from './world.js';

/**
 * `isLocking`: the first process that appends holds the run until it dies or closes the store; others get
 * `locked`. Else the last one to append wins nothing but `stale_head`.
 */
type FaultyStoreOptions = {
  readonly life: Life;
  readonly disk: SimulatedDisk;
  readonly faults: Faults;
  readonly isLocking: boolean;
};

/**
 * The store of one process over a disk that all share. It keeps every promise of {@link Store}.
 * `Faults` says what fails.
 */
export function faultyStore({ life, disk, faults, isLocking }: FaultyStoreOptions): Store {
  const { random } = life.world;
  // What is on its way to the medium comes there, whatever becomes of the process.
  const copies = new Life(life.world, `${life.name}'s`);
  let isClosed = false;

  const refuse = (runId: string): StoreError | null => {
    if (isClosed) return { code: 'closed' };
    return isRunId(runId) ? null : { code: 'run_id', run_id: runId, detail: 'name' };
  };
  const failed = (runId: string, operation: string): StoreError | null =>
    random.happens(faults.storeError)
      ? { code: 'unavailable', run_id: runId, operation, errno: 'EIO' }
      : null;
  const claim = (run: StoredRun | undefined): void => {
    if (run === undefined || !isLocking || run.holder === life) return;
    run.holder = life;
    life.onDeath(() => release(run));
  };
  const release = (run: StoredRun): void => {
    if (run.holder === life) run.holder = null;
  };

  async function append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const refusal = refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    const mayContinue = (): boolean => (disk.runs.get(runId)?.head.hash ?? null) === (expected?.hash ?? null);
    const isHeld = (): boolean => (disk.runs.get(runId)?.holder ?? life) !== life;
    const land = (): void => {
      if (!mayContinue() || isHeld()) return;
      life.world.note(copies, `lands ${records.length}`);
      disk.write(runId, expected, records, records.length);
      disk.landed += 1;
    };
    if (random.happens(faults.duplicate))
      life.world.schedule(copies, `a copy of ${records.length} comes`, random.integer(COPY_MS_MAX), land);
    const atDeath = life.onDeath(() => {
      if (mayContinue() && !isHeld()) disk.write(runId, expected, records, random.integer(records.length));
    });
    await life.delay(`appends ${records.length}`, faults.storeMsMax);
    atDeath();
    const error = failed(runId, 'append');
    const holder = disk.runs.get(runId)?.holder ?? null;
    if (holder !== null && isHeld()) return err({ code: 'locked', run_id: runId, owner: holder.name });
    if (error !== null) {
      if (mayContinue()) disk.write(runId, expected, records, random.integer(records.length));
      return err(error);
    }
    if (!mayContinue())
      return err({ code: 'stale_head', run_id: runId, expected, actual: disk.runs.get(runId)?.head ?? null });
    disk.write(runId, expected, records, records.length);
    claim(disk.runs.get(runId));
    if (random.happens(faults.duplicate)) {
      await life.delay(`appends ${records.length} again`, faults.storeMsMax);
      land();
    }
    await life.delay('appended', faults.storeMsMax);
    return ok(next);
  }

  async function* read(runId: string, from = 0): AsyncGenerator<Uint8Array> {
    const refusal = refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    const run = disk.runs.get(runId);
    if (run === undefined) throw new StoreReadError({ code: 'not_found', run_id: runId });
    const first = run.head.count - run.lines.length;
    for (const line of run.lines.slice(Math.max(0, from - first))) {
      if (random.happens(CHUNK_PPM)) await life.delay('reads', faults.storeMsMax);
      const error = random.happens(CHUNK_PPM) ? failed(runId, 'read') : null;
      if (error !== null) throw new StoreReadError(error);
      yield line.slice();
    }
  }

  return {
    append,
    read,
    head: async (runId) => {
      await life.delay('head', faults.storeMsMax);
      const error = refuse(runId) ?? failed(runId, 'head');
      return error === null ? ok(disk.runs.get(runId)?.head ?? null) : err(error);
    },
    list: async () => (isClosed ? err({ code: 'closed' }) : ok([...disk.runs.keys()].sort())),
    close: async () => {
      isClosed = true;
      for (const run of disk.runs.values()) release(run);
    },
  };
}

/** How late a second copy comes, at most: later than a process that was told of a refusal begins again. */
const COPY_MS_MAX = 700;
/** How often a read comes to the end of what it has fetched. */
const CHUNK_PPM = 200_000;
