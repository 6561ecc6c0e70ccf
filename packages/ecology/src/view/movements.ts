/**
 * Who gave what to whom, and what for: the events that move amounts, each with its reason in a few words. Shared by the
 * pictures of a run and by statements of account.
 */
import { field, isObject, type Json, type JsonObject } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { Resource } from '../config/config.js';
import type { Legs, Offer } from '../mechanisms/offers.js';
import type { EcologyEvent } from '../world/events.js';
import { HOLDERS, type EcologyState } from '../world/state.js';

/** What has to be known of the world before a decision. A state is one. */
export type Known = Pick<EcologyState, 'offers' | 'resolving' | 'waiting' | 'calls'>;

/**
 * An amount that moved. `from` null: it was made. `payer` gave it in the end: of what was held, whoever it was held of.
 * `kind`: `hold` sets aside, `back` is that back again, `income` is shared out, `paid` is for something.
 */
export type Movement = {
  readonly from: string | null;
  readonly to: string;
  readonly payer: string | null;
  readonly resource: Resource;
  readonly amount: number;
  readonly kind: 'paid' | 'hold' | 'back' | 'income' | 'minted' | 'spent';
  readonly why: string;
};

type Draft = { -readonly [key in keyof Movement]: Movement[key] };

/** The movements of a decision in their order. `actions`: what it acted on, in order, as `responsesOf` has them. */
export function listMovements(
  before: Known,
  events: readonly EcologyEvent[],
  actions: readonly Json[],
): readonly Movement[] {
  const moved: Draft[] = [];
  let [known, mark, at] = [before, 0, 0];
  const name = (why: () => string, kind: Movement['kind'] | null = null): void => {
    for (let index = mark; index < moved.length; index += 1) {
      const one = moved[index];
      if (one?.why === '' && (kind === null || one.kind === kind)) one.why = why();
    }
  };
  for (const event of events) {
    switch (event.t) {
      case 'mv':
        moved.push(describeMove(known, event));
        break;
      case 'minted':
        moved.push({
          ...MADE,
          to: event.o,
          amount: event.x,
          ...(MINTED[event.m] ?? { kind: 'minted', why: event.m }),
        });
        break;
      case 'did':
      case 'no':
      case 'waits':
        if (moved.length > mark) {
          const action = nameAction(actions[at] ?? null);
          name(() => (event.t === 'no' ? `${action}, which failed` : action));
        }
        mark = moved.length;
        at += 1;
        break;
      case 'bid':
        name(() => `bid for ${event.v.artifact_id}`);
        break;
      case 'offered':
        name(() => `offer ${event.v.id}: ${nameLegs(event.v.give)}`, 'hold');
        break;
      case 'ended': {
        const offer = known.offers.get(event.i);
        name(() => `offer ${event.i}${offer === undefined ? '' : `: ${nameTrade(offer)}`}`);
        break;
      }
      case 'resolved':
        name(() => nameRest(event.n), 'back');
        name(() => `auction ${event.n}: what winners pay`);
        mark = moved.length;
        break;
      case 'settled':
        nameSettlement(moved.slice(mark), known.resolving.get(String(event.n)), event.n);
        mark = moved.length;
        break;
      default:
    }
    known = learn(known, event);
  }
  name(() => 'by the operator');
  return moved;
}

const MADE = { from: null, payer: null, resource: 'scrip' } as const;
const MINTED: { readonly [minter: string]: Pick<Movement, 'kind' | 'why'> | undefined } = {
  mint: { kind: 'minted', why: '' },
  floor: { kind: 'income', why: 'basic income, minted' },
  emergency: { kind: 'income', why: 'emergency income, minted' },
};

/** What is known after an event, of what movements need. */
export function learn(known: Known, event: EcologyEvent): Known {
  const { offers, resolving, waiting, calls } = known;
  switch (event.t) {
    case 'offered':
      return { ...known, offers: offers.set(event.v.id, event.v) };
    case 'ended':
      return { ...known, offers: offers.delete(event.i) };
    case 'resolved':
      return { ...known, resolving: resolving.set(String(event.n), event.v) };
    case 'scored': {
      const one = resolving.get(String(event.n));
      if (one === undefined) return known;
      const winners = one.winners.map((each) =>
        each.artifact_id === event.i ? { ...each, score: event.y } : each,
      );
      return { ...known, resolving: resolving.set(String(event.n), { ...one, winners }) };
    }
    case 'settled':
      return { ...known, resolving: resolving.delete(String(event.n)) };
    case 'waits':
      return { ...known, waiting: waiting.set(event.a, event.v) };
    case 'woke':
      return { ...known, waiting: waiting.delete(event.a) };
    case 'called':
      return { ...known, calls: calls.set(event.i, event.v) };
    case 'came':
      return { ...known, calls: calls.delete(event.i) };
    default:
      return known;
  }
}

