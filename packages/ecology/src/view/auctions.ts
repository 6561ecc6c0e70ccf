/** Auctions as they were: bids in order, price, scores, what was minted, and who got which income. */
import type { EcologyEvent } from '../world/events.js';
import { AWAITED, type Resolving } from '../world/state.js';
import type { Movement } from './movements.js';

/** An auction. `record`: of its resolution; `settled`: of its settlement, null before. */
export type Auction = Pick<Resolving, 'bids' | 'price' | 'winners' | 'missed'> & {
  readonly number: number;
  readonly record: number;
  readonly at_us: number;
  readonly settled: number | null;
  /** Shares of the income: who, how much. */
  readonly income: readonly (readonly [id: string, amount: number])[];
  readonly carry: number;
};

const KEPT_MAX = 2_000;

/** The auctions with a decision more; those of which nobody bid are left out. */
export function listAuctions(
  before: readonly Auction[],
  events: readonly EcologyEvent[],
  moved: readonly Movement[],
  { record, at_us }: { readonly record: number; readonly at_us: number },
): readonly Auction[] {
  let auctions = before;
  for (const event of events) {
    if (event.t === 'resolved' && event.v.bids.length > 0) {
      const { bids, price, winners, missed } = event.v;
      const made = {
        bids,
        price,
        winners,
        missed,
        number: event.n,
        record,
        at_us,
        settled: null,
        income: [],
        carry: 0,
      };
      auctions = [...auctions, made].slice(-KEPT_MAX);
    }
    if (event.t !== 'scored' && event.t !== 'settled') continue;
    auctions = auctions.map((one): Auction => {
      if (one.number !== event.n) return one;
      if (event.t === 'scored')
        return {
          ...one,
          winners: one.winners.map((each) =>
            each.artifact_id === event.i ? { ...each, score: event.y } : each,
          ),
        };
      const why = `basic income of auction ${event.n}`;
      const shares = moved.filter((each) => each.why === why && !each.to.includes(':'));
      return {
        ...one,
        settled: record,
        income: shares.map(({ to, amount }) => [to, amount]),
        carry: event.c,
      };
    });
  }
  return auctions;
}

/** A score in words. */
export function nameScore(score: number | null): string {
  if (score === null) return 'void, refunded';
  return score === AWAITED ? 'awaited' : String(score);
}
