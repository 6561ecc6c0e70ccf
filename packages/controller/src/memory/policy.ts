/**
 * The policy of a memory: thresholds and bounds. The quantization matrix is no policy but data of the
 * machine. Source: 002 §6d, §6e; dec-M9, dec-M10, dec-M15.
 */
import { err, ok, type Json, type Rejection, type Result } from '@assay/kernel';
import { flag, integer, oneOf, type Shape } from '@assay/kernel/shape';
import { findBroken } from '../ggs/policy.js';
import { PPM } from './decay.js';

/** Thresholds in parts per million of one whole Megram: 500,000 is 0.5. */
export type MemoryPolicy = {
  /** How Megrams fade. `exponential` is the only one: exp(−k · Δt). */
  readonly kernel: 'exponential';
  /** Below this attention a tag is ignored; 0 to 10^9. */
  readonly ignore_below_ppm: number;
  /** Above this decision a tag is exploited, below its opposite avoided; 0 to 10^9. */
  readonly act_beyond_ppm: number;
  /** Attention from which a tag becomes a rule; 1 to 10^9. */
  readonly promote_attention_ppm: number;
  /** Decision, either way, from which a tag becomes a rule; 1 to 10^9. */
  readonly promote_decision_ppm: number;
  /** Attention below which the Megrams of a tag are forgotten; 0 to 10^9. */
  readonly forget_below_ppm: number;
  /** Whether the Dreamer promotes. Off, it only forgets and demotes, as 003 has it. Source: dec-M15. */
  readonly dreamer_upward: boolean;
  /** Rules that may wait for their text at once; 1 to 64. */
  readonly distil_max: number;
  /** Tags of one recall; 1 to 512. Those of the intent and the tools come first. */
  readonly recall_tags_max: number;
  /** Rules of one recall; 1 to 256. */
  readonly recall_rules_max: number;
};

/** The numbers of the sources. Source: 002 §6d, §6e. */
export const defaultMemoryPolicy: MemoryPolicy = Object.freeze({
  kernel: 'exponential',
  ignore_below_ppm: 500_000,
  act_beyond_ppm: 200_000,
  promote_attention_ppm: 5_000_000,
  promote_decision_ppm: 3_000_000,
  forget_below_ppm: 100_000,
  dreamer_upward: true,
  distil_max: 16,
  recall_tags_max: 64,
  recall_rules_max: 64,
});

const threshold = integer(0, 1_000 * PPM);
const positive = integer(1, 1_000 * PPM);
const FIELDS: { readonly [name in keyof MemoryPolicy]: Shape } = {
  kernel: oneOf(['exponential']),
  ignore_below_ppm: threshold,
  act_beyond_ppm: threshold,
  promote_attention_ppm: positive,
  promote_decision_ppm: positive,
  forget_below_ppm: threshold,
  dreamer_upward: flag,
  distil_max: integer(1, 64),
  recall_tags_max: integer(1, 512),
  recall_rules_max: integer(1, 256),
};

/**
 * Reads a policy: an object with exactly the fields of {@link MemoryPolicy}. Total. Error `bad_policy` with
 * {field, rule}: see {@link findBroken}.
 */
export function parseMemoryPolicy(value: Json): Result<Rejection, MemoryPolicy> {
  const broken = findBroken(FIELDS, value);
  return broken === null
    ? ok(value as unknown as MemoryPolicy)
    : err({ code: 'bad_policy', detail: { ...broken } });
}
