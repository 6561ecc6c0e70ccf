/**
 * A memory as it is stored: read back whole and derived again, from a store or from a ledger file, and told
 * something.
 *
 * @module
 */
import {
  advance,
  ok,
  openRequests,
  openRun,
  LineSplitter,
  type Head,
  type Json,
  type Result,
  type Run,
  type Source,
} from '@assay/kernel';
import {
  defaultMemoryPolicy,
  memory,
  type InvitationKind,
  type MemoryAnswer,
  type MemoryBody,
  type MemoryEvent,
  type MemoryPolicy,
  type MemoryState,
} from '@assay/controller/memory';
import {
  loadRun,
  maskedAddress,
  nativeSha256,
  type LoadError,
  type Store,
  type StoreError,
} from '@assay/host';
import { chunksOf, nameOf } from '../../files/read.js';
import { listing } from '../../problems/restore-remedy.js';
import { openStore, storeProblem } from '../../files/store.js';
import { EXIT } from '../../problems/exit.js';
import { show } from '../../terminal/shown.js';
import { misuse, stopOf, unsound, type Stop } from '../../problems/problem.js';
import { patiently } from '../../options/patience.js';

/** The run of a memory. */
export type MemoryRun = Run<MemoryState, MemoryAnswer, MemoryEvent, MemoryBody>;

/** A memory read back: the run, where its ledger ends, and how to call it in messages. */
export type ReadMemory = { readonly run: MemoryRun; readonly head: Head; readonly place: string };

/** The name of a memory's run where none is given. */
export const MEMORY_RUN = 'memory';

/**
 * What came of one answer: the events of its decision, or why it was rejected. `head`: where the ledger ends
 * now.
 */
export type Told = {
  readonly run: MemoryRun;
  readonly head: Head;
  readonly events: readonly MemoryEvent[];
  readonly rejection: { readonly code: string; readonly detail: Json } | null;
};

/** What a memory is told. `kind`: of an invitation, or `distil`. `request`: which of several. */
export type Telling = {
  readonly kind: InvitationKind | 'distil';
  readonly request?: string;
  readonly source: Source;
  readonly proposer: string;
  readonly value: Json;
  readonly cites?: readonly Head[];
};

const OPTIONS = { sha256: nativeSha256 };

/** True for the address of a store; anything else names a ledger file. */
export function isStoreUrl(where: string): boolean {
  return /^(?:file|sqlite|postgres|postgresql|redis):/.test(where);
}

/** Reads a memory from a store address or a ledger file. Nothing is changed. Raises {@link Stop}. */
export async function readMemory(where: string, runId: string): Promise<ReadMemory> {
  if (!isStoreUrl(where)) return readFrom({ read: () => linesOf(where) }, runId, nameOf(where));
  const store = await openStore(where, { mustExist: true, readsOnly: true });
  try {
    return await readFrom(store, runId, maskedAddress(where));
  } finally {
    await store.close();
  }
}

/**
 * Reads a memory from an open store. Raises {@link Stop}: `no_run`, `other_machine`, `store_line`,
 * `store_ledger`, and those of the store.
 */
export async function readFrom(
  store: Pick<Store, 'read'>,
  runId: string,
  place: string,
): Promise<ReadMemory> {
  const loaded = await loadRun(memory, runId, store, OPTIONS);
  if (loaded._tag === 'Left') throw loadProblem(loaded.left, runId, place);
  const { head, run } = loaded.right;
  return { run, head, place };
}

/**
 * Makes a memory where there is none yet. False where there is one: that is known without its lock. Raises
 * {@link Stop}.
 */
export async function createMemory(
  store: Store,
  runId: string,
  place: string,
  policy: MemoryPolicy = defaultMemoryPolicy,
): Promise<boolean> {
  const opened = openRun(memory, { run_id: runId, ts_base: runId, policy, input: {} }, OPTIONS);
  if (opened._tag === 'Left')
    throw misuse('run_id', 'this is no name for a run', runId, 'give another --run-id');
  const made = await patiently(async (): Promise<Result<StoreError, boolean>> => {
    const head = await store.head(runId);
    if (head._tag === 'Left') return head;
    if (head.right !== null) return ok(false);
    const appended = await store.append(runId, null, opened.right.records);
    return appended._tag === 'Left' ? appended : ok(true);
  });
  if (made._tag === 'Left') throw storeProblem(made.left, place);
  return made.right;
}

