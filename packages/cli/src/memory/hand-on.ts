/**
 * Between a controller's run and a memory: what its solver told is handed on, and what it asks is read.
 *
 * A controller emits messages and waits for nobody (002 §R7, "fire and forget"). Each is handed on as a write
 * that cites the record it stands in, so handing on twice, after a crash or later from the ledger, remembers
 * nothing twice.
 *
 * @module
 */
import { isObject, type EvidenceRecord, type Genesis, type Head, type Json } from '@assay/kernel';
import { citedKey, recallOf, type MegramDraft, type RecallQuery } from '@assay/controller/memory';
import { sequenceOf, type Port, type Store } from '@assay/host';
import { nowAfter } from './moment.js';
import { readFrom, readMemory, tell } from './stored-memory.js';

/** What one decision of a controller told its memory. `head`: up to that decision. */
export type MemoryWrite = {
  readonly head: Head;
  readonly task: string;
  readonly megrams: readonly MegramDraft[];
};

/** What a controller's run told its memory, in order. Only for records that are known to hold. */
export function writesIn(runId: string, records: Iterable<EvidenceRecord>): readonly MemoryWrite[] {
  const found: MemoryWrite[] = [];
  for (const { kind, payload, record_hash, ts } of records) {
    if (kind !== 'decision' || payload === undefined || !isObject(payload)) continue;
    const { events } = payload as unknown as {
      readonly events: readonly { readonly t?: string; readonly kind?: string; readonly body?: unknown }[];
    };
    const told = events
      .filter((event) => event.t === 'message' && event.kind === 'Megram')
      .map(({ body }) => body as { readonly task: string; readonly megrams: readonly MegramDraft[] });
    const [first] = told;
    // One decision evaluates one round and tells of it at most once; the head names it.
    if (first !== undefined)
      found.push({
        head: { run_id: runId, count: (sequenceOf(ts) ?? 0) + 1, hash: record_hash },
        task: first.task,
        megrams: told.flatMap(({ megrams }) => megrams),
      });
  }
  return found;
}

/**
 * The run that a fork was fed from; null for a fresh run and for a continuation, which goes on living what
 * its base began and tells only that. What a fork repeats is known under its parent's heads already, and what
 * it adds may never have happened: its genesis alone does not say which is which.
 */
export function forkedFrom([genesis]: readonly EvidenceRecord[]): string | null {
  const base = (genesis?.payload as Genesis | undefined)?.base ?? null;
  return base === null || base.snapshot !== null ? null : base.run_id;
}

/** What became of writes: how many were taken now, how many were known, and the codes of rejections. */
export type HandedOn = {
  readonly taken: number;
  readonly known: number;
  readonly rejected: readonly string[];
};

/**
 * Hands writes on to a stored memory. `when`: they are remembered, by the memory's clock; now if left out,
 * never before what is recorded. Raises `Stop` as `tell`, and those of `when`.
 */
export async function handOn(
  store: Store,
  runId: string,
  place: string,
  writes: readonly MemoryWrite[],
  when: (clock_us: number) => number = nowAfter,
): Promise<HandedOn> {
  const { run } = await readFrom(store, runId, place);
  const fresh = writes.filter(({ head }) => !run.state.cited.has(citedKey('write', head)));
  const rejected: string[] = [];
  let taken = 0;
  for (const { head, megrams, task } of fresh) {
    const told = await tell(store, runId, place, ({ state }) => {
      const value: Json = {
        from: 'R7',
        task: task.slice(0, 256),
        megrams: megrams.map((draft) => ({ ...draft })),
        at_us: when(state.clock_us),
      };
      return { kind: 'write', source: 'run', proposer: 'controller', value, cites: [head] };
    });
    if (told.rejection === null) taken += 1;
    // Somebody else handed on the same meanwhile: then it is known, as if it had been so from the start.
    else if (told.rejection.code !== 'already_written') rejected.push(told.rejection.code);
  }
  return { taken, known: writes.length - taken - rejected.length, rejected };
}

/**
 * A port for a controller's `recall` requests: a pure reading of a memory, which cites its head. `at_us`: the
 * moment asked about, now if left out.
 */
export function recallPort(where: string, runId: string, at_us: number | null = null): Port {
  return {
    source: 'run',
    proposer: 'memory',
    perform: async ({ body }) => {
      const { head, run } = await readMemory(where, runId);
      const value = recallOf(
        run.state,
        body as unknown as RecallQuery,
        at_us ?? nowAfter(run.state.clock_us),
      );
      return { value: value as unknown as Json, cites: [{ ...head }] };
    },
  };
}
