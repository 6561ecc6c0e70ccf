/** How much is admitted. Source: ledger format, "Limits shrink inwards". */

/** Bounds on one admitted value. */
export type Limits = {
  /** Nesting: a scalar is 0, `[]` and `{}` are 1. */
  readonly depth: number;
  /** Canonical size in UTF-8 bytes. */
  readonly bytes: number;
  /** Number of values: each scalar, array and object counts one. */
  readonly values: number;
  /** Size of one key in UTF-8 bytes. */
  readonly keyBytes: number;
};

/** What comes from outside, measured whole: a proposal, and a run's {policy, input}. */
export const OUTSIDE_LIMITS: Limits = Object.freeze({
  depth: 64,
  bytes: 4_194_304,
  values: 65_536,
  keyBytes: 1_024,
});

/**
 * Bounds of a value given to {@link canonicalize} directly, and of a machine's encoded state. They only
 * keep the walk within the stack and the memory of every engine; no format rests on them.
 */
export const VALUE_LIMITS: Limits = Object.freeze({
  depth: 1_024,
  bytes: 536_870_912,
  values: 16_777_216,
  keyBytes: 16_777_216,
});

/** Bounds of one record line: bytes without the line end, nesting, and bytes `[ { ,` outside strings. */
export const LINE_LIMITS: { readonly bytes: number; readonly depth: number; readonly structure: number } =
  Object.freeze({
    bytes: 16_777_216,
    depth: 256,
    structure: 262_144,
  });

/**
 * At most so many artifact names in a run: a close that lists them all, beside all open requests, always fits
 * a line.
 */
export const ARTIFACT_NAMES_MAX = 65_536;

/** At most so many requests are open in a run. */
export const OPEN_REQUESTS_MAX = 65_536;
