/**
 * What the machine itself finds in a seed, read once: units, markers, anchors, negations. Quotes that are too long to
 * ground anything are read up to a bound. Source: intent I3.
 */
import { collectAnchors } from './anchors.js';
import type { SlotAnswer } from './answers.js';
import { listQuotes } from './claim.js';
import { measureOpenness, type Openness } from './markers.js';
import { findNegations, type Negations } from './polarity.js';
import { salientUnits, type SalientUnit } from './salient.js';
import { scanText, takenBy } from './scan.js';
import { makeScoring, type Scoring } from './scoring.js';
import { SEED_BYTES_MAX, SeedText, isLong, renderPlace } from './seed.js';
import { findStretches } from './stretches.js';
import type { Token } from './tokens.js';

/** A seed with what stands in it. `scoring`: what coverage counts, and the sentences. */
export type SeedFacts = {
  readonly seed: SeedText;
  readonly tokens: readonly Token[];
  readonly units: readonly SalientUnit[];
  readonly scoring: Scoring;
  readonly open: Openness;
  readonly anchors: ReadonlySet<string>;
  readonly negations: Negations;
};

/** Reads a seed; `answers` say whether the words of long quotes count. Linear. */
export function readFacts(seedText: string, answers: readonly SlotAnswer[] = []): SeedFacts {
  const seed = new SeedText(seedText, readsLong(answers));
  const scan = scanText(seedText);
  const units = salientUnits(seed, scan);
  const taken = takenBy(scan);
  const stretches = findStretches(seed, scan.tokens);
  const open = measureOpenness(seed, (token) => taken[token] === 1, stretches);
  return {
    seed,
    tokens: scan.tokens,
    units,
    scoring: makeScoring(seed, units, stretches),
    open,
    anchors: collectAnchors(scan),
    negations: findNegations(seed),
  };
}

/**
 * Most points that long quotes may hold for their words to count: what is read of them, each once, and what
 * is hashed of them, claim by claim. A request of the greatest size can be quoted whole 32 times.
 */
export const LONG_POINTS_MAX: number = 32 * SEED_BYTES_MAX;

/** True if the words of long quotes count; beyond {@link LONG_POINTS_MAX} only their places do. Linear. */
export function readsLong(answers: readonly SlotAnswer[]): boolean {
  const known = new Set<string>();
  let points = 0;
  const readings = answers.flatMap((answer) => (answer.t === 'answered' ? answer.readings : []));
  for (const claim of readings.flatMap(({ commits }) => commits)) {
    for (const [path, quote] of listQuotes(claim)) {
      if (!isLong(quote)) continue;
      const isHashed = path !== 'quote' || claim.atom === null;
      const times = (isHashed ? 1 : 0) + (known.has(renderPlace(quote)) ? 0 : 1);
      known.add(renderPlace(quote));
      points += times * (quote.end - quote.start);
    }
  }
  return points <= LONG_POINTS_MAX;
}
