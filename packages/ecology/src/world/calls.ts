/** Metered calls and capabilities as the state has them. Source: specs/ecology.md B8, B12. */
import { closed, digest, free, integer, nullable, oneOf, text, type TypeOf } from '@assay/kernel/shape';
import { isId } from '../config/config.js';

const [ID, count, anyText] = [text(isId), integer(0), text()];

/** The shape of a metered call. */
export const METERED_CALL = closed({
  /** Who called and pays: its budget and window hold the bounds, and `call:` and the id the scrip. */
  agent: ID,
  target: ID,
  /** Its name in the table of prices. */
  name: anyText,
  /** SHA-256 of what the target is sent. */
  digest,
  units: integer(1),
  tokens: count,
  uusd: count,
  scrip: count,
  /** How it ended; null while it is under way. `result`: where it is small. */
  ended: nullable(
    closed({
      how: oneOf(['done', 'failed', 'cancelled']),
      /** Why it failed: a code of failures, with its class. */
      why: anyText,
      digest: anyText,
      size: count,
      result: free,
      tokens: count,
      uusd: count,
    }),
  ),
});

/** A metered call to the outside, under way or settled. */
export type MeteredCall = TypeOf<typeof METERED_CALL>;

/** What is known of a call that ended. */
export type CallEnd = NonNullable<MeteredCall['ended']>;

/** A settled call is forgotten once its agent has begun so many others: more than it has under way at once. */
export const CALLS_KEPT = 128;

/** The shape of a request to the operator. */
export const CAPABILITY = closed({
  state: oneOf(['open', 'approved', 'denied', 'withdrawn']),
  reason: anyText,
  usage: anyText,
  /** What was provided; "" for nothing. */
  artifact_id: anyText,
  asked_us: count,
});

/** What an agent asked the operator for. */
export type Capability = TypeOf<typeof CAPABILITY>;
