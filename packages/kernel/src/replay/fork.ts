/**
 * A fork: a new run fed with the proposals another ledger recorded. Source: ledger format, "Base".
 *
 * @module
 */
import { encodeJson } from '../canonical/encode.js';
import { field, isObject, type Json } from '../json.js';
import { compareRequestIds } from '../ledger/names.js';
import type { Base, DecisionPayload, Genesis, Proposal, RejectionPayload, Request } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { advance } from '../machine/advance.js';
import { openRun } from '../machine/open-run.js';
import { withoutHash } from '../machine/proposal.js';
import type { GenesisInput, KernelOptions, Run } from '../machine/run.js';
import type { Machine, Rejection } from '../machine/types.js';
import { ok, type Result } from '../result.js';

/** A fork fed so far. `leftOver`: indices of the parent's proposal records that were not fed. */
export type Fork<S, I, E extends Json, A extends Json> = { readonly run: Run<S, I, E, A>; readonly records: readonly EvidenceRecord[]; readonly leftOver: readonly number[] };

/**
 * Opens a run based on a parent's head and feeds it the parent's proposals within `base.count`, in order,
 * each unchanged but for its request id: it goes to the open request of the same kind and body as the one
 * it answered in the parent, lowest id first. Left over: those without one, those the parent rejected
 * `not_open`, erased ones, and all after the fork's close. `parent` must be a ledger that replays; records
 * past the base are not read. Errors: those of `openRun`.
 */
export function forkRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: GenesisInput & { readonly base: Base & { readonly snapshot: null } },
  parent: readonly EvidenceRecord[],
  options?: KernelOptions,
): Result<Rejection, Fork<S, I, E, A>> {
  const opening = openRun(machine, given, options);
  if (opening._tag === 'Left') return opening;
  let run = opening.right.run;
  const records = [...opening.right.records];
  const leftOver: number[] = [];
  const asked = new Map<string, string>();
  const first = rememberCarried(parent[0], asked);
  const end = Math.min(parent.length, given.base.count - first);
  for (let index = 0; index < end; index += 1) {
    const record = parent[index];
    if (record === undefined) break;
    if (record.kind === 'decision') rememberRequests(record, asked);
    if (record.kind !== 'proposal') continue;
    const target = isRejectedNotOpen(parent[index + 1]) ? undefined : targetOf(record, asked, run);
    const step = target === undefined || record.payload === undefined ? null : advance(run, { ...(withoutHash(record.payload) as Proposal), request_id: target });
    if (step === null || step._tag === 'Left') {
      leftOver.push(index);
      continue;
    }
    run = step.right.run;
    records.push(...step.right.records);
  }
  return ok({ run, records, leftOver });
}

function targetOf<S, I, E extends Json, A extends Json>(record: EvidenceRecord, asked: ReadonlyMap<string, string>, run: Run<S, I, E, A>): string | undefined {
  if (run.outcome !== null || !isObject(record.payload)) return undefined;
  const id = field(record.payload, 'request_id');
  const answered = typeof id === 'string' ? asked.get(id) : undefined;
  if (answered === undefined) return undefined;
  let lowest: string | undefined;
  for (const [open, row] of run.open) {
    if (questionOf(row.request) === answered && (lowest === undefined || compareRequestIds(open, lowest) < 0)) lowest = open;
  }
  return lowest;
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
  for (const request of (record.payload as DecisionPayload | undefined)?.requests ?? []) asked.set(request.id, questionOf(request));
}

function isRejectedNotOpen(record: EvidenceRecord | undefined): boolean {
  return record?.kind === 'rejection' && (record.payload as RejectionPayload | undefined)?.code === 'not_open';
}
