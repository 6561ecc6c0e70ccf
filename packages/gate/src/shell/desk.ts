/**
 * What a gate records: calls, what people say of them, what tools gave; and what of it is durable, call by call.
 * Source: gate/G8, gate/G12.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import { cutText, hashCanonical, type Digest, type Json, type Result } from '@assay/kernel';
import {
  idempotencyKey,
  nativeSha256,
  type CallNotes,
  type SequenceError,
  type Sequenced,
  type Sequencer,
} from '@assay/host';
import { eventsIn } from '@assay/host/shared-run';
import type { GateAnswer, GateAsk, GateEvent } from '../machine/events.js';
import type { GateState } from '../machine/state.js';
import { KEEP_BYTES, shortenTexts } from '../machine/tokens.js';
import {
  CLOSED,
  makeCall,
  waitFor,
  wakeAll,
  type Brought,
  type Call,
  type CallEnd,
  type Calls,
  type NotedIn,
} from './calls.js';
import { explainRefusal, GateError, GateRefused } from './errors.js';
import { describeError, nameProposer, recordResult } from './recorded.js';
import type { Performed } from './perform.js';
import type { Approval, GateCall } from './types.js';

/** What a desk works with. */
export type DeskParts = {
  readonly sequencer: Sequencer<GateState, GateAnswer, GateEvent, GateAsk>;
  readonly calls: Calls;
  /** Bytes of a result that are recorded whole. */
  readonly keep: number;
  readonly now: () => number;
  /** Notes of begun calls. */
  readonly notes: Readonly<Record<NotedIn, CallNotes | null>>;
};

type Taken = Sequenced<GateState, GateAnswer, GateEvent, GateAsk>;

const NOTE_MAX = 1_024;
/** Why the kernel takes no answer. */
const UNTAKEN = {
  closed: 'the run is closed',
  inadmissible: 'its input is no JSON that can be recorded',
} as const;

/** The name of a gate's request: `call`, `close`, `approve 7`, `perform 7`. */
export function nameRequest({ kind, body }: { readonly kind: string; readonly body: GateAsk }): string {
  return 'n' in body ? `${kind} ${String(body.n)}` : kind;
}

/** The digest of an input, null where it is no JSON of the kernel. */
export function hashInput(input: unknown): Digest | null {
  try {
    const hashed = hashCanonical(input, nativeSha256);
    return hashed._tag === 'Left' ? null : hashed.right;
  } catch {
    // What throws when it is looked at is no plain value.
    return null;
  }
}

/** Records for a gate. What it gives is durable; once an append failed, everything rejects with `store`. */
export class Desk {
  readonly calls: Calls;
  readonly sequencer: DeskParts['sequencer'];
  private readonly parts: DeskParts;

  constructor(parts: DeskParts) {
    this.parts = parts;
    this.calls = parts.calls;
    this.sequencer = parts.sequencer;
  }

  /** Has a call decided that is new. */
  async bring(call: GateCall, brought: Brought): Promise<Call | GateRefused> {
    const { keep, now } = this.parts;
    const { source = 'live_model', proposer = 'model', provenance = {}, input } = call;
    const noted = this.noted;
    const { principal, tool, digest } = brought;
    const value = {
      ...{ principal, tool, digest, call_id: brought.id ?? randomBytes(9).toString('base64url') },
      input: shortenTexts(input as Json, Math.max(keep, KEEP_BYTES), nativeSha256),
    };
    const told = await this.sequencer.submit(
      'call',
      { source, proposer },
      { at_us: now(), value, provenance: noted === null ? provenance : { ...provenance, noted } },
    );
    const taken = this.take(told);
    if (typeof taken === 'string') return new GateRefused(taken, `${tool} is refused: ${UNTAKEN[taken]}.`);
    const { step, before } = taken;
    const { rejection } = step;
    if (rejection !== null)
      return new GateRefused(rejection.code, `${tool} is refused: this is no call (${rejection.code}).`);
    const [event] = eventsIn(step.records) as readonly GateEvent[];
    if (event?.t === 'denied')
      return explainRefusal(before.state, { principal, tool, input: value.input }, event);
    if (event?.t !== 'allowed' && event?.t !== 'asked' && event?.t !== 'watched')
      throw new GateError('ledger', { expected: 'a decided call', got: event?.t ?? null });
    const { n, rules } = event;
    const phase = event.t === 'asked' ? 'waiting' : 'allowed';
    const made = makeCall(brought, { n, rules, phase, input: { value: input }, noted });
    this.calls.add(made);
    return made;
  }

