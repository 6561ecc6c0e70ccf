/**
 * One run copied from store to store: judged where it is read, compared where it arrived, never overwriting.
 *
 * @module
 */
import { formatHeadLine, isRunId, type Head, type Replayable, type Result } from '@assay/kernel';
import { StoreReadError, type StoreError } from '@assay/host';
import type { CopiedRun } from '@assay/kernel/schemas';
import { restoreRemedy } from '../inputs/restore-remedy.js';
import { storeProblem, type NamedStore } from '../inputs/store.js';
import { misuse, unsound, type Stop } from '../problem.js';
import { batchesOf } from './batches.js';
import { judgeStored, measureStored, type JudgedLedger, type Measure } from './judged.js';

/** A store, its address as it may be shown, and which of the two it is. */
export type Place = { readonly store: NamedStore; readonly place: string; readonly isFrom: boolean };

/** Records between two looks at whether the copy goes on, and at how far it is. */
const LOOK_RECORDS = 1_000;

/**
 * What a copy is made with. `goesOn` is asked now and then, and raises where the copy was interrupted;
 * `onRecords` is told how many records were read or stored.
 */
export type CopyOptions = {
  readonly from: Place;
  readonly to: Place;
  readonly machines: readonly Replayable[];
  readonly goesOn: () => void;
  readonly onRecords: (doing: 'reading' | 'storing', records: number) => void;
};

/** A run that was copied, and the problem that kept it from being so, whose exit code counts. */
export type Copied = { readonly copied: CopiedRun; readonly stop: Stop | null };

/** What the target has of a run. */
type There = { readonly head: Head; readonly measure: Measure };

/**
 * Copies a run. Its ledger is judged first (integrity, and rederivation where the machine is known): one that
 * does not hold is not copied. In the target it must not be there, or be a beginning of it, which is
 * completed, or be all of it. Afterwards the target is read again: same head, same bytes. What concerns this
 * run alone is in the result; that a store is gone, or the copy interrupted, is raised (`Stop`).
 */
export async function copyRun(runId: string, options: CopyOptions): Promise<Copied> {
  try {
    return { copied: await copied(runId, options), stop: null };
  } catch (error) {
    if (!(error instanceof RunStop)) throw error;
    const { stop, rederivation } = error;
    return {
      copied: {
        run_id: runId,
        result: 'refused',
        added: error.added,
        head: null,
        head_line: null,
        identical: null,
        rederivation,
        problem: problemOf(stop),
      },
      stop,
    };
  }
}

/** A problem, as the document of a copy tells it. */
export function problemOf({ problem: { code, message, place, remedy } }: Stop): CopiedRun['problem'] {
  return { code, message, place: place === '' ? null : place, remedy };
}

/** A problem of this run alone. */
class RunStop extends Error {
  override readonly name = 'RunStop';
  readonly stop: Stop;
  readonly rederivation: CopiedRun['rederivation'];
  readonly added: number;
  constructor(stop: Stop, rederivation: CopiedRun['rederivation'] = null, added: number = 0) {
    super(stop.message);
    this.stop = stop;
    this.rederivation = rederivation;
    this.added = added;
  }
}

async function copied(runId: string, options: CopyOptions): Promise<CopiedRun> {
  const { from, to, machines } = options;
  // No store takes it, and nobody typed it: it was put there by other means.
  if (!isRunId(runId)) throw new RunStop(await unnamed(runId, from));
  const there = await thereIn(to, runId);
  const source = await reading(from, () =>
    judgeStored(from.store, runId, {
      machines,
      at: there === null ? null : { head: there.head, lines: there.measure.lines },
      onRecord: looking(options),
    }),
  );
  const rederivation = rederivationOf(source);
  const head = headOf(source, runId, from, 'nothing was copied');
  // What stands after the last whole line is not read, and may be more than a cut write leaves: the store
  // says.
  await settled(from.store.head(runId), from);
  if (rederivation.verdict === 'failed')
    throw new RunStop(
      failed(
        'source_invalid',
        `${runId} does not re-derive: ${rederivation.code ?? ''} at record ${rederivation.record ?? 0}; nothing was copied`,
        from.place,
      ),
      rederivation,
    );
  if (there !== null && source.facts.hashAtHead !== there.head.hash)
    throw new RunStop(
      misuse(
        'exists',
        `${runId} is there already and is not a beginning of this one: it ends with record ${there.head.count - 1}; nothing was changed`,
        to.place,
        'copy to another store, or find out with assay runs and assay diff which of them is right',
      ),
      rederivation,
    );
  const isSame = there === null || source.prefix?.sha256 === there.measure.sha256;
  // Other bytes under the same hashes are erased payloads, or damage that nothing may be built on.
  if (!isSame) headOf(await judgedAt(to, runId, options), runId, to, 'nothing was changed');
  const added = head.count - (there?.head.count ?? head.count - source.whole.lines);
  if (added > 0) await store(runId, there?.head ?? null, added, head, options);
  const identical = await arrived(runId, { head, source: source.whole, isSame, added }, options);
  return {
    run_id: runId,
    result: added === 0 ? 'already_there' : there === null ? 'copied' : 'completed',
    added,
    head,
    head_line: formatHeadLine(head),
    identical,
    rederivation,
    problem: null,
  };
}

async function unnamed(runId: string, { store, place }: Place): Promise<Stop> {
  const head = await store.head(runId);
  return head._tag === 'Left' && head.left.code === 'torn'
    ? storeProblem(head.left, place)
    : failed('source_invalid', `what is stored as ${runId} has no name of a run; nothing was copied`, place);
}

