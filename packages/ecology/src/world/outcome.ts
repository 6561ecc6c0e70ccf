/** What a call inside an action comes to, and who calls. Source: specs/ecology.md B3, B8. */
import type { Json, JsonObject } from '@assay/kernel';
import type { Draft } from './draft.js';
import type { Code, Refusal } from '../protocol/response.js';
import type { Need } from '../protocol/requests.js';

/** A result, a refusal, or something that is needed from outside first. */
export type Outcome =
  | { readonly t: 'ok'; readonly result: Json }
  | { readonly t: 'no'; readonly refusal: Refusal }
  | { readonly t: 'need'; readonly need: Wanted };

/** A need with what it may cost at most, and whose budget and window that is held in. */
export type Wanted = {
  readonly need: Need;
  readonly hash: string;
  readonly payer: string;
  readonly tokens: number;
  readonly uusd: number;
};

/** What somebody may still be charged, in milli-scrip; shared by the tools it calls. */
export type Purse = { readonly payer: string; left: number; paid: number };

/** Who calls, and from how deep. */
export type Frame = {
  /** The immediate caller: contracts are asked about it. */
  readonly requester: string;
  /** Who pays for what runs: the nearest caller with standing. */
  readonly payer: string;
  readonly purse: Purse;
  /** Artifacts whose code or method runs above this call, the outermost first. */
  readonly invokes: readonly string[];
  /** Contracts whose verdict is being worked out, the outermost first. */
  readonly checks: readonly string[];
  /** Answers of needs so far, by the hash of the need. */
  readonly answers: ReadonlyMap<string, Json>;
};

/** What everything inside an action is given: the draft, and the way to act again from inside. */
export type Physics = {
  readonly draft: Draft;
  /** One action, whole or not at all. */
  readonly perform: (frame: Frame, action: Json) => Outcome;
};

/** A result. */
export function done(result: Json): Outcome {
  return { t: 'ok', result };
}

/** A refusal. */
export function refused(code: Code, message: string, details?: JsonObject): Outcome {
  return { t: 'no', refusal: refusal(code, message, details) };
}

/** A refusal that waiting helps; null where it never does: what cannot fit a rate is `LIMIT_EXCEEDED`. */
export function refusedUntil(code: Code, message: string, afterUs: number | null, resource: string): Outcome {
  if (afterUs === null && code === 'INSUFFICIENT_COMPUTE')
    return refused('LIMIT_EXCEEDED', 'it is more than a whole window holds');
  if (afterUs === null) return refused(code, message);
  return { t: 'no', refusal: { ...refusal(code, message, { resource }), retry_after_us: afterUs } };
}

/** A refusal as data. */
export function refusal(code: Code, message: string, details?: JsonObject): Refusal {
  return { code, message, details };
}
