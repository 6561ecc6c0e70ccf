/** Bids: one for each principal, its amount held at once. Source: specs/ecology.md B9; 004 L2819–2954. */
import { permit, find, makeRefusal } from '../contracts/permit.js';
import { computeSpare } from '../world/holding.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { HOLDERS } from '../world/state.js';
import type { Draft } from '../world/draft.js';
import {
  AMOUNT,
  faultOfHolder,
  method,
  readNumber,
  ID,
  readText,
  type Call,
  type Method,
} from './service.js';

/** Live bids at most: a resolution of so many fits a record, beside what else its time brings. */
const BIDS_MAX = 10_000;

/** The mint. Amounts of others stay sealed. */
export const MINT: ReadonlyMap<string, Method> = new Map([
  method('bid', 'Bids for a score of an artifact you may write.', { artifact_id: ID, amount: AMOUNT }, bid),
  method('withdraw_bid', 'Takes your bid back.', {}, withdraw),
  method('status', 'When the next auction is, and your bid.', {}, status),
]);

function bid({ physics, frame, args }: Call): Outcome {
  const { draft } = physics;
  const { config } = draft;
  const principal = frame.requester;
  const [id, amount] = [readText(args, 'artifact_id'), readNumber(args, 'amount')];
  const artifact = find(draft, id);
  if (!('id' in artifact)) return artifact;
  const refusal = makeRefusal(permit(physics, frame, artifact, { action: 'write' }));
  if (refusal !== null) return refusal;
  const nobody = faultOfHolder(physics, principal);
  if (nobody !== null) return nobody;
  if (amount < config.mint.min_bid) return refused('INVALID_ARGS', 'the bid is below the least one');
  if (draft.state.scored.has(`${id} ${artifact.content_hash}`))
    return refused('ALREADY_SCORED', 'this content was scored');
  const other = draft.state.bidders.get(id);
  if (other !== undefined && other !== principal)
    return refused('CONFLICT', 'somebody else bids on the artifact');
  const crowded = makeRoom(draft, principal, amount);
  if (crowded !== null) return crowded;
  refund(draft, principal);
  if (computeSpare(draft, principal, 'scrip') < amount)
    return refused('INSUFFICIENT_FUNDS', 'there is too little scrip');
  draft.emit({ t: 'mv', f: principal, o: HOLDERS.bids, x: amount });
  const { content_hash } = artifact;
  draft.emit({ t: 'bid', v: { principal, amount, seq: draft.state.serial, artifact_id: id, content_hash } });
  return done({ bid: amount });
}

/** A bid more than fit a resolution takes the place of the lowest one: it could not have won, nor set a price. */
function makeRoom(draft: Draft, principal: string, amount: number): Outcome | null {
  const { bids } = draft.state;
  if (bids.size < BIDS_MAX || bids.has(principal)) return null;
  const lowest = draft.lowestOf(bids);
  if (amount <= lowest.amount) return refused('LIMIT_EXCEEDED', 'too many bid as much', { limit: BIDS_MAX });
  refund(draft, lowest.principal);
  return null;
}

function withdraw({ physics: { draft }, frame }: Call): Outcome {
  return refund(draft, frame.requester) ? done(null) : refused('NOT_FOUND', 'there is no bid of yours');
}

function status({ physics: { draft }, frame }: Call): Outcome {
  const { next_mint_us, resolutions, bids } = draft.state;
  const own = bids.get(frame.requester);
  return done({
    next_mint_us,
    resolutions,
    bid: own === undefined ? null : { artifact_id: own.artifact_id, amount: own.amount },
  });
}

/** Gives a live bid back whole; false where there is none. */
export function refund(draft: Draft, principal: string): boolean {
  const live = draft.state.bids.get(principal);
  if (live === undefined) return false;
  draft.emit({ t: 'unbid', a: principal });
  draft.emit({ t: 'mv', f: HOLDERS.bids, o: principal, x: live.amount });
  return true;
}

/** Ends the live bid on an artifact that is deleted or changes hands: its score would mint for who had it. */
export function voidBid(draft: Draft, artifact: string): void {
  const bidder = draft.state.bidders.get(artifact);
  if (bidder !== undefined) refund(draft, bidder);
}
