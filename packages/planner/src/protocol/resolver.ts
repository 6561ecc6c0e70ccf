/**
 * Resolvers: tools that can be routed to, with what one call may cost. Source: 000 §2.B; dec-K24, dec-K32,
 * dec-K75.
 */
import { compareText, type Shape } from '@assay/kernel';
import {
  closed,
  digest,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type TypeOf,
} from '@assay/kernel/shape';
import { NAME, TAG, WORDS } from './constraint.js';

/** A capability request, by the hash of what is missing. */
export const FINGERPRINT: Shape<string> = digest;

/** Money and tokens by unit. */
export type Bound = { readonly [unit: string]: number };

/** Fields of a {@link Track}, each by its shape. */
export const TRACK_FIELDS = {
  successes: integer(0),
  failures: integer(0),
  sigma_ppm: nullable(integer(0, 1_000_000)),
};
export const TRACK = closed(TRACK_FIELDS);
/** How a resolver has fared. `sigma_ppm`: best among successes, null where there is none. */
export type Track = TypeOf<typeof TRACK>;

/** Whoever does a task without any tool: in no registry, and asked what it came to. */
export const PERSON = 'person';

/** Nothing known. */
export const NO_TRACK: Track = Object.freeze({ successes: 0, failures: 0, sigma_ppm: null });

const UNITS_MAX = 9_007_199_254_740_991;
/** Amounts by unit; units are names of the ledger. */
export const BOUND: Shape<Bound> = table(
  (key) => /^[a-z][a-z0-9_.-]{0,63}$/.test(key),
  integer(0, UNITS_MAX),
);

/** A program and its words. Source: dec-K82. */
export const COMMAND: Shape<readonly string[]> = list(
  text((word) => word.length <= 4_096),
  ({ length }) => length > 0 && length <= 256,
);

const FIELDS = {
  id: NAME,
  label: WORDS,
  type: oneOf(['digital', 'physical', 'hybrid']),
  capabilities: list(
    TAG,
    (tags) => tags.length > 0 && tags.length <= 64 && new Set(tags).size === tags.length,
  ),
  bound: BOUND,
  built_by: nullable(text((value) => value.length <= 128)),
  composed_of: list(NAME, ({ length }) => length <= 64),
};
export const RESOLVER = closed(FIELDS);
/**
 * A resolver as a library holds it. `bound`: what one call may cost at most, by unit; `composed_of`: resolvers
 * it is made of.
 */
export type Resolver = TypeOf<typeof RESOLVER>;

export const KNOWN = closed({ ...FIELDS, record: TRACK });
/** A resolver with its record. */
export type Known = TypeOf<typeof KNOWN>;

/** The order of resolvers, best first: successes, best σ, id. */
export function compareKnown(a: Known, b: Known): number {
  return (
    b.record.successes - a.record.successes ||
    (b.record.sigma_ppm ?? -1) - (a.record.sigma_ppm ?? -1) ||
    compareText(a.id, b.id)
  );
}

/** Who provides a tag, best first. */
export function fitting(
  known: Iterable<readonly [string, Known]>,
  tag: string,
  without: readonly string[],
): readonly Known[] {
  return [...known]
    .map(([, resolver]) => resolver)
    .filter(({ id, capabilities }) => capabilities.includes(tag) && !without.includes(id))
    .toSorted(compareKnown);
}

/** True where a tool is worth being taken instead of a new one: untried, or it has worked. Source: dec-K24. */
export function isProven({ record }: Known): boolean {
  return record.successes > 0 || record.failures === 0;
}
