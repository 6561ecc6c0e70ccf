/**
 * The policy of a memory: thresholds and bounds. The quantization matrix is no policy but data of the
 * machine. Source: 002 §6d, §6e; dec-M9, dec-M10, dec-M15.
 */
import { err, ok, type Json, type Rejection, type Result } from '@assay/kernel';
import { flag, integer, oneOf } from '@assay/kernel/shape';
import { findBroken, usualPolicy, type PolicyOf, type PolicyRows } from '../ggs/rows.js';
import { PPM } from './decay.js';

const threshold = integer(0, 1_000 * PPM);
const positive = integer(1, 1_000 * PPM);
const ROWS = {
  /** How Megrams fade. `exponential` is the only one: exp(−k · Δt). */
  kernel: ['exponential', oneOf(['exponential'])],
  /** Below this attention a tag is ignored; 0 to 10^9. */
  ignore_below_ppm: [500_000, threshold],
  /** Above this decision a tag is exploited, below its opposite avoided; 0 to 10^9. */
  act_beyond_ppm: [200_000, threshold],
  /** Attention from which a tag becomes a rule; 1 to 10^9. */
  promote_attention_ppm: [5_000_000, positive],
  /** Decision, either way, from which a tag becomes a rule; 1 to 10^9. */
  promote_decision_ppm: [3_000_000, positive],
  /** Attention below which the Megrams of a tag are forgotten; 0 to 10^9. */
  forget_below_ppm: [100_000, threshold],
  /** Whether the Dreamer promotes. Off, it only forgets and demotes, as 003 has it. Source: dec-M15. */
  dreamer_upward: [true, flag],
  /** Rules that may wait for their text at once; 1 to 64. */
  distil_max: [16, integer(1, 64)],
  /** Tags of one recall; 1 to 512. Those of the intent and the tools come first. */
  recall_tags_max: [64, integer(1, 512)],
  /** Rules of one recall; 1 to 256. */
  recall_rules_max: [64, integer(1, 256)],
} as const satisfies PolicyRows;
/** Thresholds in parts per million of one whole Megram: 500,000 is 0.5. */
export type MemoryPolicy = PolicyOf<typeof ROWS>;

/** The numbers of the sources. Source: 002 §6d, §6e. */
export const defaultMemoryPolicy: MemoryPolicy = usualPolicy(ROWS);

/**
 * Reads a policy: an object with exactly the fields of {@link MemoryPolicy}. Total. Error `bad_policy` with
 * {field, rule}: see `findBroken`.
 */
export function parseMemoryPolicy(value: Json): Result<Rejection, MemoryPolicy> {
  const broken = findBroken(ROWS, value);
  return broken === null ? ok(value as unknown as MemoryPolicy) : err({ code: 'bad_policy', detail: broken });
}
