/**
 * What a memory comes to at a moment, as documents: one row for each tag, one for each Megram of a tag.
 *
 * @module
 */
import {
  actionOf,
  decayNano,
  elapsedUs,
  megramsIn,
  potentialsOfMegram,
  potentialsOfTag,
  tagsOf,
  type Action,
  type Megram,
  type MemoryPolicy,
  type Shelf,
  type Tag,
} from '../memory/index.js';

/** A tag at a moment. Potentials in units of 10^-9 of a whole Megram. */
export type TagRow = {
  readonly space: string;
  readonly entity: string;
  readonly m: number;
  readonly k: number;
  readonly c: number;
  readonly attention_nano: number;
  readonly decision_nano: number;
  readonly action: Action;
};

/** A Megram at a moment: how much of it is left, and what that adds. `decay_nano` 10^9: all of it. */
export type MegramRow = Megram & {
  readonly age_us: number;
  readonly decay_nano: number;
  readonly attention_nano: number;
  readonly decision_nano: number;
};

/** The row of a tag. */
export function tagRow(tag: Tag, policy: MemoryPolicy, at_us: number): TagRow {
  const levels = [...megramsIn(tag)].map(({ level }) => level);
  const count = (layer: string): number => levels.filter((level) => level === layer).length;
  const potentials = potentialsOfTag(tag, at_us);
  return {
    space: tag.space,
    entity: tag.entity,
    m: count('M'),
    k: count('K'),
    c: count('C'),
    ...potentials,
    action: actionOf(potentials, policy),
  };
}

/** The rows of all tags, in ascending order of space and entity. */
export function tagRows(shelf: Shelf, policy: MemoryPolicy, at_us: number): readonly TagRow[] {
  return tagsOf(shelf).map((tag) => tagRow(tag, policy, at_us));
}

/** The row of a Megram. */
export function megramRow(megram: Megram, at_us: number): MegramRow {
  const age_us = elapsedUs(megram.created_at_us, at_us);
  return {
    ...megram,
    age_us,
    decay_nano: decayNano(megram.k_ppm_per_day, age_us),
    ...potentialsOfMegram(megram, at_us),
  };
}

/** What a tag's numbers are made of: its rules, then its raw Megrams, the newest first. */
export function megramRows(tag: Tag, at_us: number): readonly MegramRow[] {
  return [...megramsIn(tag)].map((megram) => megramRow(megram, at_us));
}
