/**
 * One run copied from store to store: judged where it is read, compared where it arrived, never overwriting.
 */
import { err, isRunId, ok, type Head, type Replayable, type Result } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from '../store.js';
import {
  readBatches,
  type CopyEnd,
  type CopyFault,
  type Invalid,
  type JudgedLedger,
  judgeStored,
  type Measure,
  measureStored,
  type Side,
  SourceChangedError,
} from './batches.js';

/** A store that can say whether it takes a write. */
export type TriedStore = Store & { readonly tryWriting: () => Promise<Result<StoreError, null>> };

/** Records between two looks at whether the copy goes on, and at how far it is. */
const LOOK_RECORDS = 1_000;

/**
 * What a copy is made with. `goesOn` is asked now and then, and raises where the copy was interrupted;
 * `onRecords` is told how many records were read or stored.
 */
export type CopyOptions = {
  readonly from: TriedStore;
  readonly to: TriedStore;
  readonly machines: readonly Replayable[];
  readonly goesOn: () => void;
  readonly onRecords: (doing: 'reading' | 'storing', records: number) => void;
};

/** What re-derivation said of a run that is copied. */
type Rederivation = {
  readonly verdict: 'held' | 'failed' | 'not_checked';
  readonly code: string | null;
  readonly record: number | null;
};

/**
 * What became of a run. `added`: records that were stored in this call; `identical`: false where hashes agree
 * and payloads were erased in one of the two. `fault`: why it was refused; then only the first facts are
 * known.
 */
export type Copied =
  | {
      readonly result: 'copied' | 'completed' | 'already_there';
      readonly added: number;
      readonly head: Head;
      readonly identical: boolean;
      readonly rederivation: Rederivation;
    }
  | {
      readonly result: 'refused';
      readonly added: number;
      readonly rederivation: Rederivation | null;
      readonly fault: CopyFault;
    };

/** What the target has of a run. */
type There = { readonly head: Head; readonly measure: Measure };

/**
 * Copies a run. Its ledger is judged first (integrity, and rederivation where the machine is known): one that
 * does not hold is not copied. In the target it must not be there, or be a beginning of it, which is
 * completed, or be all of it. Afterwards the target is read again: same head, same bytes. What concerns this
 * run alone is told as `Copied`; a Left ends the copy of any other run too.
 */
export async function copyRun(runId: string, options: CopyOptions): Promise<Result<CopyEnd, Copied>> {
  try {
    return ok(await copied(runId, options));
  } catch (error) {
    if (error instanceof SourceChangedError) return err({ code: 'changed_meanwhile' });
    if (error instanceof Ended) return err(error.end);
    if (!(error instanceof Refused)) throw error;
    const { fault, added, rederivation } = error;
    return ok({ result: 'refused', added, rederivation, fault });
  }
}

/** A fault of this run alone. */
class Refused extends Error {
  readonly fault: CopyFault;
  readonly rederivation: Rederivation | null;
  readonly added: number;
  constructor(fault: CopyFault, rederivation: Rederivation | null = null, added: number = 0) {
    super(fault.code);
    this.fault = fault;
    this.rederivation = rederivation;
    this.added = added;
  }
}

/** A fault of a store. */
class Ended extends Error {
  readonly end: CopyEnd;
  constructor(end: CopyEnd) {
    super(end.code);
    this.end = end;
  }
}

async function copied(runId: string, options: CopyOptions): Promise<Copied> {
  const { from, machines } = options;
  // No store takes it, and nobody typed it: it was put there by other means.
  if (!isRunId(runId)) throw new Refused(await unnamed(runId, from));
  const there = await thereIn(options, runId);
  const source = await reading('from', options, () =>
    judgeStored(from, runId, {
      machines,
      at: there === null ? null : { head: there.head, lines: there.measure.lines },
      onRecord: looking(options),
    }),
  );
  const rederivation = readRederivation(source);
  const head = readHead(source, runId, 'from');
  // What stands after the last whole line is not read, and may be more than a cut write leaves: the store
  // says.
  await settled(from.head(runId), 'from', options);
  if (rederivation.verdict === 'failed')
    throw new Refused(
      {
        code: 'not_rederived',
        found: { code: rederivation.code ?? '', record: rederivation.record ?? 0 },
      },
      rederivation,
    );
  if (there !== null && source.facts.hashAtHead !== there.head.hash)
    throw new Refused({ code: 'exists', count: there.head.count }, rederivation);
  const isSame = there === null || source.prefix?.sha256 === there.measure.sha256;
  // Other bytes under the same hashes are erased payloads, or damage that nothing may be built on.
  if (!isSame) readHead(await judgedThere(runId, options), runId, 'to');
  const added = head.count - (there?.head.count ?? head.count - source.whole.lines);
  if (added > 0) await store(runId, there?.head ?? null, added, head, options);
  const identical = await arrived(runId, { head, source: source.whole, isSame, added }, options);
  return {
    result: added === 0 ? 'already_there' : there === null ? 'copied' : 'completed',
    added,
    head,
    identical,
    rederivation,
  };
}

