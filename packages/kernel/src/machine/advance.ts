/**
 * One answer, one step. Taking a recorded proposal as it stands. Where integrity was established already,
 * its hashes, shape and tokens need not be established again; what is left is to measure it as it was
 * measured when it was given. Source: machine interface; "Order of checks"; 001 §1; ledger format; "Limits
 * shrink inwards".
 */
import type { Admitted } from '../canonical/admit.js';
import { composeToken } from '../canonical/compose.js';
import { isObject, type Json, isArray } from '../json.js';
import { RECORDS_MAX } from '../ledger/head.js';
import type { Failure, OpenRequest, Proposal, RecordedProposal } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { err, InvariantError, ok, type Result } from '../result.js';
import { admitRejection, makeContext } from './derived.js';
import { Chain, deriveGroup, type Group } from './group.js';
import { Meter } from './meter.js';
import { misshapen, readProposal, rejectionPayload, seen } from './proposal.js';
import { addSpent, charged, isLastAttempt, overspentUnit } from './request-table.js';
import type { Run, Step } from './run.js';
import type { Decision, Refused } from './types.js';
import { OUTSIDE_LIMITS } from '../canonical/limits.js';
import { utf8Length } from '../text.js';

/**
 * Gives a run one proposal: it is recorded and then decided on, or rejected on the record.
 *
 * Errors (nothing recorded, no attempt used), in this order: `run_closed` (its ledger being full included),
 * `inadmissible`, `proposal_shape`. A recorded rejection is a Right with `rejection` set; its codes, in this
 * order: `not_open`, `source_not_accepted`, the failure's, `parse`'s, `decide`'s. On a request's last
 * attempt, or with a final failure, nothing is rejected: `decide` gets the failure.
 *
 * O(1) in the ledger, amortised. A fault of the machine is thrown and leaves the given run as it was.
 * Source: 001 §1, §2.4; machine interface.
 */
export function advance<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  given: unknown,
): Result<Refused, Step<S, I, E, A>> {
  if (isOver(run)) return err({ code: 'run_closed', path: '', reason: null });
  const read = readProposal(given, run.sha256);
  if (read._tag === 'Left') return read;
  const { proposal } = read.right;
  const row = run.open.get(proposal.request_id);
  const unit = overspentUnit(row, proposal.spent);
  if (unit !== null) return err(misshapen(`/spent/${unit}`));
  const chain = new Chain(run);
  chain.add('proposal', read.right.payload);
  if (!chain.fits) throw new InvariantError('advance', 'an admitted proposal must fit a record line');
  return ok(new Judgement(run, proposal, chain).judge(row));
}

/**
 * As {@link advance} with the proposal of a record whose integrity holds and which follows the run's last
 * record: it is frozen in place and recorded as it stands. Null if it has to be read like any other,
 * because the run is closed or the proposal could not have been recorded.
 */
export function advanceRecorded<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  record: EvidenceRecord,
  payloadBytes: number,
): Step<S, I, E, A> | null {
  const proposal = isOver(run) ? null : takeProposal(record, payloadBytes);
  if (proposal === null) return null;
  const row = run.open.get(proposal.request_id);
  if (overspentUnit(row, proposal.spent) !== null) return null;
  const chain = new Chain(run);
  chain.adopt(record, payloadBytes);
  return new Judgement(run, proposal, chain).judge(row);
}

/**
 * True if nothing can be recorded any more: after the close, and where a ledger has no room for a proposal
 * and the smallest refusal of it.
 */
function isOver({ outcome, count }: Pick<Run<unknown, unknown>, 'outcome' | 'count'>): boolean {
  return outcome !== null || count > RECORDS_MAX - REFUSAL_RECORDS;
}

/** A proposal, a decision and a close. */
const REFUSAL_RECORDS = 3;

