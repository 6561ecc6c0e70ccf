/**
 * The state of a memory as JSON, and back. Text from evidence is never an object key: tables are lists.
 * Source: machine interface; ledger format, "State hash".
 *
 * @module
 */
import {
  compareText,
  err,
  isArray,
  ok,
  parseShape,
  PersistentMap,
  type Digest,
  type Json,
  type Rejection,
  type Result,
  type Shape,
} from '@assay/kernel';
import { closed, digest, free, integer, list, nullable, oneOf, text } from '@assay/kernel/shape';
import { isRate, PPM } from './decay.js';
import { INVITATION_KINDS, type Distilling } from './events.js';
import { CONTENT_UNITS_MAX, LEVELS, SOURCES_MAX, type Level, type Megram } from './megram.js';
import { parseMemoryPolicy, type MemoryPolicy } from './policy.js';
import { MEGRAM_STATES, type MegramState } from './quantization.js';
import { chained, rawOf, tagOn, TAG_MEGRAMS_MAX, tagsOf, type Shelf, type Tag } from './shelf.js';
import type { MemoryState } from './state.js';
import { ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from './tag.js';

/** Writes a state. Linear in all that is remembered. */
export function encode({ cited, clock_us, distilling, invitations, policy, shelf }: MemoryState): Json {
  const tags = tagsOf(shelf).map((tag) => ({
    entity: tag.entity,
    raw: rawOf(tag).map(encodeMegram),
    rules: tag.rules.map(encodeMegram),
    space: tag.space,
    used_to: tag.used_to,
  }));
  return {
    cited: cited.sorted(),
    clock_us,
    distilling: distilling.sorted(),
    invitations: invitations.sorted(),
    policy,
    tags,
  };
}

/** A Megram without its tag, which it stands under. */
function encodeMegram({
  content,
  created_at_us,
  f_ppm,
  id,
  k_ppm_per_day,
  last_recalled_at_us,
  level,
  sequence,
  sigma_ppm,
  source_count,
  sources,
  state,
  upto,
}: Megram): EncodedMegram {
  return {
    content,
    created_at_us,
    f_ppm,
    id,
    k_ppm_per_day,
    last_recalled_at_us,
    level,
    sequence,
    sigma_ppm,
    source_count,
    sources,
    state,
    upto,
  };
}

type EncodedMegram = {
  readonly content: string;
  readonly created_at_us: number;
  readonly f_ppm: number;
  readonly id: Digest;
  readonly k_ppm_per_day: number;
  readonly last_recalled_at_us: number | null;
  readonly level: Level;
  readonly sequence: number;
  readonly sigma_ppm: number;
  readonly source_count: number;
  readonly sources: readonly Digest[];
  readonly state: MegramState;
  readonly upto: number;
};
type EncodedTag = {
  readonly entity: string;
  readonly raw: readonly EncodedMegram[];
  readonly rules: readonly EncodedMegram[];
  readonly space: string;
  readonly used_to: number;
};
type Encoded = {
  readonly cited: readonly (readonly [string, number])[];
  readonly clock_us: number;
  readonly distilling: readonly (readonly [string, Distilling])[];
  readonly invitations: readonly (readonly [string, string])[];
  readonly policy: MemoryPolicy;
  readonly tags: readonly EncodedTag[];
};

/** Far above any sequence of a ledger (10^12 records). */
const SEQUENCE_MAX = 1_000_000_000_000;
const sequence = integer(0, SEQUENCE_MAX);
const time = integer(0);
const space = text(({ length }) => length <= SPACE_UNITS_MAX);
const entity = text(({ length }) => length <= ENTITY_UNITS_MAX);
const MEGRAM = closed({
  content: text(({ length }) => length <= CONTENT_UNITS_MAX),
  created_at_us: time,
  f_ppm: integer(0, PPM),
  id: digest,
  k_ppm_per_day: (value) => (typeof value === 'number' && isRate(value) ? null : ''),
  last_recalled_at_us: nullable(time),
  level: oneOf(LEVELS),
  sequence,
  sigma_ppm: integer(-PPM, PPM),
  source_count: integer(0, SEQUENCE_MAX),
  sources: list(digest, ({ length }) => length <= SOURCES_MAX),
  state: oneOf(MEGRAM_STATES),
  upto: sequence,
});
const TAG = closed({
  entity,
  raw: list(MEGRAM, ({ length }) => length <= TAG_MEGRAMS_MAX),
  rules: list(MEGRAM),
  space,
  used_to: sequence,
});
const DISTILLING = closed({
  at_us: time,
  attention_nano: integer(0),
  decision_nano: integer(-Number.MAX_SAFE_INTEGER),
  entity,
  polarity: oneOf(['best_practice', 'constraint']),
  space,
  upto: sequence,
});
const isRequestId = text((id) => /^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)$/.test(id));
const STATE = closed({
  cited: list(
    pair(
      text(() => true),
      sequence,
    ),
  ),
  clock_us: time,
  distilling: list(pair(isRequestId, DISTILLING)),
  invitations: list(pair(oneOf(INVITATION_KINDS), isRequestId)),
  policy: free,
  tags: list(TAG),
});

