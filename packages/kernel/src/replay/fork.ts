/**
 * A fork: a new run fed with the proposals another ledger recorded. Source: ledger format, "Base".
 *
 * @module
 */
import { encodeJson } from '../canonical/encode.js';
import { field, isObject, type Json } from '../json.js';
import type {
  Base,
  DecisionPayload,
  Genesis,
  Proposal,
  RejectionPayload,
  Request,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { advance } from '../machine/advance.js';
import { openRun } from '../machine/open-run.js';
import { withoutHash } from '../machine/proposal.js';
import type { GenesisInput, KernelOptions, Run } from '../machine/run.js';
import type { Machine, Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';

/** A fork fed so far. `leftOver`: indices of the parent's proposal records that were not fed. */
export type Fork<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
  readonly leftOver: readonly number[];
};

/**
 * Opens a run based on a parent's head and feeds it the parent's proposals within `base.count`, in order,
 * each unchanged but for its request id: it goes to the open request of the same kind and body as the one it
 * answered in the parent, lowest id first. Left over: those without one, those the parent rejected
 * `not_open`, erased ones, and all after the fork's close. `parent` must be a ledger that replays; records
 * past the base are not read. Errors: `base_mismatch` where the parent is not the base's run, has another
 * record there, or ends no group there (what a last decision still owes is not known here: artifacts and
 * close); those of `openRun`.
 */
export function forkRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: GenesisInput & { readonly base: Base & { readonly snapshot: null } },
  parent: readonly EvidenceRecord[],
  options?: KernelOptions,
): Result<Rejection, Fork<S, I, E, A>> {
  if (!isBase(given.base, parent))
    return err({ code: 'base_mismatch', detail: { run_id: given.base.run_id, count: given.base.count } });
  const opening = openRun(machine, given, options);
  if (opening._tag === 'Left') return opening;
  let run = opening.right.run;
  const records = [...opening.right.records];
  const leftOver: number[] = [];
  const asked = new Map<string, string>();
  const waiting = new Waiting();
  waiting.add(opening.right.records);
  const end = given.base.count - rememberCarried(parent[0], asked);
  for (let index = 0; index < end; index += 1) {
    const record = parent[index];
    if (record === undefined) break;
    if (record.kind === 'decision') rememberRequests(record, asked);
    if (record.kind !== 'proposal') continue;
    const question = isRejectedNotOpen(parent[index + 1]) ? undefined : questionAnswered(record, asked);
    const target =
      question === undefined || run.outcome !== null
        ? undefined
        : waiting.lowest(question, (id) => run.open.has(id));
    const step =
      target === undefined || record.payload === undefined
        ? null
        : advance(run, { ...(withoutHash(record.payload) as Proposal), request_id: target });
    if (step === null || step._tag === 'Left') {
      leftOver.push(index);
      continue;
    }
    run = step.right.run;
    records.push(...step.right.records);
    waiting.add(step.right.records);
  }
  return ok({ run, records, leftOver });
}

/** The fork's open requests by what they ask, each list from the lowest id up. */
class Waiting {
  private readonly ids: Map<string, string[]> = new Map();

  /** Notes the requests that some records open. */
  add(records: readonly EvidenceRecord[]): void {
    for (const record of records) {
      if (record.kind !== 'decision') continue;
      for (const request of (record.payload as DecisionPayload | undefined)?.requests ?? []) {
        const question = questionOf(request);
        const list = this.ids.get(question);
        if (list === undefined) this.ids.set(question, [request.id]);
        else list.push(request.id);
      }
    }
  }

  /** The lowest id that asks this and is still open. Amortised O(1): what is closed is dropped. */
  lowest(question: string, isOpen: (id: string) => boolean): string | undefined {
    const list = this.ids.get(question) ?? [];
    const first = list.findIndex(isOpen);
    list.splice(0, first === -1 ? list.length : first);
    return list[0];
  }
}

/** True where the parent's own records say what the base says of them, and a group ends there. */
function isBase(base: Base, parent: readonly EvidenceRecord[]): boolean {
  const genesis = parent[0]?.payload as Genesis | undefined;
  const first = genesis?.base?.snapshot ? genesis.base.count : 0;
  const last = parent[base.count - 1 - first];
  const next = parent[base.count - first];
  const isInside =
    last?.kind === 'genesis' || last?.kind === 'proposal' || (next !== undefined && next.kind !== 'proposal');
  return genesis?.run_id === base.run_id && last?.record_hash === base.hash && !isInside;
}

function questionAnswered(record: EvidenceRecord, asked: ReadonlyMap<string, string>): string | undefined {
  const id = isObject(record.payload) ? field(record.payload, 'request_id') : undefined;
  return typeof id === 'string' ? asked.get(id) : undefined;
}

/** Two requests ask the same when kind and C(body) are equal. */
function questionOf(request: Request): string {
  return encodeJson([request.kind, request.body]);
}

function rememberCarried(genesisRecord: EvidenceRecord | undefined, asked: Map<string, string>): number {
  const base = (genesisRecord?.payload as Genesis | undefined)?.base ?? null;
  if (base === null || base.snapshot === null) return 0;
  for (const [id, row] of Object.entries(base.snapshot.open)) asked.set(id, questionOf(row.request));
  return base.count;
}

function rememberRequests(record: EvidenceRecord, asked: Map<string, string>): void {
  for (const request of (record.payload as DecisionPayload | undefined)?.requests ?? [])
    asked.set(request.id, questionOf(request));
}

function isRejectedNotOpen(record: EvidenceRecord | undefined): boolean {
  return (
    record?.kind === 'rejection' && (record.payload as RejectionPayload | undefined)?.code === 'not_open'
  );
}