type Verdict<S, I, E extends Json, A extends Json> =
  | {
      readonly tag: 'rejected';
      readonly code: string;
      readonly detail: Admitted;
      readonly row: OpenRequest | null;
    }
  | { readonly tag: 'decided'; readonly group: Group<S, I, E, A> };

const NOTHING: Admitted = composeToken(null);

/** One proposal under judgement. */
class Judgement<S, I, E extends Json, A extends Json> {
  private readonly run: Run<S, I, E, A>;
  private readonly proposal: Proposal;
  private readonly chain: Chain;
  /** Of every decision on this one answer. */
  private readonly meter = new Meter();

  /** `chain`: begun with the proposal's record. */
  constructor(run: Run<S, I, E, A>, proposal: Proposal, chain: Chain) {
    this.run = run;
    this.proposal = proposal;
    this.chain = chain;
  }

  judge(row: OpenRequest | undefined): Step<S, I, E, A> {
    const verdict = this.verdict(row);
    if (verdict.tag === 'rejected') return this.reject(verdict.code, verdict.detail, verdict.row);
    const { run, records } = verdict.group;
    return { run, records: Object.freeze([...this.chain.records, ...records]), rejection: null };
  }

  private verdict(row: OpenRequest | undefined): Verdict<S, I, E, A> {
    const { proposal } = this;
    if (row === undefined) return { tag: 'rejected', code: 'not_open', detail: NOTHING, row: null };
    if (proposal.failure === null && !row.request.accepts.includes(proposal.source)) {
      return {
        tag: 'rejected',
        code: 'source_not_accepted',
        detail: NOTHING,
        row: charged(row, proposal.spent, false),
      };
    }
    if (proposal.failure !== null) {
      return proposal.failure.final || isLastAttempt(row)
        ? this.decideOn(row, proposal.failure)
        : this.attempted(row, proposal.failure.code, NOTHING);
    }
    const request = row.request as Parameters<typeof this.run.machine.parse>[1];
    const parsed = this.run.machine.parse(proposal.value, request);
    if (parsed._tag === 'Left') return this.turnDown(row, admitRejection(parsed.left, 'parse'));
    const decided = this.decide(row, parsed);
    if (decided._tag === 'Left') return this.turnDown(row, admitRejection(decided.left, 'decide'));
    return { tag: 'decided', group: this.derive(row, decided.right) };
  }

  private attempted(row: OpenRequest, code: string, detail: Admitted): Verdict<S, I, E, A> {
    return { tag: 'rejected', code, detail, row: charged(row, this.proposal.spent, true) };
  }

  /** A machine's own rejection: on the last attempt the machine must decide on it instead. */
  private turnDown(
    row: OpenRequest,
    { code, detail }: { readonly code: string; readonly detail: Admitted },
  ): Verdict<S, I, E, A> {
    return isLastAttempt(row)
      ? this.decideOn(row, exhausted({ code, detail: detail.value }))
      : this.attempted(row, code, detail);
  }

  private decideOn(row: OpenRequest, failure: Failure): Verdict<S, I, E, A> {
    return { tag: 'decided', group: this.derive(row, this.mustDecide(row, failure)) };
  }

  private mustDecide(row: OpenRequest, failure: Failure): Decision<E, A> {
    const decided = this.decide(row, err(failure));
    if (decided._tag === 'Left')
      throw new InvariantError('decide', `a failure may not be rejected, got ${decided.left.code}`);
    return decided.right;
  }

  private decide(row: OpenRequest, input: Result<Failure, I>): ReturnType<typeof this.run.machine.decide> {
    const { run, proposal, chain } = this;
    const context = makeContext(run.genesis.run_id, chain.count, chain.hash, run.sha256, this.meter);
    const request = row.request as Parameters<typeof run.machine.parse>[1];
    const answer = Object.freeze({
      request,
      proposal: seen(proposal),
      input,
      spent: addSpent(row.spent, proposal.spent),
    });
    return run.machine.decide(run.state, answer, context);
  }