/**
 * Reads a state back. Total on any JSON: it may come from a snapshot somebody else made. Error `bad_state`
 * {path}.
 */
export function decode(json: Json): Result<Rejection, MemoryState> {
  const shaped = parseShape<Encoded>(STATE, json);
  if (shaped._tag === 'Left') return bad(shaped.left.path);
  const { clock_us, ...tables } = shaped.right;
  const policy = parseMemoryPolicy(tables.policy);
  if (policy._tag === 'Left') return bad('/policy');
  const lists: readonly (readonly [string, readonly (readonly [string, unknown])[]])[] = [
    ['cited', tables.cited],
    ['distilling', tables.distilling],
    ['invitations', tables.invitations],
  ];
  const unsorted = lists.find(
    ([, rows]) =>
      !isAscending(
        rows.map(([key]) => key),
        compareText,
      ),
  );
  if (unsorted !== undefined) return bad(`/${unsorted[0]}`);
  const shelf = readShelf(tables.tags, clock_us);
  if (shelf === null) return bad('/tags');
  const distilling = PersistentMap.from(tables.distilling);
  // A promotion waits at a tag that is there: what empties the tag withdraws it.
  if (tables.distilling.some(([, waiting]) => tagOn(shelf, waiting) === null || waiting.at_us > clock_us))
    return bad('/distilling');
  return ok({
    cited: PersistentMap.from(tables.cited),
    clock_us,
    distilling,
    invitations: PersistentMap.from(tables.invitations),
    policy: policy.right,
    shelf,
  });
}

/**
 * The shelf of a list of tags in ascending order, each with its Megrams in order of writing; null where they
 * are not.
 */
function readShelf(tags: readonly EncodedTag[], clock_us: number): Shelf | null {
  if (!isAscending(tags, (a, b) => compareText(a.space, b.space) || compareText(a.entity, b.entity)))
    return null;
  const spaces = new Map<string, PersistentMap<Tag>>();
  for (const encoded of tags) {
    const tag = readTag(encoded, clock_us);
    if (tag === null) return null;
    spaces.set(tag.space, (spaces.get(tag.space) ?? PersistentMap.empty<Tag>()).set(tag.entity, tag));
  }
  return PersistentMap.from(spaces);
}

function readTag(
  { entity: of, raw, rules, space: under, used_to }: EncodedTag,
  clock_us: number,
): Tag | null {
  const isSound = (megram: EncodedMegram): boolean =>
    megram.created_at_us <= clock_us &&
    (megram.last_recalled_at_us ?? 0) <= clock_us &&
    megram.source_count >= megram.sources.length;
  if (raw.length + rules.length === 0 || ![...raw, ...rules].every(isSound)) return null;
  if (
    raw.some(({ level }) => level === 'C') ||
    rules.some(({ k_ppm_per_day, level }) => level !== 'C' || k_ppm_per_day !== 0)
  )
    return null;
  if (raw.some((megram, index) => megram.sequence < (raw[index - 1]?.sequence ?? 0))) return null;
  const withTag = (megram: EncodedMegram): Megram => ({ ...megram, space: under, entity: of });
  return {
    space: under,
    entity: of,
    raw: chained(raw.map(withTag)),
    count: raw.length,
    rules: rules.map(withTag),
    used_to,
  };
}

function isAscending<T>(rows: readonly T[], compare: (a: T, b: T) => number): boolean {
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before, row) < 0;
  });
}

function pair(key: Shape, value: Shape): Shape {
  return (row: Json): string | null =>
    isArray(row) && row.length === 2 ? (key(row[0] ?? null) ?? value(row[1] ?? null)) : '';
}

function bad(path: string): Result<Rejection, never> {
  return err({ code: 'bad_state', detail: { path } });
}
