/**
 * What a gate asks for, what it is told, and what it records. Source: gate/G8, gate/G9.
 *
 * @module
 */
import type { Digest } from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  freeObject,
  free,
  integer,
  nullable,
  open,
  sized,
  type TypeOf,
} from '@assay/kernel/shape';

/** Longest name of a principal, a tool, a call or a label, and longest note, in UTF-16 units. */
const NAME_MAX = 256;
const NOTE_MAX = 1_024;
const NAME = sized(1, NAME_MAX);

/** A call as it is brought: `digest` is of the true input, of which parts may stand as tokens. */
export const CALL = closed({ principal: NAME, call_id: NAME, tool: NAME, input: free, digest });
/** What a person says. */
export const APPROVAL = open({ approved: flag }, { note: sized(0, NOTE_MAX) });
/** What a tool did: `digest` and `bytes` of its result, which may be left out (null). */
export const RESULT = open({ ok: flag, digest, bytes: integer(0) }, { result: free });
/** Nothing but that it is over. */
export const NOTHING = closed({});
/** The input of a genesis: what the run is about, and what an import says of its source. */
export const INPUT = closed({ about: sized(1, NOTE_MAX), from: nullable(freeObject) });

/** The n-th call from 1, in the request that carries it out: all that a fork finds an answer by. */
export type CallBody = {
  readonly n: number;
  readonly principal: string;
  readonly tool: string;
  readonly digest: Digest;
};
/** What a gate asks for. */
export type GateAsk = CallBody | { readonly [key: string]: never };

/** An answer, read. */
export type GateAnswer =
  | ({ readonly t: 'call' } & TypeOf<typeof CALL>)
  | ({ readonly t: 'approve' } & TypeOf<typeof APPROVAL>)
  | ({ readonly t: 'perform' } & TypeOf<typeof RESULT>)
  | { readonly t: 'close' };

/** An amount held for a call: the key of its budget, and the part of its window, null without one. */
export type Book = readonly [key: string, amount: number, part: number | null];
/** What a settled call cost: what was held, and what is charged. */
export type Cost = readonly [key: string, held: number, charged: number, part: number | null];

/** Why a call was decided as it was; the first that applies. */
export type Why =
  | 'rule'
  | 'no_rule'
  | 'unjudged'
  | 'principal'
  | 'principals'
  | 'closing'
  | 'in_flight'
  | 'budget'
  | 'rate';

/** What a call came to; of one that is watched, what it would have come to. */
export type Verdict = 'allowed' | 'asked' | 'denied';

type Decided = {
  readonly n: number;
  readonly at: number;
  readonly why: Why;
  readonly rules: readonly string[];
};
/** `who`: a principal that is new, or has new labels. */
type Let = { readonly books: readonly Book[]; readonly who?: readonly [string, readonly string[]] };
type Denied = { readonly budget?: string; readonly who?: readonly [string, readonly string[]] };

/** What a gate records. `opened` has the hash of the policy; `approve` is the id of the request to a person. */
export type GateEvent =
  | { readonly t: 'opened'; readonly policy: Digest }
  | ({ readonly t: 'allowed' } & Decided & Let)
  | ({ readonly t: 'asked'; readonly approve: string } & Decided & Let)
  | ({ readonly t: 'denied' } & Decided & Denied)
  | ({ readonly t: 'watched'; readonly would: Verdict; readonly budget?: string } & Decided & Let)
  | { readonly t: 'approved'; readonly n: number }
  | { readonly t: 'declined'; readonly n: number; readonly why: string }
  | {
      readonly t: 'settled';
      readonly n: number;
      readonly ok: boolean;
      readonly why: string;
      readonly costs: readonly Cost[];
    }
  | { readonly t: 'closing' }
  | { readonly t: 'unread'; readonly kind: 'call' | 'close'; readonly why: string };

/** A call that was decided. */
export type DecidedEvent = Extract<GateEvent, { readonly t: Verdict | 'watched' }>;
