/**
 * What the machine itself finds in a seed, read once: units, markers, anchors, negations.
 *
 * @module
 */
import { anchorsOf } from './anchors.js';
import type { SlotAnswer } from './answers.js';
import { scoringOf, type Scoring } from './scoring.js';
import { readsLong } from './long-quotes.js';
import { opennessOf, type Openness } from './markers.js';
import { negationsOf, type Negations } from './polarity.js';
import { scanText, takenBy } from './scan.js';
import { salientUnits, type SalientUnit } from './salient.js';
import { SeedText } from './seed.js';
import { stretchesOf } from './stretches.js';
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
export function factsOf(seedText: string, answers: readonly SlotAnswer[] = []): SeedFacts {
  const seed = new SeedText(seedText, readsLong(answers));
  const scan = scanText(seedText);
  const units = salientUnits(seed, scan);
  const taken = takenBy(scan);
  const stretches = stretchesOf(seed, scan.tokens);
  const open = opennessOf(seed, (token) => taken[token] === 1, scan.tokens, stretches.sentences);
  return {
    seed,
    tokens: scan.tokens,
    units,
    scoring: scoringOf(seed, units, stretches),
    open,
    anchors: anchorsOf(scan),
    negations: negationsOf(seed),
  };
}
