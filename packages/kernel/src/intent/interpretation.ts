/** Interpretations as proposed, and the total parser of a list of them. Source: 001 §2.4; intent I3, I5. */
import { isObject, type Json } from '../json.js';
import { closed, integer, list, pairOf, parseShape, refined, sized, type Shape } from '../ledger/shape.js';
import type { Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';
import { KEY } from './atom.js';
import { CLAIM, normalizeClaim, listQuotes, type Claim } from './claim.js';
import type { SeedText } from './seed.js';

/**
 * One reading of the seed: the contract's three fields, the choices this reading makes, and what its proposer
 * claims of them without being able to show it: pairs of commits (by place) that contradict each other, and
 * pairs of keys that mean one measure. A proposal may leave the last three out; they are empty then, and a reading
 * without commits can only lose, or end a run as `nothing_actionable`.
 */
export type Interpretation = {
  readonly name: string;
  readonly assumptions: readonly string[];
  readonly intent_summary: string;
  readonly commits: readonly Claim[];
  readonly contradictions: readonly (readonly [a: number, b: number])[];
  readonly aliases: readonly (readonly [a: string, b: string])[];
};

/**
 * Bounds of an interpretation's text, in UTF-16 units, and of its lists. Beyond them a proposal has the wrong
 * shape.
 */
export const INTERPRETATION_LIMITS: {
  readonly nameUnits: number;
  readonly summaryUnits: number;
  readonly assumptionUnits: number;
} = Object.freeze({ nameUnits: 120, summaryUnits: 2_000, assumptionUnits: 500 });

/**
 * Most commits, assumptions, claimed contradictions and aliases of a reading that is scored; more is the veto
 * `over_limit`.
 */
export const READING_LIMITS: {
  readonly commits: number;
  readonly assumptions: number;
  readonly contradictions: number;
  readonly aliases: number;
} = Object.freeze({ commits: 1_024, assumptions: 64, contradictions: 64, aliases: 64 });

const { nameUnits, summaryUnits, assumptionUnits } = INTERPRETATION_LIMITS;

/** The fields of a reading. */
export const READING: { readonly [field in keyof Interpretation]: Shape<Interpretation[field]> } = {
  name: sized(1, nameUnits),
  assumptions: list(sized(1, assumptionUnits)),
  intent_summary: sized(0, summaryUnits),
  commits: list(CLAIM),
  contradictions: list(pairOf(integer(0))),
  aliases: list(pairOf(KEY)),
};

const LEFT_OUT = { commits: [], contradictions: [], aliases: [] } as const;

/** A contradiction must point at two different commits of its own reading. */
const COMPLETE = refined(closed(READING), ({ commits, contradictions }) => {
  const wrong = contradictions.findIndex(([a, b]) => a === b || a >= commits.length || b >= commits.length);
  return wrong < 0 ? null : `/contradictions/${wrong}`;
});

/** Shape of one reading, with or without what a proposal may leave out. */
export const INTERPRETATION: Shape<Interpretation> = (value) =>
  isObject(value) ? COMPLETE({ ...LEFT_OUT, ...value }) : '';

/** A reading with what its proposal left out. */
export function completed(reading: Interpretation): Interpretation {
  return { ...LEFT_OUT, ...reading };
}

/** Shape of the answer to an `interpretations` request; quotes are judged against the seed apart. */
export const INTERPRETATIONS: Shape<readonly Interpretation[]> = list(INTERPRETATION);

/**
 * Reads a proposal's value. Total. Error `bad_interpretations` with {path, rule}: rule `shape` where the
 * value departs from the closed shape (numbers only as {n, scale}), `outside_seed` where a quote ends
 * beyond the seed. One fault rejects the whole proposal. Linear.
 */
export function parseInterpretations(
  value: Json,
  seed: SeedText,
): Result<Rejection, readonly Interpretation[]> {
  const shaped = parseShape<readonly Interpretation[]>(INTERPRETATIONS, value);
  if (shaped._tag === 'Left')
    return err({ code: 'bad_interpretations', detail: { path: shaped.left.path, rule: 'shape' } });
  const readings = shaped.right.map(completed);
  const outside = locateOutside(readings, seed);
  if (outside !== null)
    return err({ code: 'bad_interpretations', detail: { path: outside, rule: 'outside_seed' } });
  return ok(readings.map((reading) => ({ ...reading, commits: reading.commits.map(normalizeClaim) })));
}

/** Path of the first quote that ends beyond the seed, or null. */
function locateOutside(readings: readonly Interpretation[], seed: SeedText): string | null {
  for (const [index, { commits }] of readings.entries()) {
    for (const [place, claim] of commits.entries()) {
      for (const [path, quote] of listQuotes(claim))
        if (!seed.holds(quote)) return `/${index}/commits/${place}/${path}`;
    }
  }
  return null;
}
