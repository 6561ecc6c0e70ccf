/**
 * What the machine itself finds in a seed, read once: units, markers, anchors, negations.
 *
 * @module
 */
import { collectAnchors } from './anchors.js';
import type { SlotAnswer } from './answers.js';
import { makeScoring, type Scoring } from './scoring.js';
import { readsLong } from './long-quotes.js';
import { measureOpenness, type Openness } from './markers.js';
import { findNegations, type Negations } from './polarity.js';
import { scanText, takenBy } from './scan.js';
import { salientUnits, type SalientUnit } from './salient.js';
import { SeedText } from './seed.js';
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