function describeMove(
  { offers, calls }: Known,
  { f: from, o: to, x: amount, r: resource = 'scrip' }: Extract<EcologyEvent, { readonly t: 'mv' }>,
): Draft {
  if (!to.includes(':') && !from.includes(':'))
    return { from, to, payer: from, resource, amount, kind: 'paid', why: '' };
  const move = { from, to, payer: from, resource, amount, why: '' };
  if (to === HOLDERS.spent) return { ...move, kind: 'spent', why: 'models and tools' };
  if (from === HOLDERS.mint) return { ...move, payer: null, kind: 'income' };
  if (to === HOLDERS.carry) return { ...move, kind: 'paid', why: 'fee' };
  if (to.includes(':')) return { ...move, kind: 'hold' };
  if (from === HOLDERS.bids) return { ...move, payer: to, kind: 'back' };
  const [holder, id] = from.includes(':')
    ? [from.slice(0, from.indexOf(':')), from.slice(from.indexOf(':') + 1)]
    : [];
  const call = holder === 'call' ? calls.get(id ?? '') : undefined;
  const payer = holder === 'offer' ? offers.get(id ?? '')?.maker : call?.agent;
  const why = call === undefined ? '' : `call of ${call.target}`;
  return { ...move, payer: payer ?? from, kind: payer === to ? 'back' : 'paid', why };
}

/** Of a settlement: what scores minted, what void ones gave back, and the income of everybody who shares. */
function nameSettlement(
  moved: readonly Draft[],
  resolving: ReturnType<Known['resolving']['get']>,
  n: number,
): void {
  const voided = new Set(
    resolving?.winners.filter(({ score }) => score === null).map((one) => one.principal),
  );
  for (const one of moved) {
    const won = resolving?.winners.find(({ principal }) => principal === one.to);
    if (one.why !== '') continue;
    if (one.kind === 'minted')
      one.why = `score ${won?.score ?? '?'} of ${won?.artifact_id ?? '?'}, auction ${n}`;
    else if (voided.delete(one.to))
      Object.assign(one, { kind: 'back', payer: one.to, why: `auction ${n}: no score` });
    else one.why = one.to === HOLDERS.carry ? `auction ${n}: kept` : `basic income of auction ${n}`;
  }
}

/** What a bidder is given back of its bid when an auction is over. */
export function nameRest(auction: number): string {
  return `auction ${auction}: the rest of the bid`;
}

/** An action in a few words: what somebody paid for. */
export function nameAction(action: Json): string {
  const [op, id, method] = ['op', 'id', 'method'].map((key) => readText(action, key));
  if (op !== 'invoke') return `${op} ${id}`.trim() || 'an action';
  const name = `${(id ?? '').replace(/^genesis_(.*)_api$/, '$1')}.${method}`;
  return name === 'ledger.transfer' ? 'transfer' : name;
}

/** What an action is about: an artifact, an offer or a receiver that a service is asked about, or what it names. */
export function nameTarget(action: Json): string {
  const id = readText(action, 'id');
  const args = isObject(action) ? (field(action, 'args') ?? null) : null;
  const meant = ['artifact_id', 'id', 'offer_id', 'to'].map((key) => readText(args, key));
  return id.startsWith('genesis_') ? (meant.find((text) => text !== '') ?? '') : id;
}

/** Why an action was refused, with what its details say: where in the arguments, by which contract, how a mind failed. */
export function describeRefusal(message: string, details?: JsonObject): string {
  const [at, contract, failure] = ['at', 'contract', 'failure'].map((key) => readText(details ?? null, key));
  if (failure) return nameMindFault(failure);
  if (contract) return `the contract ${contract} refuses`;
  return at ? `${message}, at ${at}` : message;
}

/** How a mind failed, in words. */
export function nameMindFault(code: string): string {
  return MIND_FAULTS[code] ?? `its mind failed: ${code}`;
}

const MIND_FAULTS: { readonly [code: string]: string | undefined } = {
  threw: 'its mind threw an error',
  late: 'its mind gave no answer in time',
  malformed: 'its mind gave no list of actions',
  exhausted: 'its mind gave no valid answer in all attempts',
};

/** Milli-scrip in scrip, exactly. */
export function formatScrip(n: number): string {
  const [whole, rest] = [Math.floor(Math.abs(n) / 1_000), Math.abs(n) % 1_000];
  const part = rest === 0 ? '' : `.${String(rest).padStart(3, '0').replace(/0+$/, '')}`;
  return `${n < 0 ? '-' : ''}${whole}${part}`;
}

function nameTrade({ give, want }: Offer): string {
  return `${nameLegs(give)} for ${nameLegs(want)}`;
}

function nameLegs({ amounts, goods }: Legs): string {
  const legs = [
    ...goods.map(({ id }) => id),
    ...amounts.map(
      ([resource, amount]) => `${resource === 'scrip' ? formatScrip(amount) : amount} ${resource}`,
    ),
  ];
  return legs.length === 0 ? 'nothing' : legs.join(', ');
}
