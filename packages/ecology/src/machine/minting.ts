/**
 * Resolutions: at a boundary the auction is resolved and winners' scores are asked for; when the last one is in,
 * what valid winners paid becomes basic income. Source: specs/ecology.md B9, 0.10.
 */
import { bidIndependentIncome, computePayment, equalIncome, resolveAuction } from '../mechanisms/auction.js';
import { boundaryAfter } from '../mechanisms/window.js';
import { refund } from '../services/mint.js';
import { askFor } from '../protocol/requests.js';
import { HALF, measureSize, type Draft } from '../world/draft.js';
import { AWAITED, HOLDERS, findLive, getAccount, type EcologyState, type Resolving } from '../world/state.js';

/** Resolves the auction where a boundary has passed; several at once are one, and the others are missed. */
export function resolveDue(draft: Draft): void {
  const { state, config } = draft;
  const { mint } = config;
  if (state.now_us < state.next_mint_us) return;
  const awaited = awaitedIn(state);
  for (const [principal, { artifact_id }] of state.bids.sorted()) {
    const hash = findLive(state, artifact_id)?.content_hash;
    const work = `${artifact_id} ${hash}`;
    if (hash === undefined || state.scored.has(work) || awaited.has(work)) refund(draft, principal);
  }
  const bids = draft.state.bids.sorted().map(([, bid]) => bid);
  const { winners, price } = resolveAuction(bids, mint.slots, mint.reserve_price);
  const won = new Set(winners.map(({ principal }) => principal));
  let paid = 0;
  for (const bid of bids) {
    const { principal, amount } = bid;
    const payment = computePayment(mint.auction, bid, { isWinner: won.has(principal), price });
    const back = amount - payment;
    paid += payment;
    if (back > 0) draft.emit({ t: 'mv', f: HOLDERS.bids, o: principal, x: back });
  }
  if (paid > 0) draft.emit({ t: 'mv', f: HOLDERS.bids, o: HOLDERS.mint, x: paid });
  const next = boundaryAfter(state.now_us, mint);
  const n = state.resolutions;
  const resolving: Resolving = {
    bids: bids.map(({ principal, amount, seq }) => ({ principal, amount, seq })),
    price,
    winners: winners.map(({ principal }) => {
      const artifact_id = draft.state.bids.get(principal)?.artifact_id ?? '';
      const content_hash = findLive(state, artifact_id)?.content_hash ?? '';
      return { principal, artifact_id, content_hash, score: AWAITED };
    }),
    members: state.thought.sorted().map(([id]) => id),
    missed: Math.floor((next - state.next_mint_us) / mint.interval_us) - 1,
  };
  const starving = isStarving(state) ? { s: true as const } : {};
  draft.emit({ t: 'resolved', n, v: resolving, next, ...starving }, measureSize(resolving));
  payEmergency(draft);
  for (const { artifact_id, content_hash } of resolving.winners)
    draft.ask(
      `score ${n} ${artifact_id}`,
      askFor('score', { resolution: n, artifact_id, content_hash }, mint.score_attempts),
    );
  settleWhereDone(draft, n);
}

/** Works that won an earlier auction and have no score yet: one score is asked for each. */
function awaitedIn({ resolving }: EcologyState): ReadonlySet<string> {
  const winners = resolving.sorted().flatMap(([, one]) => one.winners);
  const waiting = winners.filter(({ score }) => score === AWAITED);
  return new Set(waiting.map(({ artifact_id, content_hash }) => `${artifact_id} ${content_hash}`));
}

/** Takes a score down, null for a void one: its winner is refunded and may bid again. */
export function heardScore(
  draft: Draft,
  n: number,
  artifact: string,
  score: number | null,
  request: string,
): void {
  draft.close(`score ${n} ${artifact}`, request);
  draft.emit({ t: 'scored', n, i: artifact, y: score });
  settleWhereDone(draft, n);
}