  /**
   * The group of a decision; where it would exceed a limit, of the machine's decision on that; else an empty
   * refusal.
   */
  private derive(row: OpenRequest, decision: Decision<E, A>): Group<S, I, E, A> {
    const { run, chain, proposal } = this;
    const pace = { ...run.pace, payloadBytes: run.pace.payloadBytes + chain.payloadBytes };
    const { machine, genesis, genesisRecord, state, artifacts, graph, outcome, sha256 } = run;
    const open = run.open.delete(proposal.request_id);
    const start = {
      machine,
      genesis,
      genesisRecord,
      state,
      open,
      artifacts,
      graph,
      count: chain.count,
      hash: chain.hash,
      outcome,
      pace,
      sha256,
      isFirst: false,
    };
    const group = deriveGroup(start, decision);
    if (group._tag === 'Right') return group.right;
    const second = deriveGroup(start, this.mustDecide(row, exhausted({ code: 'limit_bytes' })));
    if (second._tag === 'Right') return second.right;
    const last = deriveGroup(start, { events: [], outcome: { status: 'refused', reasons: ['limit_bytes'] } });
    if (last._tag === 'Left') throw new InvariantError('advance', 'the empty refusal must fit a record line');
    return last.right;
  }

  private reject(code: string, detail: Admitted, row: OpenRequest | null): Step<S, I, E, A> {
    const { run, chain, proposal } = this;
    chain.add('rejection', rejectionPayload(code, detail));
    if (!chain.fits) {
      chain.fits = true;
      chain.add('rejection', rejectionPayload(code, NOTHING));
    }
    const recorded = chain.records.at(-1)?.payload;
    const kept = isObject(recorded) ? (recorded['detail'] ?? null) : null;
    const pace = { ...run.pace, payloadBytes: run.pace.payloadBytes + chain.payloadBytes, isAnchored: false };
    const open = row === null ? run.open : run.open.set(proposal.request_id, row);
    const next = { ...run, open, count: chain.count, hash: chain.hash, pace };
    return { run: next, records: Object.freeze(chain.records), rejection: { code, detail: kept } };
  }
}

function exhausted(detail: Json): Failure {
  return Object.freeze({ code: 'exhausted', final: true, detail });
}

/** `"proposal_hash":"…",` as the record adds it to what was given. */
const HASH_BYTES = '"proposal_hash":"",'.length + 64;
/** No key of so few UTF-16 units is too long. */
const SHORT_KEY = OUTSIDE_LIMITS.keyBytes / 3;

/**
 * The proposal of a record whose integrity holds, frozen in place; null if it exceeds what may be given,
 * so that reading it like any other says how. `payloadBytes`: size of the payload's canonical text.
 */
export function takeProposal(record: EvidenceRecord, payloadBytes: number): Proposal | null {
  if (record.payload === undefined || payloadBytes - HASH_BYTES > OUTSIDE_LIMITS.bytes) return null;
  const { proposal_hash: _, ...given } = record.payload as unknown as RecordedProposal;
  return new Measure().take(given, 0) ? given : null;
}

/** One measurement under way: counts values, and freezes what it has seen. */
class Measure {
  private values = 0;

  take(value: Json, depth: number): boolean {
    this.values += 1;
    if (this.values > OUTSIDE_LIMITS.values) return false;
    if (typeof value !== 'object' || value === null) return true;
    if (depth >= OUTSIDE_LIMITS.depth) return false;
    if (isArray(value)) {
      for (const item of value) if (!this.take(item, depth + 1)) return false;
    } else {
      for (const key of Object.keys(value)) {
        if (key.length > SHORT_KEY && utf8Length(key) > OUTSIDE_LIMITS.keyBytes) return false;
        if (!this.take(value[key] ?? null, depth + 1)) return false;
      }
    }
    Object.freeze(value);
    return true;
  }
}
