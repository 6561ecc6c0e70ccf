/**
 * What happened, in short keys: `a` who acted, `i` an artifact, `f` from, `o` to, `x` an amount.
 *
 * Events explain all of the state that genesis does not. Source: specs/ecology.md B6, B13.
 */
import type { Json, JsonObject } from '@assay/kernel';
import type { Resource } from '../config/config.js';
import type { Offer } from '../mechanisms/offers.js';
import type { Code } from '../protocol/response.js';
import type { Life, Sleep, Subscription } from './life.js';
import type { CallEnd, MeteredCall } from './calls.js';
import type { LiveBid, Resolving, Waiting } from './state.js';

/** A creation. `c` content, `n` interface, `k` contract, `h` its hash, `z` bytes, `p` who stores it. */
export type Made = {
  readonly t: 'made';
  readonly i: string;
  readonly by: string;
  readonly o: string;
  readonly c: Json;
  readonly n: Json;
  readonly k: string;
  readonly s: boolean;
  readonly e: boolean;
  readonly h: string;
  readonly g: string;
  readonly z: number;
  readonly p: string;
};

/** The end of an action: `did` with its result and the price it paid, or `no` with its refusal. */
export type Ended =
  | { readonly t: 'did'; readonly a: string; readonly r?: Json; readonly x?: number }
  | {
      readonly t: 'no';
      readonly a: string;
      readonly c: Code;
      readonly m: string;
      readonly d?: JsonObject;
      /** After how many µs the same would fit. */
      readonly w?: number;
      /** What was invoked and failed. */
      readonly i?: string;
      /** What its code paid all the same: it was given what that bought. */
      readonly x?: number;
    };

/** An event of the machine. */
export type EcologyEvent =
  | Ended
  | Made
  /** An invitation or request that is open, by what it is. */
  | { readonly t: 'asked'; readonly q: string; readonly id: string }
  | { readonly t: 'closed'; readonly q: string }
  | { readonly t: 'now'; readonly us: number }
  /** An amount moves; scrip where no resource is named. */
  | { readonly t: 'mv'; readonly f: string; readonly o: string; readonly x: number; readonly r?: Resource }
  /** A write; what is left out stays as it was. */
  | {
      readonly t: 'wrote';
      readonly i: string;
      readonly c: Json;
      readonly h: string;
      readonly g: string;
      readonly z: number;
      readonly p: string;
      readonly n?: Json;
      readonly k?: string;
    }
  /** Another owner, contract or storage payer. */
  | {
      readonly t: 'own';
      readonly i: string;
      readonly o: string;
      readonly k: string;
      readonly g: string;
      readonly p: string;
    }
  | { readonly t: 'gone'; readonly i: string }
  /** A successful invoke of method `m` of what is no genesis service. */
  | { readonly t: 'ran'; readonly i: string; readonly by: string; readonly m: string }
  /** A verdict of a custom contract `k` on `i`, asked for `by`; `u` is its fuel. */
  | {
      readonly t: 'verdict';
      readonly k: string;
      readonly i: string;
      readonly by: string;
      readonly y: boolean;
      readonly u: number;
      /** Who pays what is over the free part. */
      readonly p: string;
    }
  /** Metered use of a window. */
  | { readonly t: 'use'; readonly a: string; readonly r: 'llm_rate' | 'cpu'; readonly x: number }
  /** More was used than could be held back. */
  | { readonly t: 'over'; readonly a: string; readonly r: 'llm_rate' | 'llm_budget'; readonly x: number }
  | { readonly t: 'thought'; readonly a: string }
  | { readonly t: 'waits'; readonly a: string; readonly v: Waiting }
  | { readonly t: 'woke'; readonly a: string }
  /** A metered call begins: what it may cost at most is held. */
  | { readonly t: 'called'; readonly i: string; readonly v: MeteredCall }
  /** It ended: the hold is released; what it cost follows. */
  | { readonly t: 'came'; readonly i: string; readonly v: CallEnd }
  | { readonly t: 'bid'; readonly v: LiveBid }
  | { readonly t: 'unbid'; readonly a: string }
  /** An auction is over; `s` where nearly all agents are frozen. */
  | {
      readonly t: 'resolved';
      readonly n: number;
      readonly v: Resolving;
      readonly next: number;
      readonly s?: true;
    }
  | { readonly t: 'scored'; readonly n: number; readonly i: string; readonly y: number | null }
  /** A resolution is over: `u` was paid as income, `c` went to the carry. */
  | { readonly t: 'settled'; readonly n: number; readonly u: number; readonly c: number }
  | { readonly t: 'minted'; readonly m: string; readonly o: string; readonly x: number }
  | { readonly t: 'offered'; readonly v: Offer }
  | { readonly t: 'ended'; readonly i: string; readonly y: 'bought' | 'returned'; readonly o?: string }
  | { readonly t: 'mandate'; readonly p: string; readonly k: string; readonly x: number; readonly us: number }
  /** An agent asks the operator for a capability. */
  | { readonly t: 'wants'; readonly a: string; readonly c: string; readonly m: string; readonly u: string }
  /** What became of it: `i` an artifact it may use, `s` a secret whose handle it holds, `h` the commitment. */
  | {
      readonly t: 'capability';
      readonly a: string;
      readonly c: string;
      readonly y: 'approved' | 'denied' | 'withdrawn';
      readonly i?: string;
      readonly s?: string;
      readonly h?: string;
    }
  /** What interfaces promise and do not keep. */
  | { readonly t: 'lied'; readonly i: string; readonly m: string }
  | { readonly t: 'admin'; readonly op: string; readonly why: string }
  /** An agent sleeps until a time, or an event or balance before it; after a crash until the time only. */
  | {
      readonly t: 'slept';
      readonly a: string;
      readonly y: Sleep['why'];
      readonly us: number;
      readonly v: Pick<Sleep, 'events' | 'balances'>;
    }
  /** A sleeper is to wake, and the record has no room for that: it does with the next answer. */
  | { readonly t: 'due'; readonly a: string }
  /** A sleeper woke; `s` is the subscription by which it did. */
  | {
      readonly t: 'roused';
      readonly a: string;
      readonly y: 'time' | 'event' | 'balance' | 'own' | 'operator';
      readonly s?: string;
    }
  /** An agent has to wait for a resource. */
  | { readonly t: 'blocked'; readonly a: string; readonly r: string; readonly us: number }
  | { readonly t: 'unblocked'; readonly a: string; readonly r: string }
  | { readonly t: 'froze'; readonly a: string; readonly y: Exclude<Life['frozen'], ''> }
  /** `by` whom and with how much of what; an operator's word is an amount of 0. */
  | {
      readonly t: 'thawed';
      readonly a: string;
      readonly by: string;
      readonly r: Resource;
      readonly x: number;
    }
  /** The mind of an agent failed, `n` times in a row. */
  | { readonly t: 'failed'; readonly a: string; readonly n: number; readonly y: string }
  | { readonly t: 'memory'; readonly a: string; readonly i: string | null }
  | { readonly t: 'subbed'; readonly a: string; readonly v: Subscription }
  | { readonly t: 'unsubbed'; readonly a: string; readonly i: string; readonly y?: 'evicted' }
  | { readonly t: 'stopped' };
