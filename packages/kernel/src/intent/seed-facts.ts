/**
 * What the machine itself finds in a seed, read once: units, markers, anchors, negations.
 *
 * @module
 */
import { anchorsOf } from './anchors.js';
import { scoringUnits } from './coverage.js';
import { opennessOf, type Openness } from './markers.js';
import { negationsOf, type Negations } from './polarity.js';
import { scanText } from './quantity.js';
import { salientUnits, type SalientUnit } from './salient.js';
import { SeedText } from './seed.js';

/** A seed with what stands in it. `scoring`: the units that coverage counts. */
export type SeedFacts = {
  readonly seed: SeedText;
  readonly units: readonly SalientUnit[];
  readonly scoring: readonly SalientUnit[];
  readonly open: Openness;
  readonly anchors: ReadonlySet<string>;
  readonly negations: Negations;
};

/** Reads a seed. Linear. */
export function factsOf(seedText: string): SeedFacts {
  const seed = new SeedText(seedText);
  const scan = scanText(seedText);
  const units = salientUnits(seed, scan);
  const taken = new Uint8Array(scan.tokens.length);
  for (const { first, next } of [...scan.quantities, ...scan.moments]) taken.fill(1, first, next);
  return { seed, units, scoring: scoringUnits(units), open: opennessOf(seed, (token) => taken[token] === 1, scan.tokens), anchors: anchorsOf(scan), negations: negationsOf(seed) };
}
