/**
 * What every store promises, as one suite. Source: design §7.
 *
 * @module
 */
import { declareAppending } from './appending.js';
import { atPlace, type Case, type StorePlace } from './bench.js';
import { declareDeaths, type Damage } from './deaths.js';
import { declareEnds, declareMedium, declareRuns, type Medium } from './ends.js';
import { declareWriters } from './writers.js';

/** The two functions of a test runner that the suite needs. */
export type Runner = {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
};

/**
 * Declares the suite for one kind of store. Every store passes it, unchanged. `media`: ways in which its
 * medium can refuse to take more. Cases of dead writers, torn and spoiled records are declared where `damage`
 * says that the places can bring them about.
 *
 * @example
 * ```ts
 * const makePlace = async () => {
 *   const runs = new Map();
 *   return { open: async () => memoryStore(runs), remove: async () => {} };
 * };
 * storeContract('memory', makePlace, { describe, it });
 * ```
 */
export function storeContract(
  name: string,
  makePlace: () => Promise<StorePlace>,
  { describe, it }: Runner,
  media: readonly Medium[] = [],
  damage: readonly Damage[] = [],
): void {
  const declare = (title: string, body: Case): unknown => it(title, () => atPlace(makePlace, body));
  describe(`store contract: ${name}`, () => {
    describe('append and read back', () => declareAppending(declare));
    describe('one ledger for each run', () => declareRuns(declare));
    describe('two writers', () => declareWriters(declare));
    describe('the end of a store', () => declareEnds(declare));
    if (damage.length > 0)
      describe('what a dead writer or a bad medium left', () => declareDeaths(declare, damage));
    if (media.length > 0)
      describe('media that refuse', () => media.forEach((medium) => declareMedium(medium, it)));
  });
}
