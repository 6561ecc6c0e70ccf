/**
 * A fork: a new run fed with the proposals another ledger recorded. Source: ledger format, "Base".
 *
 * @module
 */
import { encodeJson } from '../canonical/encode.js';
import { hashText, type Digest, type Sha256 } from '../hash/sha256.js';
import type { Json } from '../json.js';
import type {
  Base,
  DecisionPayload,
  Genesis,
  Proposal,
  RejectionPayload,
  Request,
  Status,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { advance } from '../machine/advance.js';
import { openRun } from '../machine/open-run.js';
import { withoutHash } from '../machine/proposal.js';
import { openRequests, type GenesisInput, type KernelOptions, type Run } from '../machine/run.js';
import type { Machine, Refused, Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';

/** A fork fed so far. `leftOver`: indices of the parent's proposal records that were not fed. */
type Fork<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
  readonly leftOver: readonly number[];
};

/**
 * Opens a run based on a parent's head and feeds it the parent's proposals within `base.count`, in order.
 * Each goes to the open request of the same kind and body as the one it answered, lowest id first. Left
 * over: those without one, those rejected `not_open`, erased ones, and all after the fork's close. `parent`
 * must be a ledger that replays. Errors: `base_mismatch` if the parent is not the base's run, has another
 * record there, or ends no group there (artifacts and a close that a last decision owes are unknown here);
 * those of `openRun`; `inadmissible` and `proposal_shape` {path, record} for an answer that the fork cannot
 * record: its request has been charged more, or its id is longer.
 */
export function forkRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: ForkInput,
  parent: readonly EvidenceRecord[],
  options?: KernelOptions,
): Result<Rejection, Fork<S, I, E, A>> {
  if (!isBase(given.base, parent))
    return err({ code: 'base_mismatch', detail: { run_id: given.base.run_id, count: given.base.count } });
  return refed(machine, given, parent, given.base.count - readFirst(parent[0]), options);
}

/**
 * Opens a run as {@link forkRun} does, whatever it is based on, and feeds it the answers among the first
 * `count` records of another one. Errors: those of `openRun`, `inadmissible`, `proposal_shape`.
 */
function refed<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: GenesisInput,
  parent: readonly EvidenceRecord[],
  count: number,
  options?: KernelOptions,
): Result<Rejection, Fork<S, I, E, A>> {
  const opening = openRun(machine, given, options);
  if (opening._tag === 'Left') return opening;
  let run = opening.right.run;
  const records = [...opening.right.records];
  const leftOver: number[] = [];
  const [asked, waiting] = [new Questions(run.sha256), new Questions(run.sha256)];
  for (const record of records) waiting.take(record);
  for (const [index, record] of parent.slice(0, count).entries()) {
    asked.take(record);
    if (record.kind !== 'proposal') continue;
    const proposal = record.payload as unknown as Proposal | undefined;
    const question =
      proposal === undefined || isRejectedNotOpen(parent[index + 1])
        ? undefined
        : asked.of(proposal.request_id);
    const target = question === undefined || run.outcome !== null ? undefined : waiting.lowest(question);
    if (proposal === undefined || target === undefined) {
      leftOver.push(index);
      continue;
    }
    const step = advance(run, { ...(withoutHash(proposal) as Proposal), request_id: target });
    if (step._tag === 'Left')
      return err({ code: step.left.code, detail: { path: step.left.path, record: index } });
    run = step.right.run;
    for (const made of step.right.records) {
      records.push(made);
      waiting.take(made);
    }
  }
  return ok({ run, records, leftOver });
}

/** What a fork is opened from: a genesis whose base is a head, without a snapshot. */
type ForkInput = GenesisInput & { readonly base: Base & { readonly snapshot: null } };

/**
 * A fork of which only its records are known. `records`: those that the last step added. `tell`: one more
 * answer, as `advance` takes it.
 */
export type OpenFork = {
  readonly records: readonly EvidenceRecord[];
  readonly leftOver: readonly number[];
  readonly outcome: Status | null;
  readonly open: readonly Request[];
  readonly tell: (answer: unknown) => Result<Refused, OpenFork>;
};

/** A machine of which only its forks are known: {@link forkRun} behind one type for every machine. */
type Forkable = (given: ForkInput, parent: readonly EvidenceRecord[]) => Result<Rejection, OpenFork>;

/** Makes a machine forkable. */
export function forkable<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  options?: KernelOptions,
): Forkable {
  return (given, parent) => {
    const forked = forkRun(machine, given, parent, options);
    return forked._tag === 'Left' ? forked : ok(openFork(forked.right));
  };
}

