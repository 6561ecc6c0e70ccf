/** What is durable in a simulated world, and what it says of open requests. */
import {
  encodeLine,
  field,
  isArray,
  isObject,
  utf8Bytes,
  type EvidenceRecord,
  type Head,
  type Json,
  type Request,
} from '@assay/kernel';
import { StoreReadError, type Store } from '../store.js';
import type { Life } from './world.js';

/**
 * A stored run: its lines, where it ends, every request by id, attempts used of each open one, and who holds
 * it.
 */
export type StoredRun = {
  readonly lines: Uint8Array[];
  readonly records: EvidenceRecord[];
  head: Head;
  readonly asked: Map<string, Request>;
  readonly open: Map<string, number>;
  holder: Life | null;
};

/** Durable runs by id. They outlive every process. */
export class SimulatedDisk {
  readonly runs: Map<string, StoredRun> = new Map();
  /** Groups that were stored by a second copy, after their sender was told otherwise, or was dead. */
  landed: number = 0;

  /**
   * Makes the first `kept` records of a group durable after `expected`; `next` is the head after the whole of
   * it.
   */
  write(runId: string, expected: Head | null, records: readonly EvidenceRecord[], kept: number): void {
    const first = records.slice(0, kept);
    const last = first.at(-1);
    if (last === undefined) return;
    const head: Head = {
      run_id: runId,
      count: (expected?.count ?? sequenceBefore(records)) + first.length,
      hash: last.record_hash,
    };
    const run = this.runs.get(runId) ?? {
      lines: [],
      records: [],
      head,
      asked: new Map<string, Request>(),
      open: new Map<string, number>(),
      holder: null,
    };
    for (const record of first) {
      run.lines.push(utf8Bytes(encodeLine(record)));
      settle(run, record);
      run.records.push(record);
    }
    run.head = head;
    this.runs.set(runId, run);
  }

  /** Reads what is stored, as it is and at once. */
  reader(): Pick<Store, 'read'> {
    const { runs } = this;
    return {
      read: async function* (runId, from = 0) {
        const run = runs.get(runId);
        if (run === undefined) throw new StoreReadError({ code: 'not_found', run_id: runId });
        yield* run.lines.slice(Math.max(0, from - (run.head.count - run.lines.length)));
      },
    };
  }

  /** The stored text of a run, every line ended. */
  text(runId: string): string {
    return (this.runs.get(runId)?.lines ?? []).map((line) => `${new TextDecoder().decode(line)}\n`).join('');
  }
}

/** Keeps the table of open requests: what was asked, how many attempts the ledger says were used. */
function settle({ asked, open, records }: StoredRun, { kind, payload }: EvidenceRecord): void {
  if (!isObject(payload)) return;
  const answered = records.at(-1)?.payload;
  const answeredId = isObject(answered) ? field(answered, 'request_id') : undefined;
  const code = field(payload, 'code');
  if (
    kind === 'rejection' &&
    typeof answeredId === 'string' &&
    typeof code === 'string' &&
    !UNCOUNTED.has(code)
  )
    open.set(answeredId, (open.get(answeredId) ?? 0) + 1);
  if (kind !== 'decision') return;
  if (typeof answeredId === 'string') open.delete(answeredId);
  for (const id of list(field(payload, 'withdrawn'))) if (typeof id === 'string') open.delete(id);
  for (const request of list(field(payload, 'requests'))) {
    const { id } = request as unknown as Request;
    asked.set(id, request as unknown as Request);
    open.set(id, 0);
  }
}

/** Rejections that use no attempt. */
const UNCOUNTED: ReadonlySet<string> = new Set(['not_open', 'source_not_accepted']);

function list(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

function sequenceBefore(records: readonly EvidenceRecord[]): number {
  return Number(records[0]?.ts.slice(-12) ?? 0);
}
