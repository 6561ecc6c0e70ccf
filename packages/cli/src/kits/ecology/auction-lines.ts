/** An auction and its settlement in words that a stranger follows: who bid, who won, who got which income and why. */
import type { EcologyEvent, EcologyState, Told } from '@assay/ecology';
import { byRank, resolveAuction, type Bid } from '@assay/ecology/mechanisms';
import { formatScrip, listMovements } from '@assay/ecology/view';
import { padded, show, type Shown } from '../../terminal/shown.js';

const NAME_WIDTH = 10;
const RULES = {
  uniform: 'all winners pay the highest bid that lost',
  first_price: 'each winner pays its own bid, which rewards bidding less',
  all_pay: 'everybody pays its own bid, which rewards bidding less',
} as const;

/** The lines of the auctions that a decision resolved and settled; none where there are none. */
export function auctionLines(before: EcologyState, events: readonly EcologyEvent[]): readonly Shown[] {
  return events.flatMap((event): readonly Shown[] => {
    if (event.t === 'resolved') return resolvedLines(before, event);
    if (event.t === 'scored') {
      const score =
        event.y === null ? 'void: its winner is refunded and nothing is made' : `score ${event.y} of 100`;
      return [named('score', show`auction ${event.n}: ${event.i} has ${score}`)];
    }
    return event.t === 'settled' ? settledLines(before, events, event.n) : [];
  });
}

/** What moved by a decision: amounts with what they are for, and ownership. */
export function moveLines(
  before: EcologyState,
  events: readonly EcologyEvent[],
  steps: readonly Told[],
): readonly Shown[] {
  const actions = steps.flatMap(({ what, about }) => (what === 'action' ? [about['action'] ?? null] : []));
  const goods = events.flatMap((event): readonly Shown[] => {
    const thing = event.t === 'own' ? before.things.get(event.i) : undefined;
    if (event.t !== 'own' || thing === undefined || thing.owner === event.o) return [];
    return [named('moves', show`${event.i} from ${thing.owner} to ${event.o}`)];
  });
  const amounts = listMovements(before, events, actions).map(({ from, to, resource, amount, why }) => {
    const sum = resource === 'scrip' ? `${formatScrip(amount)} scrip` : `${amount} ${resource}`;
    return named('moves', show`${sum} from ${from ?? 'the mint'} to ${to}: ${why}`);
  });
  return [...amounts, ...goods];
}

type Resolved = Extract<EcologyEvent, { readonly t: 'resolved' }>;

function resolvedLines({ config }: EcologyState, { n, v }: Resolved): readonly Shown[] {
  const { slots, auction, reserve_price } = config.mint;
  const won = new Map(v.winners.map((winner) => [winner.principal, winner.artifact_id]));
  const { price } = v;
  const cause = v.bids.length <= slots ? 'there are no more bids than slots' : RULES[auction];
  const missed = v.missed > 0 ? `; ${v.missed} earlier ones were missed` : '';
  const outcome = `price ${formatScrip(price)}: ${cause}${missed}`;
  return [
    named('auction', show`${n}: ${v.bids.length} bids for ${slots} slots, ${outcome}`),
    ...v.bids.toSorted(byRank).map(({ principal, amount }) => {
      const work = won.get(principal);
      const end =
        work !== undefined
          ? `wins with ${work}`
          : `loses${amount < reserve_price ? ', below the reserve' : ''}${auction === 'all_pay' ? '' : ', and has it back'}`;
      return named('bid', show`${principal} ${formatScrip(amount)} ${end}`);
    }),
    ...(v.winners.length === 0 ? [] : [named('then', show`a score is awaited of each winner's work`)]),
  ];
}

function settledLines(before: EcologyState, events: readonly EcologyEvent[], n: number): readonly Shown[] {
  const { config } = before;
  const known =
    before.resolving.get(String(n)) ??
    events.flatMap((one) => (one.t === 'resolved' && one.n === n ? [one.v] : []))[0];
  if (known === undefined) return [];
  const { slots, reserve_price: reserve, mint_ratio, ubi } = config.mint;
  const { bids, members } = known;
  const scores = new Map(
    events.flatMap((one) => (one.t === 'scored' && one.n === n ? [[one.i, one.y] as const] : [])),
  );
  const winners = known.winners.map((one) => ({ ...one, score: scores.get(one.artifact_id) ?? one.score }));
  const valid = winners.filter((one) => one.score !== null && scores.get(one.artifact_id) !== null);
  const minted = sumBy(events, (one) => (one.t === 'minted' && one.m === 'mint' ? [one.o, one.x] : null));
  const income = sumBy(events, (one) => (one.t === 'mv' && one.f === 'sys:mint' ? [one.o, one.x] : null));
  const settled = events.find((one) => one.t === 'settled' && one.n === n);
  const carry = settled?.t === 'settled' ? settled.c : 0;
  const counts = { valid: valid.length, members: members.length };
  const settlement = { bids, slots, reserve, ...counts, split: ubi.split };
  return [
    named('settled', show`auction ${n}: ${valid.length} of ${winners.length} winners have a score`),
    ...valid.map(({ principal, artifact_id, score }) => {
      const sum = formatScrip(minted.get(principal) ?? 0);
      return named(
        'made',
        show`${sum} for ${principal}: score ${score ?? 0} of ${artifact_id}, ${mint_ratio} points a scrip`,
      );
    }),
    ...members.map((member) => {
      const sum = formatScrip(income.get(member) ?? 0);
      return named('income', show`${sum} for ${member}: ${incomeWhy(member, settlement)}`);
    }),
    ...(members.length === 0
      ? [named('income', show`for nobody: nobody paid for a thought since the last auction`)]
      : []),
    named('kept', show`${formatScrip(carry)} for later: what winners paid beyond these shares`),
  ];
}

/** Why somebody has its income: what the auction had brought without its bid. */
function incomeWhy(
  member: string,
  auction: {
    readonly bids: readonly Bid[];
    readonly slots: number;
    readonly reserve: number;
    readonly valid: number;
    readonly members: number;
    readonly split: 'bid_independent' | 'equal';
  },
): string {
  const { bids, slots, reserve, valid, members, split } = auction;
  if (split === 'equal') return `an equal share of what winners paid, of ${members}`;
  const others = bids.filter(({ principal }) => principal !== member);
  const { winners, price } = resolveAuction(others, slots, reserve);
  const count = Math.min(winners.length, valid);
  const without = others.length < bids.length ? 'without its bid' : 'it did not bid:';
  return `${without} ${count} had paid ${formatScrip(price)} each, shared by ${members}`;
}

function sumBy(
  events: readonly EcologyEvent[],
  read: (event: EcologyEvent) => readonly [id: string, amount: number] | null,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const event of events) {
    const [id, amount] = read(event) ?? [null, 0];
    if (id !== null) sums.set(id, (sums.get(id) ?? 0) + amount);
  }
  return sums;
}

function named(name: string, said: Shown): Shown {
  return show`${padded(show`${name}`, NAME_WIDTH)}${said}`;
}
