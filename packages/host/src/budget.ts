/**
 * What a run may spend, for machines that keep no budget of their own: reserved before a call, settled after
 * it. Source: machine interface, "Costs".
 */
import { field, isObject, type Json, type Request, type Spent } from '@assay/kernel';
import type { BoundPort } from './bound-port.js';
import type { CallNotes } from './call-notes.js';
import { soundRecord, type Store } from './store.js';

/**
 * A run's budget. `limits`: the most that may be spent, by unit, whole numbers; a unit without a limit is not
 * watched. A port that states no bound says that it costs nothing: nothing is reserved for it. Where its
 * answers tell a cost all the same, that is counted, and it is asked no more once the limit is reached, which
 * its calls until then may have passed. `notes`: of the calls begun, so that what a crash cut off is charged
 * with the next attempt at its request, whoever makes it.
 */
export type Budget = { readonly limits: Spent; readonly notes?: CallNotes };

/**
 * Why nothing was reserved: of a unit, its limit, what is spent and reserved, and what this request would
 * need.
 */
export type Shortage = {
  readonly code: 'budget';
  readonly unit: string;
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
  readonly needed: number;
};

/**
 * What a request holds: so many attempts at that bound, and what its lost calls are charged with the first of
 * them.
 */
type Reserve = { readonly attempts: number; readonly bound: Spent; readonly lost: Spent };

/**
 * A run's money. A request of a port that states a bound reserves attempts left × bound before it is
 * performed, until it is closed; what its attempts cost is settled as they are recorded. All amounts are
 * whole numbers.
 */
export class Purse {
  private readonly limits: Spent;
  private readonly spent: Map<string, number> = new Map();
  private readonly reserves: Map<string, Reserve> = new Map();
  /** Who has told a cost, as `<unit> <proposer>`. */
  private readonly spenders: Set<string> = new Set();

  constructor(limits: Spent) {
    this.limits = { ...limits };
  }

  /** Units that have a limit. */
  get units(): readonly string[] {
    return Object.keys(this.limits);
  }

  /** Counts what the stored run has spent. Raises `StoreReadError`. */
  async load(store: Pick<Store, 'read'>, runId: string): Promise<void> {
    if (this.units.length === 0) return;
    for await (const line of store.read(runId)) {
      const record = soundRecord(line);
      if (record?.kind === 'proposal') this.count(record.payload);
    }
  }

  /**
   * Reserves for a request and what is left of its attempts, and for what its lost calls are charged; null
   * where that is done, or where its port states no bound. One that states none and has told a cost all the
   * same needs at least 1.
   */
  reserve(
    request: Request,
    { bound, proposer }: Pick<BoundPort, 'bound' | 'proposer'>,
    used: number,
    lost: Spent = {},
  ): Shortage | null {
    if (bound === null) return this.shortage((unit) => (this.spenders.has(`${unit} ${proposer}`) ? 1 : 0));
    this.reserves.delete(request.id);
    // A standing invitation has no last attempt: one is reserved each time.
    const attempts = request.attempts === 0 ? 1 : Math.max(1, request.attempts - used);
    const shortage = this.shortage((unit) => attempts * amountIn(bound, unit) + amountIn(lost, unit));
    if (shortage === null) this.reserves.set(request.id, { attempts, bound, lost });
    return shortage;
  }

  /** Gives back what was reserved for a request. */
  release(requestId: string): void {
    this.reserves.delete(requestId);
  }

  /** Counts a recorded proposal. While its request is `open`, what is left of its reserve is kept. */
  settle(requestId: string, proposal: Json | undefined, isOpen: boolean): void {
    this.count(proposal);
    const reserve = this.reserves.get(requestId);
    if (reserve === undefined) return;
    if (isOpen && reserve.attempts > 1)
      this.reserves.set(requestId, { ...reserve, attempts: reserve.attempts - 1, lost: {} });
    else this.release(requestId);
  }

  /**
   * The first unit whose limit does not cover what is needed of it. Recorded, so no figure passes the safe
   * integers.
   */
  private shortage(neededOf: (unit: string) => number): Shortage | null {
    for (const unit of this.units) {
      const [limit, spent, reserved, needed] = [
        amountIn(this.limits, unit),
        this.spent.get(unit) ?? 0,
        this.reservedOf(unit),
        neededOf(unit),
      ];
      if (needed > 0 && spent + reserved + needed > limit)
        return {
          code: 'budget',
          unit,
          limit,
          spent: capped(spent),
          reserved: capped(reserved),
          needed: capped(needed),
        };
    }
    return null;
  }

  private count(proposal: Json | undefined): void {
    if (proposal === undefined || !isObject(proposal)) return;
    const [proposer, spent] = [field(proposal, 'proposer'), field(proposal, 'spent')];
    if (typeof proposer !== 'string' || spent === undefined || !isObject(spent)) return;
    for (const unit of this.units) {
      const amount = field(spent, unit);
      if (typeof amount !== 'number') continue;
      this.spent.set(unit, (this.spent.get(unit) ?? 0) + amount);
      if (amount > 0) this.spenders.add(`${unit} ${proposer}`);
    }
  }

  private reservedOf(unit: string): number {
    let sum = 0;
    for (const { attempts, bound, lost } of this.reserves.values())
      sum += attempts * amountIn(bound, unit) + amountIn(lost, unit);
    return sum;
  }
}

/** An amount of its own: a unit may bear the name of what every object has (`constructor`). */
function amountIn(amounts: Spent, unit: string): number {
  return Object.hasOwn(amounts, unit) ? (amounts[unit] ?? 0) : 0;
}

function capped(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER);
}

/** What an attempt is charged beside what it told, by unit. `calls`: of `lost`, how many there were. */
export type Charges = { readonly lost: Spent; readonly calls: number; readonly untold: Spent };

/**
 * What an attempt is charged beside what it told: `lost` calls under the same key by the bounds they were
 * noted with, and what this call did not tell, in the units that have a limit, by the bound its port states.
 */
export function computeCharges(
  bound: Spent | null,
  { spent, isCharged }: { readonly spent: unknown; readonly isCharged: boolean },
  { lost, units }: { readonly lost: readonly Spent[]; readonly units: readonly string[] },
): Charges {
  const known = typeof spent === 'object' && spent !== null ? spent : {};
  const isUntold = (unit: string): boolean =>
    isCharged && units.includes(unit) && !Object.hasOwn(known, unit);
  return {
    lost: addSpent(lost),
    calls: lost.length,
    untold: Object.fromEntries(Object.entries(bound ?? {}).filter(([unit]) => isUntold(unit))),
  };
}

/** Amounts by unit, added up; a sum beyond the exact integers is held at the greatest of them. */
export function addSpent(all: readonly Spent[]): Spent {
  const sum = new Map<string, number>();
  for (const [unit, amount] of all.flatMap((each) => Object.entries(each)))
    sum.set(unit, capped((sum.get(unit) ?? 0) + amount));
  return Object.fromEntries(sum);
}