  /**
   * Answers for a person. `place`: where it was found, null from a caller. False where the call does not wait for one
   * (any more).
   */
  async approve(n: number, said: Approval, place: NotedIn | null): Promise<boolean> {
    const { approved, by = '', note = '' } = typeof said === 'object' ? said : { approved: said };
    const isApproved = approved === true;
    const noted = this.noted ?? place;
    const told = await this.sequencer.submit(
      `approve ${n}`,
      { source: 'human', proposer: nameProposer('', by) },
      {
        at_us: this.parts.now(),
        value: { approved: isApproved, note: cutText(note.toWellFormed(), NOTE_MAX) },
        provenance: noted === null ? {} : { noted },
      },
    );
    const taken = this.take(told);
    const call = this.calls.open.get(n);
    if (call === undefined) return false;
    if (typeof taken === 'string') {
      // Nobody is asked any more; or somebody else's answer is on its way.
      if (this.isWithdrawn(call)) this.end(call, CLOSED);
      else if (call.phase === 'waiting') await waitFor(call);
      return false;
    }
    Object.assign(call, { noted, phase: 'allowed' });
    if (isApproved) wakeAll(call);
    else this.end(call, { ok: false, why: 'declined' });
    return true;
  }

  /** Records what came of a call. `isUnfetched`: nobody is told of it here. */
  async record(call: Call, outcome: Performed, isUnfetched: boolean = false): Promise<void> {
    const { ok = true, result, failure, spent = {}, provenance = {}, raised } = outcome;
    const proposer = outcome.proposer ?? nameProposer('tool/', call.tool);
    const why = failure?.code ?? '';
    const value = failure === undefined ? recordResult(result, ok, this.parts.keep) : null;
    const { detail = null } = failure ?? {};
    const told = await this.sequencer.submit(
      `perform ${call.n}`,
      { source: 'tool', proposer },
      {
        ...{ at_us: this.parts.now(), spent, provenance },
        ...(value === null ? { failure: { code: why, final: true, detail } } : { value }),
      },
    );
    const taken = this.take(told);
    if (typeof taken === 'string') throw new GateError('not_open', { n: call.n, why: taken });
    const end = { ok: ok && value !== null, why };
    call.live = { ...end, result, ...(raised === undefined ? {} : { raised }) };
    this.end(call, value?.result === undefined ? end : { ...end, result: value.result }, isUnfetched);
    // Those who wait are told before the next turn; what a tool gave is not held longer.
    setImmediate(() => {
      call.live = null;
    });
  }

  /** Takes no more calls; what waits for a person is declined. */
  async close(by: string): Promise<void> {
    const speaker = { source: 'rule', proposer: nameProposer('', by) } as const;
    this.take(await this.sequencer.submit('close', speaker, { at_us: this.parts.now(), value: {} }));
    for (const call of this.calls.open.values())
      if (call.phase === 'waiting' && this.isWithdrawn(call)) this.end(call, CLOSED);
  }

  /** Durably notes that a call is about to begin, where that is asked for. One that cannot be noted is not begun. */
  async noteBegin(call: Call): Promise<void> {
    const notes = call.noted === null ? null : this.parts.notes[call.noted];
    if (notes === null) return;
    try {
      await notes.begin(this.sequencer.head.run_id, this.makeKey(call.n), { calls: 1 });
    } catch (error) {
      await this.record(call, { failure: { code: 'cancelled', detail: { code: 'journal' } } });
      throw new GateError('journal', describeError(error));
    }
  }

  /** Settles what an earlier process left open: lost, unless it may be made again or it never began. */
  async settleLost(isRepeatable: (tool: string) => boolean): Promise<void> {
    const isLost = async (call: Call): Promise<boolean> =>
      call.phase === 'allowed' && !isRepeatable(call.tool) && (await this.mayHaveBegun(call));
    const open = [...this.calls.open.values()];
    const lost = await Promise.all(open.map(isLost));
    await Promise.all(
      open
        .filter((_, at) => lost[at])
        .map((call) => this.record(call, { failure: { code: 'lost' }, proposer: 'gate/resume' })),
    );
  }

  /** The idempotency key of an open call. */
  makeKey(n: number): string {
    return idempotencyKey(this.sequencer.run, this.sequencer.find(`perform ${n}`)?.id ?? '');
  }

  /** Whether a call may have been begun, as far as notes are kept of it. */
  async mayHaveBegun({ n, noted }: Call): Promise<boolean> {
    const notes = noted === null ? null : this.parts.notes[noted];
    if (notes === null) return true;
    return (await notes.begin(this.sequencer.head.run_id, this.makeKey(n), null)).length > 0;
  }

  private get noted(): NotedIn | null {
    return this.parts.notes.journal === null ? null : 'journal';
  }

  /** True of a call that waited when the run was closed. */
  private isWithdrawn({ n }: Call): boolean {
    return this.sequencer.run.state.closing && this.sequencer.find(`perform ${n}`) === null;
  }

  private end(call: Call, end: CallEnd, isUnfetched: boolean = false): void {
    this.calls.finish(call, end, isUnfetched);
    wakeAll(call);
  }

  private take(told: Result<SequenceError, Taken>): Taken | keyof typeof UNTAKEN {
    if (told._tag === 'Right') return told.right;
    switch (told.left.code) {
      case 'store':
        throw new GateError('store', told.left.error);
      case 'not_asked':
        return 'closed';
      case 'refused':
        return told.left.refused.code === 'run_closed' ? 'closed' : 'inadmissible';
    }
  }
}
