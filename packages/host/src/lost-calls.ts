/**
 * Calls that were begun and never recorded: found by their notes, and charged with the next record of their
 * request, as far as the kernel takes it.
 */
import { advance, type Json, type JsonObject, type Run, type Spent } from '@assay/kernel';
import { type Charges, addSpent } from './budget.js';
import type { CallNotes } from './call-notes.js';
import { objectIn, ownValue } from './proposal.js';
import { idempotencyKey } from './store.js';
import { CallNotesError, isSpent } from './note.js';
import { systemTimer, type Timer, within } from './timer.js';

/**
 * Milliseconds that notes are waited for, at least and at most, whatever the deadline of their call or run.
 */
const PATIENCE_MS = { least: 1_000, most: 10_000 } as const;

/** Whose time and signal a wait for notes goes by. */
type Wait = { readonly timer: Timer; readonly signal: AbortSignal };

/** The notes of one run's calls. */
export class LostCalls {
  private readonly notes: CallNotes;
  private readonly runId: string;
  private readonly wait: Wait;

  constructor(notes: CallNotes, runId: string, wait: Wait) {
    this.notes = notes;
    this.runId = runId;
    this.wait = wait;
  }

  /**
   * Asks, before the store is asked for the run, what is noted under its name; what it gives is called where
   * the store has no such run. Both reject with a {@link CallNotesError} where no answer came in time.
   */
  async anew(): Promise<() => Promise<void>> {
    const { anew } = this.notes;
    if (anew === undefined) return () => Promise.resolve();
    const forget = await this.inTime(PATIENCE_MS.most, () => anew.call(this.notes, this.runId));
    return () => this.inTime(PATIENCE_MS.most, forget);
  }

  /** Bounds of the calls noted under a key whose attempt is not recorded yet. Nothing is noted. */
  before(key: string, until: number): Promise<readonly Spent[]> {
    return this.begin(key, null, until);
  }

  /**
   * Notes durably that a call is about to be made; the bounds of those before it. `until`: the time, by the
   * timer, of the deadline after which nobody waits for the call. Rejects with a {@link CallNotesError} where
   * no answer came by then, with the signal's reason once that is aborted, and with a RangeError for notes
   * that are no amounts.
   */
  async begin(key: string, bound: Spent | null, until: number): Promise<readonly Spent[]> {
    const ms = Math.min(PATIENCE_MS.most, Math.max(PATIENCE_MS.least, until - this.wait.timer.now()));
    const begun = this.notes.begin(this.runId, key, bound);
    const lost: unknown = Array.isArray(begun) ? begun : await this.inTime(ms, () => Promise.resolve(begun));
    // An amount that is none would be charged as nothing, and no limit would hold.
    if (!Array.isArray(lost) || !lost.every(isSpent))
      throw new RangeError(
        'budget.notes.begin: expected a list of the bounds that were noted before, in whole amounts by unit',
      );
    return lost;
  }

  /** Takes back, durably, the note of a call that cost nothing. Rejects with a {@link CallNotesError}. */
  takeBack(key: string): Promise<void> {
    return this.inTime(PATIENCE_MS.most, () => this.notes.takeBack?.(this.runId, key) ?? Promise.resolve());
  }

  private inTime<A>(ms: number, ask: () => Promise<A>): Promise<A> {
    const { timer, signal } = this.wait;
    return within(ms, signal, timer, ask).catch((error: unknown) => {
      throw error instanceof DOMException && error.name === 'TimeoutError'
        ? new CallNotesError({ code: 'notes', reason: 'unavailable', path: '', errno: 'ETIMEDOUT' })
        : error;
    });
  }
}

/**
 * A proposal for an open request, charged for the calls of that request that were begun and never recorded:
 * for who records an answer without {@link drive}, such as a person at a form. The amounts are added to
 * `spent`, and its provenance says how much of it they are (`lost_calls`, `lost_charged`); where the kernel
 * takes the proposal and not with that cost, `spent` is left, and the provenance says so (`lost_uncharged`).
 * Give it to `advance` before anything else is recorded of the request. Without notes, or where none was
 * lost, the proposal as it is. Rejects where the notes cannot be read, or give no answer for ten seconds.
 */
export async function withLostCalls<S, I, E extends Json, A extends Json>(
  notes: CallNotes | undefined,
  run: Run<S, I, E, A>,
  proposal: JsonObject,
): Promise<JsonObject> {
  const requestId = ownValue(proposal, 'request_id');
  if (notes === undefined || typeof requestId !== 'string') return proposal;
  const lost = await new LostCalls(notes, run.genesis.run_id, {
    timer: systemTimer(),
    signal: new AbortController().signal,
  }).before(idempotencyKey(run, requestId), Infinity);
  const charges = { lost: addSpent(lost), calls: lost.length, untold: {} };
  if (lost.length === 0) return proposal;
  const takes = (given: unknown): boolean => advance(run, given)._tag === 'Right';
  return (chargedProposals(run, requestId, proposal, charges).find(({ proposal: given }) => takes(given))
    ?.proposal ?? proposal) as JsonObject;
}

/** A proposal as it may be recorded. `isShort`: without a charge it ought to have. */
export type Charged = { readonly proposal: unknown; readonly isShort: boolean };

/**
 * A proposal in the ways it may be recorded, in the order to be tried: with its charges, then as it is told
 * but for a provenance that says what is not charged, then as it is. The kernel can refuse a proposal for its
 * charges alone: its size, or an amount. A sum for the whole request that no exact integer holds is held at
 * the greatest one.
 */
export function chargedProposals<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  requestId: string,
  proposal: unknown,
  charges: Charges,
): readonly Charged[] {
  const { lost, calls, untold } = charges;
  const [whole, spent, provenance] = [
    objectIn(proposal),
    objectIn(ownValue(proposal, 'spent')),
    objectIn(ownValue(proposal, 'provenance')),
  ];
  const asItIs = { proposal, isShort: !isUncharged(charges) };
  if (isUncharged(charges) || whole === null || spent === null || provenance === null) return [asItIs];
  const saying = (word: string): JsonObject => ({
    ...provenance,
    ...(isEmpty(lost) ? {} : { lost_calls: calls, [`lost_${word}`]: lost }),
    ...(isEmpty(untold) ? {} : { [`untold_${word}`]: untold }),
  });
  const before = run.open.get(requestId)?.spent ?? {};
  return [
    {
      proposal: {
        ...whole,
        spent: added(spent, addSpent([lost, untold]), before),
        provenance: saying('charged'),
      },
      isShort: false,
    },
    { proposal: { ...whole, provenance: saying('uncharged') }, isShort: true },
    asItIs,
  ];
}

/** Whether there is nothing to charge. */
function isUncharged({ lost, untold }: Charges): boolean {
  return isEmpty(lost) && isEmpty(untold);
}

function isEmpty(spent: Spent): boolean {
  return Object.keys(spent).length === 0;
}

/** More of each unit, as far as the sum with what the request cost `before` is an exact integer. */
function added(all: JsonObject, more: Spent, before: Spent): JsonObject {
  const sum: Record<string, Json> = { ...all };
  for (const [unit, amount] of Object.entries(more)) {
    const told = Object.hasOwn(sum, unit) ? (sum[unit] ?? 0) : 0;
    // What is no amount stays, for the kernel to refuse.
    if (typeof told !== 'number') continue;
    const left = Number.MAX_SAFE_INTEGER - told - (Object.hasOwn(before, unit) ? (before[unit] ?? 0) : 0);
    sum[unit] = told + Math.min(amount, Math.max(0, left));
  }
  return sum;
}