async function unnamed(runId: string, from: Store): Promise<CopyFault> {
  const head = await from.head(runId);
  return head._tag === 'Left' && head.left.code === 'torn'
    ? { code: 'store', side: 'from', error: head.left }
    : invalid('from', { why: 'name' });
}

function invalid(side: Side, found: Invalid, isStored: boolean = false): CopyFault {
  return { code: 'invalid', side, isStored, found };
}

async function thereIn(options: CopyOptions, runId: string): Promise<There | null> {
  const { to } = options;
  const head = await settled(to.head(runId), 'to', options);
  return head === null
    ? null
    : { head, measure: await reading('to', options, () => measureStored(to, runId)) };
}

/** Appends what the target lacks. */
async function store(
  runId: string,
  start: Head | null,
  added: number,
  end: Head,
  options: CopyOptions,
): Promise<void> {
  const { from, to, goesOn, onRecords } = options;
  let head = start;
  let stored = 0;
  const batches = readBatches(from, runId, start?.count ?? end.count - added, added);
  for await (const batch of readingEach('from', options, batches)) {
    goesOn();
    if ((batch[0]?.parent ?? null) !== (head?.hash ?? null))
      throw new Refused({ code: 'source_changed' }, null, stored);
    head = await settled(to.append(runId, head, batch), 'to', options, stored);
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
  const end = await settled(to.head(runId), 'to', options, added);
  const measure = await reading('to', options, () => measureStored(to, runId));
  if (end?.hash === head.hash && end.count === head.count) {
    if (measure.sha256 === source.sha256) return true;
    if (!isSame && readHead(await judgedThere(runId, options), runId, 'to', true).hash === head.hash)
      return false;
  }
  throw new Refused({ code: 'copy_differs' }, null, added);
}

function judgedThere(runId: string, options: CopyOptions): Promise<JudgedLedger> {
  const { to, machines } = options;
  return reading('to', options, () =>
    judgeStored(to, runId, { machines, at: null, onRecord: looking(options) }),
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
function readHead({ document }: JudgedLedger, runId: string, side: Side, isStored: boolean = false): Head {
  const { code, record } = document.checks.integrity;
  const { head } = document;
  if (head === null)
    throw new Refused(invalid(side, { why: 'integrity', code: code ?? '', record: record ?? 0 }, isStored));
  if (head.run_id !== runId)
    throw new Refused(invalid(side, { why: 'other_run', run_id: head.run_id }, isStored));
  return { run_id: runId, count: head.count, hash: head.hash };
}

function readRederivation({ document }: JudgedLedger): Rederivation {
  const { verdict, code, record } = document.checks.rederivation;
  return { verdict, code, record };
}

/** A store's refusal of this run is this run's problem; that the store itself is gone is everybody's. */
async function settled<A>(
  answer: Promise<Result<StoreError, A>>,
  side: Side,
  options: CopyOptions,
  added: number = 0,
): Promise<A> {
  const result = await answer;
  if (result._tag === 'Right') return result.right;
  const fault = { code: 'store', side, error: result.left } as const;
  throw (await isOfThisRun(result.left, options[side])) ? new Refused(fault, null, added) : new Ended(fault);
}

/**
 * Where the store lists its runs, or takes a write, what keeps it from doing so with this one concerns no
 * other.
 */
async function isOfThisRun(error: StoreError, store: TriedStore): Promise<boolean> {
  if (error.code !== 'unavailable') return OWN.has(error.code);
  return (error.operation === 'append' ? await store.tryWriting() : await store.list())._tag === 'Right';
}

const OWN: ReadonlySet<StoreError['code']> = new Set(['torn', 'run_id', 'locked', 'stale_head', 'not_found']);

async function reading<A>(side: Side, options: CopyOptions, read: () => Promise<A>): Promise<A> {
  try {
    return await read();
  } catch (error) {
    throw await refusedReading(error, side, options);
  }
}

async function* readingEach<A>(side: Side, options: CopyOptions, items: AsyncIterable<A>): AsyncGenerator<A> {
  try {
    yield* items;
  } catch (error) {
    throw await refusedReading(error, side, options);
  }
}

async function refusedReading(raised: unknown, side: Side, options: CopyOptions): Promise<unknown> {
  if (!(raised instanceof StoreReadError)) return raised;
  const { error } = raised;
  // What is listed and cannot be found, as a link to nowhere, does not hold.
  if (error.code === 'not_found') return new Refused(invalid(side, { why: 'missing' }));
  // What is stored and is another's is one that does not hold, wherever the store itself saw it.
  if (error.code === 'run_id') return new Refused(invalid(side, { why: 'run_id', error }));
  const fault = { code: 'store', side, error } as const;
  return (await isOfThisRun(error, options[side])) ? new Refused(fault) : new Ended(fault);
}
