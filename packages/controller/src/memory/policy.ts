/**
 * The policy of a memory: thresholds and bounds. The quantization matrix is no policy but data of the
 * machine. Source: 002 §6d, §6e; dec-M9, dec-M10, dec-M15.
 */
import { err, field, isObject, ok, type Json, type Rejection, type Result } from '@assay/kernel';
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

/** A rule of one field: null where the value fits, else the name of what is broken. */
type Rule = (value: Json) => string | null;

const THRESHOLD_MAX = 1_000 * PPM;
const FIELDS: readonly (readonly [name: keyof MemoryPolicy, rule: Rule])[] = [
  ['kernel', (value) => (value === 'exponential' ? null : 'exponential')],
  ['ignore_below_ppm', within(0, THRESHOLD_MAX)],
  ['act_beyond_ppm', within(0, THRESHOLD_MAX)],
  ['promote_attention_ppm', within(1, THRESHOLD_MAX)],
  ['promote_decision_ppm', within(1, THRESHOLD_MAX)],
  ['forget_below_ppm', within(0, THRESHOLD_MAX)],
  ['dreamer_upward', (value) => (typeof value === 'boolean' ? null : 'boolean')],
  ['distil_max', within(1, 64)],
  ['recall_tags_max', within(1, 512)],
  ['recall_rules_max', within(1, 256)],
];

/**
 * Reads a policy: an object with exactly the fields of {@link MemoryPolicy}. Total. Error `bad_policy` with
 * {field, rule}: the first bad field in the order of the type, a missing one among them; field `policy` where
 * the value is no object or holds an unknown key.
 */
export function parseMemoryPolicy(value: Json): Result<Rejection, MemoryPolicy> {
  if (!isObject(value)) return bad('policy', 'object');
  for (const [name, rule] of FIELDS) {
    const broken = rule(field(value, name) ?? null);
    if (broken !== null) return bad(name, broken);
  }
  return Object.keys(value).length === FIELDS.length
    ? ok(value as unknown as MemoryPolicy)
    : bad('policy', 'unknown_key');
}

function within(min: number, max: number): Rule {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? null
      : `integer_${min}_to_${max}`;
}

function bad(name: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_policy', detail: { field: name, rule } });
}
