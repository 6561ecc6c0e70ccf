/** A decision under construction: events are folded as they come, and a savepoint takes them back. */
import { admit, InvariantError, type Ask, type Context, type Decision, type Json } from '@assay/kernel';
import type { Config } from '../config/config.js';
import type { ContractEngine } from '../protocol/engine.js';
import type { Body } from '../protocol/requests.js';
import type { EcologyEvent } from './events.js';
import { evolve } from './evolve.js';
import { byRank } from '../mechanisms/auction.js';
import { getAccount, findLive, type EcologyState, type LiveBid } from './state.js';

/** A step that an action took, told to whoever asks why. */
export type Told = { readonly what: string; readonly about: { readonly [key: string]: Json } };

/** A place that a draft can go back to. */
export type Savepoint = {
  readonly state: EcologyState;
  readonly events: number;
  readonly size: Size;
  readonly paid: number;
  readonly asks: number;
  readonly withdrawn: number;
};

/** A charge that was paid. `isGiven`: running code was given what it paid for, so it stays paid. */
type Paid = {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly contract: string;
  readonly isMandate: boolean;
  readonly isGiven: boolean;
};

/** What events come to in a record: bytes, and the marks that a line may hold so many of. */
export type Size = { readonly bytes: number; readonly marks: number };

/** Steps of compiling a unit of text, beside the fuel of it; sources that are taken to be at hand. */
const COMPILE_STEPS = 64;
const COMPILED_MAX = 16;

/** A decision of one answer holds no more: a record line has 16 MiB and 262,144 marks. */
const SIZE_MAX: Size = { bytes: 12_582_912, marks: 200_000 };
/** What time may fill of it, so that there is room for actions. */
export const HALF: Size = { bytes: SIZE_MAX.bytes / 2, marks: SIZE_MAX.marks / 2 };
/** Bytes that an event or a request takes without its contents, at most. */
const FRAME_BYTES = 640;
/** Marks of a request without its body. */
const ASK_MARKS = 13;
/** An invitation, with the event that opens it. */
const INVITATION: Size = { bytes: 3 * FRAME_BYTES, marks: ASK_MARKS + 10 };

/** Bytes and marks of a value. */
export function measureSize(value: Json): Size {
  const admitted = admit(value);
  if (admitted._tag === 'Left') return { bytes: Number.MAX_SAFE_INTEGER, marks: 0 };
  return { bytes: admitted.right.bytes, marks: admitted.right.structure };
}

/** Events that stay when an action is rolled back: metered work that is done. */
const METERED: readonly EcologyEvent['t'][] = ['use', 'verdict'];

const NOTHING: Size = { bytes: 0, marks: 0 };

function sumUp(paid: readonly Paid[]): number {
  return paid.reduce((sum, { amount }) => sum + amount, 0);
}

function grown({ bytes, marks }: Size, holds: Size, frameMarks: number): Size {
  return { bytes: bytes + FRAME_BYTES + holds.bytes, marks: marks + frameMarks + holds.marks };
}

/** A decision under construction. Local to one `decide`, gone when it returns. */
export class Draft {
  state: EcologyState;
  readonly config: Config;
  readonly context: Context;
  readonly engine: ContractEngine | null;
  /** CPU held for runs that have not ended, by payer, in µs. */
  readonly held: Map<string, number> = new Map();
  /** Sources that were compiled in this decision, the latest used last; an engine keeps so many at least. */
  private readonly compiled: Set<string> = new Set();
  /** Runs of code, and requests of running code, in the present action. */
  calls: number = 0;
  /** Agents whose invitation opens or closes with this decision. */
  readonly met: Set<string> = new Set();
  /** The log was looked at up to here for whom it wakes. */
  looked: number;
  private taken: number = 0;
  /** A charge stays paid that cannot be paid since its action failed: the whole action fails. */
  owes: boolean = false;
  private begun: EcologyState;
  private paid: readonly Paid[] = [];
  private lowest: { readonly bids: EcologyState['bids']; readonly bid: LiveBid } | null = null;
  private size: Size = { bytes: 0, marks: 0 };
  private readonly events: EcologyEvent[] = [];
  private readonly asks: Ask<Body>[] = [];
  private readonly withdrawn: string[] = [];
  private readonly told: ((told: Told) => void) | null;

  constructor(
    state: EcologyState,
    context: Context,
    engine: ContractEngine | null,
    told: ((told: Told) => void) | null = null,
  ) {
    this.state = state;
    this.begun = state;
    this.looked = state.log.next;
    this.config = state.config;
    this.context = context;
    this.engine = engine;
    this.told = told;
  }

  /** The lowest of some bids; asked again of the same ones, it knows. */
  lowestOf(bids: EcologyState['bids']): LiveBid {
    if (this.lowest?.bids !== bids)
      this.lowest = {
        bids,
        bid: [...bids].map(([, bid]) => bid).reduce((a, b) => (byRank(a, b) > 0 ? a : b)),
      }; // any order
    return this.lowest.bid;
  }

  /** Adds an event and folds it in; `holds` is the size of contents in it. */
  emit(event: EcologyEvent, holds: Size = NOTHING): void {
    this.size = grown(this.size, holds, Object.keys(event).length + 1);
    this.events.push(event);
    this.state = evolve(this.state, event);
  }