/** Settles a resolution whose scores are all in: mints, refunds void payments, pays the income out. */
function settleWhereDone(draft: Draft, n: number): void {
  const resolving = draft.state.resolving.get(String(n));
  if (resolving === undefined || resolving.winners.some(({ score }) => score === AWAITED)) return;
  const { bids, price, winners, members } = resolving;
  const { mint } = draft.config;
  const won = new Set(winners.map(({ principal }) => principal));
  const paid = new Map(
    bids.map((bid) => {
      const isWinner = won.has(bid.principal);
      return [bid.principal, computePayment(mint.auction, bid, { isWinner, price })] as const;
    }),
  );
  let pot = [...paid.values()].reduce((sum, payment) => sum + payment, 0);
  for (const { principal, score } of winners) {
    const payment = paid.get(principal) ?? 0;
    if (score === null && payment > 0) draft.emit({ t: 'mv', f: HOLDERS.mint, o: principal, x: payment });
    if (score === null) {
      pot -= payment;
      continue;
    }
    mintTo(draft, 'mint', principal, Number((BigInt(score) * 1000n) / BigInt(mint.mint_ratio)));
  }
  const valid = winners.filter(({ score }) => score !== null).length;
  const split = mint.ubi.split === 'equal' ? equalIncome : bidIndependentIncome;
  const settlement = { bids, slots: mint.slots, reserve: mint.reserve_price, valid, members, pot };
  const { shares, carry } = split(settlement);
  for (const [at, member] of members.entries()) {
    const share = shares[at] ?? 0;
    if (share > 0) draft.emit({ t: 'mv', f: HOLDERS.mint, o: member, x: share });
  }
  if (carry > 0) draft.emit({ t: 'mv', f: HOLDERS.mint, o: HOLDERS.carry, x: carry });
  payFloor(draft, members);
  const u = shares.reduce((sum, share) => sum + share, 0);
  draft.emit({ t: 'settled', n, u, c: carry });
}

/** The floor is minted and shared equally; what is left goes to the carry. */
function payFloor(draft: Draft, members: readonly string[]): void {
  const { floor } = draft.config.mint.ubi;
  const share = members.length === 0 ? 0 : Math.floor(floor / members.length);
  if (share > 0) for (const member of members) mintTo(draft, 'floor', member, share);
  mintTo(draft, 'floor', HOLDERS.carry, floor - share * members.length);
}

/** True where nearly all who ever acted are frozen: who was made and never funded does not count. */
function isStarving({ accounts, config }: EcologyState): boolean {
  const { enabled, frozen_ppm } = config.mint.ubi.emergency;
  if (!enabled) return false;
  const lives = [...accounts].filter(([, { life, last_action_us }]) => life !== null && last_action_us > 0); // any order
  const frozen = lives.filter(([, { life }]) => life?.frozen !== '').length;
  return frozen > 0 && frozen * 1_000_000 >= frozen_ppm * lives.length;
}

/** Where agents starved for so many resolutions, an income is minted and shared by all who ever acted. */
function payEmergency(draft: Draft): void {
  const { resolutions, amount } = draft.config.mint.ubi.emergency;
  if (draft.state.starved < resolutions) return;
  const all = draft.state.accounts.sorted().map(([id]) => id);
  const lives = all.filter((id) => {
    const { life, last_action_us } = getAccount(draft.state, id);
    return life !== null && last_action_us > 0;
  });
  const share = Math.floor(amount / lives.length);
  const before = draft.state.supply;
  if (share > 0) for (const id of lives) if (draft.hasRoom(HALF)) mintTo(draft, 'emergency', id, share);
  mintTo(draft, 'emergency', HOLDERS.carry, amount - (draft.state.supply - before));
}

/** New scrip; supply stays below 2^53. */
export function mintTo(draft: Draft, minter: string, to: string, amount: number): void {
  const most = Math.min(amount, Number.MAX_SAFE_INTEGER - draft.state.supply);
  if (most > 0) draft.emit({ t: 'minted', m: minter, o: to, x: most });
}