/** A machine of which only its runs made anew are known: a run of its own, fed the answers of another one. */
export type Reopenable = (
  given: GenesisInput,
  parent: readonly EvidenceRecord[],
  count: number,
) => Result<Rejection, OpenFork>;

/** Makes a machine reopenable: what it derives has the base it is given, and need not name the parent. */
export function reopenable<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  options?: KernelOptions,
): Reopenable {
  return (given, parent, count) => {
    const again = refed(machine, given, parent, count, options);
    return again._tag === 'Left' ? again : ok(openFork(again.right));
  };
}

function openFork<S, I, E extends Json, A extends Json>({
  run,
  records,
  leftOver,
}: Fork<S, I, E, A>): OpenFork {
  return {
    records,
    leftOver,
    outcome: run.outcome,
    get open(): readonly Request[] {
      return openRequests(run);
    },
    tell: (answer) => {
      const step = advance(run, answer);
      return step._tag === 'Left' ? step : ok(openFork({ ...step.right, leftOver }));
    },
  };
}

/** Ids that ask one question, from the lowest up; those before `next` are closed. */
type Line = { readonly ids: string[]; next: number };

/**
 * The open requests of a ledger by what they ask, derivable without its machine: two of equal kind and
 * C(body) are the same question. Holds a digest for each; amortised O(1) a record.
 */
export class Questions {
  private readonly open: Map<string, Digest> = new Map();
  private readonly lines: Map<Digest, Line> = new Map();
  private readonly sha256: Sha256;
  private answering = '';
  private listed = 0;

  /** None are open. */
  constructor(sha256: Sha256) {
    this.sha256 = sha256;
  }

  /** Takes the next record, whose integrity must hold. What an erased one opens or withdraws is not known. */
  take({ kind, payload }: EvidenceRecord): void {
    if (kind === 'proposal') this.answering = (payload as Proposal | undefined)?.request_id ?? '';
    if (kind === 'decision') this.open.delete(this.answering);
    if (payload === undefined) return;
    if (kind === 'genesis')
      for (const { request } of Object.values((payload as unknown as Genesis).base?.snapshot?.open ?? {}))
        this.ask(request);
    if (kind !== 'decision') return;
    const { withdrawn, requests } = payload as unknown as DecisionPayload;
    for (const id of withdrawn) this.open.delete(id);
    for (const request of requests) this.ask(request);
  }

  /** What the open request with this id asks; undefined if none is open. */
  of(id: string): Digest | undefined {
    return this.open.get(id);
  }

  /**
   * The lowest id of an open request that asks this; carried requests, which a fork has none of, count in the
   * order of their text.
   */
  lowest(question: Digest): string | undefined {
    const line = this.lines.get(question);
    if (line === undefined) return undefined;
    while (line.next < line.ids.length && !this.open.has(line.ids[line.next] ?? '')) line.next += 1;
    return line.ids[line.next];
  }

  private ask(request: Request): void {
    const question = hashText(encodeJson([request.kind, request.body]), this.sha256);
    this.open.set(request.id, question);
    this.list(request.id, question);
    if (this.listed <= 2 * this.open.size + SPARE) return;
    this.lines.clear();
    this.listed = 0;
    for (const [id, asked] of this.open) this.list(id, asked);
  }

  private list(id: string, question: Digest): void {
    const line = this.lines.get(question);
    if (line === undefined) this.lines.set(question, { ids: [id], next: 0 });
    else line.ids.push(id);
    this.listed += 1;
  }
}

/** Closed ids that may stay listed whatever the number of open ones. */
const SPARE = 64;

/** True if the parent's own records say what the base says of them, and a group ends there. */
function isBase(base: Base, parent: readonly EvidenceRecord[]): boolean {
  const genesis = parent[0]?.payload as Genesis | undefined;
  const first = readFirst(parent[0]);
  const last = parent[base.count - 1 - first];
  const next = parent[base.count - first];
  const isInside =
    last?.kind === 'genesis' || last?.kind === 'proposal' || (next !== undefined && next.kind !== 'proposal');
  return genesis?.run_id === base.run_id && last?.record_hash === base.hash && !isInside;
}

function readFirst(genesisRecord: EvidenceRecord | undefined): number {
  const base = (genesisRecord?.payload as Genesis | undefined)?.base;
  return base?.snapshot ? base.count : 0;
}

function isRejectedNotOpen(record: EvidenceRecord | undefined): boolean {
  return (
    record?.kind === 'rejection' && (record.payload as RejectionPayload | undefined)?.code === 'not_open'
  );
}