  /** Opens a request that is known as `name`. */
  ask(name: string, ask: Ask<Body>): void {
    this.asks.push(ask);
    this.size = grown(this.size, measureSize(ask.body), ASK_MARKS);
    this.emit({ t: 'asked', q: name, id: `${this.context.sequence}.${this.asks.length - 1}` });
  }

  /** Closes a request by its name; `answered` is the one that this decision answers. */
  close(name: string, answered: string): void {
    const id = this.state.open.get(name);
    if (id === undefined) throw new InvariantError('ecology/close', `no request ${name} is open`);
    if (id !== answered) this.withdrawn.push(id);
    this.emit({ t: 'closed', q: name });
  }

  /** What an explanation hears, in the order of the checks; made only where one is asked for. */
  tell(what: string, about: () => Told['about']): void {
    this.told?.({ what, about: about() });
  }

  /** True where so much more fits a record, beside the invitations that are to come. */
  hasRoom({ bytes, marks }: Size): boolean {
    const { size } = this.met;
    return (
      this.size.bytes + size * INVITATION.bytes + bytes <= SIZE_MAX.bytes &&
      this.size.marks + size * INVITATION.marks + marks <= SIZE_MAX.marks
    );
  }

  /** The run state of an agent changed. */
  meet(agent: string): void {
    if (getAccount(this.state, agent).life?.asked === true) this.met.add(agent);
  }

  /** The events since this was asked last. */
  takeNew(): readonly EcologyEvent[] {
    const events = this.events.slice(this.taken);
    this.taken = this.events.length;
    return events;
  }

  /** Counts the compilation of a source that is not at hand any more. */
  compile(source: string, name: string): void {
    const key = `${name} ${source}`;
    if (!this.compiled.delete(key)) {
      const fuel = this.engine?.compileFuel(source, name) ?? 0;
      this.context.meter.spend(2 * fuel + COMPILE_STEPS * source.length);
    }
    this.compiled.add(key);
    const [oldest] = this.compiled;
    if (this.compiled.size > COMPILED_MAX && oldest !== undefined) this.compiled.delete(oldest);
  }

  /** Begins an action. */
  begin(): Savepoint {
    this.calls = 0;
    this.owes = false;
    this.paid = [];
    this.begun = this.state;
    return this.save();
  }

  /**
   * True where somebody can pay so much more, out of what it had when the action began: then each charge can
   * be paid still where all else is taken back.
   */
  canPay(from: string, amount: number): boolean {
    const had = getAccount(this.begun, from).amounts.scrip;
    const has = getAccount(this.state, from).amounts.scrip;
    return amount <= Math.min(has, had - sumUp(this.paid.filter((one) => one.from === from)));
  }

  /** Takes down a charge that was paid. */
  pay(charge: Omit<Paid, 'isGiven'>): void {
    this.paid = [...this.paid, { ...charge, isGiven: false }];
  }

  /** Running code was given what it paid for since a savepoint: that is not taken back with the rest. */
  give({ paid }: Savepoint): void {
    this.paid = this.paid.map((one, at) => (at < paid ? one : { ...one, isGiven: true }));
  }

  /** What somebody paid since a savepoint without a mandate, after going back to it. */
  keptSince({ paid }: Savepoint, from: string): number {
    return sumUp(this.paid.slice(paid).filter((one) => one.from === from && !one.isMandate));
  }

  /** Remembers where the draft is. */
  save(): Savepoint {
    return {
      state: this.state,
      size: this.size,
      events: this.events.length,
      paid: this.paid.length,
      asks: this.asks.length,
      withdrawn: this.withdrawn.length,
    };
  }

  /** Goes back to a savepoint; what was metered since stays, and what running code paid for and was given. */
  undo({ state, events, size, paid, asks, withdrawn }: Savepoint): void {
    const metered = this.events.slice(events).filter(({ t }) => METERED.includes(t));
    const kept = this.paid.slice(paid).filter(({ isGiven }) => isGiven);
    this.events.length = events;
    this.asks.length = asks;
    this.withdrawn.length = withdrawn;
    this.size = size;
    this.state = state;
    this.paid = [...this.paid.slice(0, paid), ...kept];
    for (const event of metered) this.emit(event);
    for (const one of kept) this.payAgain(one);
  }

  /** Goes back to where the action began, which runs again whole later: only what was metered stays. */
  undoWhole(savepoint: Savepoint): void {
    this.paid = [];
    this.undo(savepoint);
  }

  private payAgain({ from, to, amount, contract, isMandate }: Paid): void {
    if (from === to || findLive(this.state, to)?.has_standing !== true) return;
    if (getAccount(this.state, from).amounts.scrip < amount) {
      this.owes = true;
      return;
    }
    const mandate = isMandate ? this.state.mandates.get(`${from} ${contract}`) : undefined;
    if (mandate !== undefined) {
      const { cap, expires_us } = mandate;
      this.emit({ t: 'mandate', p: from, k: contract, x: Math.max(0, cap - amount), us: expires_us });
    }
    this.emit({ t: 'mv', f: from, o: to, x: amount });
  }

  /** The decision. */
  done(
    rest: Omit<Decision<EcologyEvent, Body>, 'events' | 'asks' | 'withdraw'> = {},
  ): Decision<EcologyEvent, Body> {
    return { ...rest, events: this.events, asks: this.asks, withdraw: this.withdrawn };
  }
}
