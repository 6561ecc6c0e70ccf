/**
 * Everything remembered, by tag: a table of spaces, in each a table of entities, in each the Megrams.
 * Adding one costs the same among a million as among ten; a tag is found without looking at another.
 */
import { PersistentMap, type Digest } from '@assay/kernel';
import {
  closed,
  list,
  refined,
  type Coded,
  type Shape,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { MEGRAM, SEQUENCE, type Megram } from './megram.js';
import { byTag, TAG_NAME, type TagName } from './tag.js';

/** Raw Megrams of one tag, the newest first. Linked, so that adding one copies none. */
export type Chain = { readonly megram: Megram; readonly older: Chain } | null;

/**
 * What is remembered under one tag. `raw`: layers M and K; `rules`: layer C, in order of writing; `used_to`:
 * sequence up to which evidence made a rule.
 */
export type Tag = TagName & {
  readonly raw: Chain;
  readonly count: number;
  readonly rules: readonly Megram[];
  readonly used_to: number;
};

/** All tags, by space and then by entity. */
export type Shelf = PersistentMap<PersistentMap<Tag>>;

const KEPT_MEGRAM = MEGRAM.shape as Shape<ValueOf<typeof MEGRAM>>;
const KEPT_TAG = closed({
  ...TAG_NAME,
  raw: list(KEPT_MEGRAM, ({ length }) => length <= TAG_MEGRAMS_MAX),
  rules: list(KEPT_MEGRAM),
  used_to: SEQUENCE,
});
type KeptTag = TypeOf<typeof KEPT_TAG>;

/** A shelf as its tags in ascending order, each with its Megrams in order of writing. */
export const SHELF: Coded<Shelf> = {
  shape: refined(list(KEPT_TAG), (tags) => (tags.every(isSound) && isAscending(tags) ? null : '')),
  to: (shelf) =>
    listTags(shelf).map(({ entity, raw, rules, space, used_to }) => ({
      entity,
      raw: listRaw({ raw }).map(MEGRAM.to),
      rules: rules.map(MEGRAM.to),
      space,
      used_to,
    })),
  from: (json) =>
    (json as unknown as readonly KeptTag[]).reduce((shelf, { space, entity, raw, rules, used_to }) => {
      const named = (megram: KeptTag['raw'][number]): Megram => ({ ...megram, space, entity });
      const chain = chained(raw.map(named));
      return withTag(shelf, {
        space,
        entity,
        raw: chain,
        count: raw.length,
        rules: rules.map(named),
        used_to,
      });
    }, EMPTY_SHELF),
};

/** True for a tag with Megrams, the raw ones in order of writing, and rules that do not fade. */
function isSound({ raw, rules }: KeptTag): boolean {
  return (
    raw.length + rules.length > 0 &&
    [...raw, ...rules].every(({ source_count, sources }) => source_count >= sources.length) &&
    raw.every(({ level, sequence }, at) => level !== 'C' && sequence >= (raw[at - 1]?.sequence ?? 0)) &&
    rules.every(({ k_ppm_per_day, level }) => level === 'C' && k_ppm_per_day === 0)
  );
}

function isAscending(tags: readonly TagName[]): boolean {
  return tags.every((tag, at) => {
    const before = tags[at - 1];
    return before === undefined || byTag(before, tag) < 0;
  });
}

/** The shelf with nothing on it. */
export const EMPTY_SHELF: Shelf = PersistentMap.empty();

/** Most raw Megrams of one tag: sums of potentials stay far below 2^53. */
export const TAG_MEGRAMS_MAX = 1_000_000;

/** What is remembered under a tag, or null. */
export function tagOn(shelf: Shelf, { space, entity }: TagName): Tag | null {
  return shelf.get(space)?.get(entity) ?? null;
}

/** The shelf with a Megram more. */
export function withMegram(shelf: Shelf, megram: Megram): Shelf {
  const tag = tagOn(shelf, megram) ?? emptyTag(megram);
  return withTag(
    shelf,
    megram.level === 'C'
      ? { ...tag, rules: [...tag.rules, megram] }
      : { ...tag, raw: { megram, older: tag.raw }, count: tag.count + 1 },
  );
}

/** The shelf with a tag replaced; one without Megrams is gone. */
export function withTag(shelf: Shelf, tag: Tag): Shelf {
  const entities = shelf.get(tag.space) ?? PersistentMap.empty<Tag>();
  const changed =
    tag.raw === null && tag.rules.length === 0 ? entities.delete(tag.entity) : entities.set(tag.entity, tag);
  return changed.size === 0 ? shelf.delete(tag.space) : shelf.set(tag.space, changed);
}

/** A tag without one of its Megrams; the same tag where it has none of that id. */
export function withoutMegram(tag: Tag, id: Digest): Tag {
  const rules = tag.rules.filter((rule) => rule.id !== id);
  if (rules.length < tag.rules.length) return { ...tag, rules };
  const newer: Megram[] = [];
  for (let at = tag.raw; at !== null; at = at.older) {
    if (at.megram.id !== id) {
      newer.push(at.megram);
      continue;
    }
    return { ...tag, raw: chained(newer.toReversed(), at.older), count: tag.count - 1 };
  }
  return tag;
}

/** One Megram of a tag, or null. */
export function findMegram(tag: Tag, id: Digest): Megram | null {
  for (const megram of megramsIn(tag)) if (megram.id === id) return megram;
  return null;
}

/** All Megrams of a tag: rules in order of writing, then raw ones, the newest first. */
export function* megramsIn(tag: Tag): Generator<Megram> {
  yield* tag.rules;
  for (let at = tag.raw; at !== null; at = at.older) yield at.megram;
}

/** The raw Megrams of a tag in order of writing. */
export function listRaw(tag: Pick<Tag, 'raw'>): readonly Megram[] {
  const found: Megram[] = [];
  for (let at = tag.raw; at !== null; at = at.older) found.push(at.megram);
  return found.toReversed();
}

/** Megrams in order of writing on top of a chain. */
export function chained(megrams: readonly Megram[], below: Chain = null): Chain {
  return megrams.reduce<Chain>((older, megram) => ({ megram, older }), below);
}

/** All tags in ascending order of space and entity. O(n log n). */
export function listTags(shelf: Shelf): readonly Tag[] {
  return shelf.sorted().flatMap(([, entities]) => entities.sorted().map(([, tag]) => tag));
}

/** A tag under which nothing is remembered yet. */
function emptyTag({ space, entity }: TagName): Tag {
  return { space, entity, raw: null, count: 0, rules: [], used_to: 0 };
}