async function thereIn(to: Place, runId: string): Promise<There | null> {
  const head = await settled(to.store.head(runId), to);
  return head === null ? null : { head, measure: await reading(to, () => measureStored(to.store, runId)) };
}

/** Appends what the target lacks. */
async function store(
  runId: string,
  start: Head | null,
  added: number,
  end: Head,
  { from, to, goesOn, onRecords }: CopyOptions,
): Promise<void> {
  let head = start;
  let stored = 0;
  for await (const batch of readingEach(
    from,
    batchesOf(from.store, runId, start?.count ?? end.count - added, added, from.place),
  )) {
    goesOn();
    if ((batch[0]?.parent ?? null) !== (head?.hash ?? null))
      throw new RunStop(
        failed('source_changed', `${runId} is not what it was when it was judged`, from.place),
        null,
        stored,
      );
    head = await settled(to.store.append(runId, head, batch), to, stored);
    stored += batch.length;
    onRecords('storing', stored);
  }
}

/**
 * Reads what arrived. True where it has the bytes of the source; false where hashes agree and payloads were
 * erased in one of them.
 */
async function arrived(
  runId: string,
  {
    head,
    source,
    isSame,
    added,
  }: { readonly head: Head; readonly source: Measure; readonly isSame: boolean; readonly added: number },
  options: CopyOptions,
): Promise<boolean> {
  const { to } = options;
  const end = await settled(to.store.head(runId), to, added);
  const measure = await reading(to, () => measureStored(to.store, runId));
  if (end?.hash === head.hash && end.count === head.count) {
    if (measure.sha256 === source.sha256) return true;
    if (
      !isSame &&
      headOf(await judgedAt(to, runId, options), runId, to, 'it stays as it is').hash === head.hash
    )
      return false;
  }
  throw new RunStop(
    failed('copy_differs', `what arrived of ${runId} is not what was sent`, to.place),
    null,
    added,
  );
}

function judgedAt(to: Place, runId: string, options: CopyOptions): Promise<JudgedLedger> {
  return reading(to, () =>
    judgeStored(to.store, runId, { machines: options.machines, at: null, onRecord: looking(options) }),
  );
}

function looking({ goesOn, onRecords }: CopyOptions): (records: number) => void {
  return (records) => {
    if (records % LOOK_RECORDS !== 0) return;
    goesOn();
    onRecords('reading', records);
  };
}

/** Where a judged ledger ends. Raises where its integrity does not hold, or it is another run's. */
function headOf({ document }: JudgedLedger, runId: string, { place, isFrom }: Place, so: string): Head {
  const invalid = isFrom ? 'source_invalid' : 'target_invalid';
  const { code, record } = document.checks.integrity;
  const { head } = document;
  if (head === null)
    throw new RunStop(
      failed(
        invalid,
        `the integrity of ${runId} does not hold: ${code ?? ''} at record ${record ?? 0}; ${so}`,
        place,
      ),
    );
  if (head.run_id !== runId)
    throw new RunStop(
      failed(
        invalid,
        `what is stored as ${runId} is ${head.run_id === null ? 'no run of Assay' : `the ledger of ${head.run_id}`}; ${so}`,
        place,
      ),
    );
  return { run_id: runId, count: head.count, hash: head.hash };
}

function rederivationOf({ document }: JudgedLedger): NonNullable<CopiedRun['rederivation']> {
  const { verdict, code, record } = document.checks.rederivation;
  return { verdict, code, record };
}

function failed(code: string, message: string, place: string): Stop {
  return unsound(code, message, place, restoreRemedy(place));
}

/** A store's refusal of this run is this run's problem; that the store itself is gone is everybody's. */
async function settled<A>(
  answer: Promise<Result<StoreError, A>>,
  place: Place,
  added: number = 0,
): Promise<A> {
  const result = await answer;
  if (result._tag === 'Right') return result.right;
  const stop = storeProblem(result.left, place.place);
  throw (await isOfThisRun(result.left, place)) ? new RunStop(stop, null, added) : stop;
}

/**
 * Where the store lists its runs, or takes a write, what keeps it from doing so with this one concerns no
 * other.
 */
async function isOfThisRun(error: StoreError, { store }: Place): Promise<boolean> {
  if (error.code !== 'unavailable') return OWN.has(error.code);
  return (error.operation === 'append' ? await store.tryWriting() : await store.list())._tag === 'Right';
}

const OWN: ReadonlySet<StoreError['code']> = new Set(['torn', 'run_id', 'locked', 'stale_head', 'not_found']);

async function reading<A>(place: Place, read: () => Promise<A>): Promise<A> {
  try {
    return await read();
  } catch (error) {
    throw await refusedReading(error, place);
  }
}

async function* readingEach<A>(place: Place, items: AsyncIterable<A>): AsyncGenerator<A> {
  try {
    yield* items;
  } catch (error) {
    throw await refusedReading(error, place);
  }
}

async function refusedReading(error: unknown, at: Place): Promise<unknown> {
  if (!(error instanceof StoreReadError)) return error;
  const { place, isFrom } = at;
  const stop = storeProblem(error.error, place);
  const { code } = error.error;
  // What is listed and cannot be found, as a link to nowhere, does not hold.
  if (code === 'not_found')
    return new RunStop(
      failed(
        isFrom ? 'source_invalid' : 'target_invalid',
        'this run is listed and cannot be found; nothing was copied',
        place,
      ),
    );
  // What is stored and is another's is one that does not hold, wherever the store itself saw it.
  if (code === 'run_id')
    return new RunStop(
      failed(
        isFrom ? 'source_invalid' : 'target_invalid',
        `${stop.problem.message}; nothing was copied`,
        place,
      ),
    );
  return (await isOfThisRun(error.error, at)) ? new RunStop(stop) : stop;
}
