/**
 * Calls that were begun and never recorded: found by their notes, and charged with the next record of their request.
 *
 * @module
 */
import type { Json, JsonObject, Run, Spent } from '@assay/kernel';
import { withCharge } from './attempt.js';
import { sumOf } from './budget.js';
import type { CallNotes } from './call-notes.js';
import { ownValue } from './foreign.js';
import { idempotencyKey } from './idempotency-key.js';

/** The notes of one run's calls. */
export class LostCalls {
  private readonly notes: CallNotes;
  private readonly runId: string;

  constructor(notes: CallNotes, runId: string) {
    this.notes = notes;
    this.runId = runId;
  }

  /** Bounds of the calls noted under a key whose attempt is not recorded yet. Nothing is noted. */
  before(key: string): Promise<readonly Spent[]> {
    return this.begin(key, null);
  }

  /** Notes durably that a call is about to be made; the bounds of those before it. Raises a RangeError for notes that are no amounts. */
  async begin(key: string, bound: Spent | null): Promise<readonly Spent[]> {
    const lost: unknown = await this.notes.begin(this.runId, key, bound);
    // An amount that is none would be charged as nothing, and no limit would hold.
    const isSpent = (each: unknown): boolean => typeof each === 'object' && each !== null && Object.values(each).every((amount) => Number.isSafeInteger(amount) && Number(amount) >= 0);
    if (!Array.isArray(lost) || !lost.every(isSpent)) throw new RangeError('budget.notes.begin: expected a list of the bounds that were noted before, in whole amounts by unit');
    return lost as readonly Spent[];
  }
}

/**
 * A proposal for an open request, charged for the calls of that request that were begun and never recorded: for who records an answer
 * without {@link drive}, such as a person at a form. The amounts are added to `spent`, and its provenance says how much of it they are
 * (`lost_calls`, `lost_charged`). Give it to `advance` before anything else is recorded of the request. Without notes, or where none was
 * lost, the proposal as it is. Rejects where the notes cannot be read.
 */
export async function withLostCalls<S, I, E extends Json, A extends Json>(notes: CallNotes | undefined, run: Run<S, I, E, A>, proposal: JsonObject): Promise<JsonObject> {
  const requestId = ownValue(proposal, 'request_id');
  if (notes === undefined || typeof requestId !== 'string') return proposal;
  const lost = await new LostCalls(notes, run.genesis.run_id).before(idempotencyKey(run, requestId));
  return withCharge(proposal, { lost: sumOf(lost), calls: lost.length, untold: {} }) as JsonObject;
}