/**
 * Tells a stored memory something: reads it, lets it decide, appends the group. Where another process writes
 * it, or wrote meanwhile, it waits a little, reads again and decides anew. Raises {@link Stop}: `not_asked`
 * where no request of the kind is open, and those of {@link readFrom}. A rejection is recorded, and no
 * problem of this function. `telling` may look at the memory first.
 */
export async function tell(
  store: Store,
  runId: string,
  place: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Told> {
  const told = await patiently(() => tellOnce(store, runId, place, telling));
  if (told._tag === 'Left') throw storeProblem(told.left, place);
  return told.right;
}

async function tellOnce(
  store: Store,
  runId: string,
  place: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Result<StoreError, Told>> {
  const loaded = await loadRun(memory, runId, store, OPTIONS);
  if (loaded._tag === 'Left') throw loadProblem(loaded.left, runId, place);
  const { due, head, run } = loaded.right;
  const { cites = [], kind, proposer, request, source, value } = telling(run);
  const asked = openRequests(run).find(
    (open) => open.kind === kind && (request === undefined || open.id === request),
  );
  if (asked === undefined)
    throw misuse(
      'not_asked',
      run.outcome === null ? `this memory asks for no ${kind}` : 'this memory has ended',
      runId,
      'assay memory inspect says what it holds',
    );
  const step = advance(run, {
    request_id: asked.id,
    source,
    proposer,
    confidence: null,
    value,
    failure: null,
    at_us: null,
    spent: {},
    cites: cites.map((cited) => ({ ...cited })),
    provenance: {},
  });
  if (step._tag === 'Left')
    throw misuse(step.left.code, 'a memory cannot record this', step.left.path, 'see docs/formats/limits.md');
  const appended = await store.append(runId, head, [...due, ...step.right.records]);
  return appended._tag === 'Left'
    ? appended
    : ok({
        run: step.right.run,
        head: appended.right,
        events: eventsIn(step.right.records),
        rejection: step.right.rejection,
      });
}

function eventsIn(
  records: readonly { readonly kind: string; readonly payload?: Json }[],
): readonly MemoryEvent[] {
  const payload = records.find(({ kind }) => kind === 'decision')?.payload as
    | { readonly events: readonly MemoryEvent[] }
    | undefined;
  return payload?.events ?? [];
}

/** The lines of a ledger file. Judged by whoever reads them. */
async function* linesOf(path: string): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter();
  for await (const chunk of chunksOf(path)) for (const { bytes } of splitter.push(chunk)) yield bytes;
  for (const { bytes } of splitter.end()) yield bytes;
}

function loadProblem(error: LoadError, runId: string, place: string): Stop {
  switch (error.code) {
    case 'store':
      if (error.error.code === 'not_found')
        return misuse(
          'no_run',
          'there is no such memory here',
          runId,
          show`name its run with --run-id; ${listing(place)} lists those there are`,
        );
      return storeProblem(error.error, place);
    case 'line':
      return unsound(
        'store_line',
        `record ${error.record} of this memory is no record (${error.reason})`,
        place,
        'nothing was written to this memory; assay verify says more',
      );
    case 'ledger':
      if (error.failed.code === 'unknown_machine')
        return misuse(
          'other_machine',
          'this is the ledger of another machine, and no memory',
          place,
          'name the ledger of a memory, or its run with --run-id',
        );
      return stopOf({
        code: 'store_ledger',
        message: `this memory does not replay: ${error.failed.code} at record ${error.failed.record}`,
        place,
        remedy: 'nothing was written to this memory; assay verify says more',
        exit: EXIT.failed,
      });
  }
}
