/**
 * What a gate is given and gives: calls, approvals, what a tool is told, what came of it. Source: gate/G12–G15.
 *
 * @module
 */
import type { Digest, FailureCode, Json, JsonObject, Source, Spent } from '@assay/kernel';
import type { CallBody } from '../machine/events.js';
import type { CallEnd } from './calls.js';
import type { GatePending, GateRefused } from './errors.js';

/** What a person is asked about. `signal`: aborted once somebody else has answered. */
export type ApprovalAsked = {
  readonly n: number;
  readonly principal: string;
  readonly tool: string;
  readonly input: unknown;
  readonly digest: Digest;
  readonly rules: readonly string[];
  readonly signal: AbortSignal;
};
/** What a person says; `true` and `false` for short. */
export type Approval = boolean | { readonly approved: boolean; readonly by?: string; readonly note?: string };
/** Asks a person. Raises `Later` where the answer comes another day; whatever it raises leaves the call waiting. */
export type Approve = (asked: ApprovalAsked) => Approval | null | Promise<Approval | null>;

/**
 * A call as a door brings it. `principal`: who calls, as the door knows it, never from the input (`agent` by default).
 * `call_id`: under which the caller may ask again. `source`, `proposer`, `provenance`: of the evidence; by default
 * `live_model`, `model`, nothing. `signal`: aborted when nobody waits for the call any more: it is not begun, or lost.
 */
export type GateCall = {
  readonly tool: string;
  readonly input: unknown;
  readonly principal?: string;
  readonly call_id?: string;
  readonly source?: Source;
  readonly proposer?: string;
  readonly provenance?: JsonObject;
  readonly approve?: Approve;
  readonly signal?: AbortSignal;
};

/**
 * What became of a call that was brought. `perform`: its decision is durable, and whoever got this, nobody else, calls
 * the tool and says by `settle` what came of it; `key` is its idempotency key. `known`: the same call was
 * made before. `pending`: it waits for a person.
 */
export type Decided =
  | { readonly verdict: 'perform'; readonly n: number; readonly key: string; readonly digest: Digest }
  | { readonly verdict: 'known'; readonly n: number; readonly end: CallEnd }
  | { readonly verdict: 'refused'; readonly error: GateRefused }
  | { readonly verdict: 'pending'; readonly error: GatePending };

/**
 * What came of a performed call: a result (`ok` false where it is an error), or a failure: `unavailable`, `denied` and
 * `cancelled` say that it never began and cost nothing, `lost` that nobody knows. `spent`: by unit of the budgets.
 */
export type Outcome = {
  readonly result?: unknown;
  readonly ok?: boolean;
  readonly failure?: { readonly code: FailureCode; readonly detail?: Json };
  readonly spent?: Spent;
  readonly proposer?: string;
  readonly provenance?: JsonObject;
};

/** What a tool is told. `key`: the same when the call is made again after a crash. `spend` adds to what it cost. */
export type Told = {
  readonly key: string;
  readonly n: number;
  readonly spend: (amounts: Spent) => void;
};
/** What calls the tool. */
export type Execute = (input: unknown, told: Told) => unknown;

/** A call that waits for a person. `input`: null where it is not known here. */
export type WaitingCall = CallBody & { readonly call_id: string | null; readonly input: unknown };

/** What an approved call came to that was carried out while nobody asked. */
export type CarriedOut = {
  readonly n: number;
  readonly tool: string;
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: unknown;
};
