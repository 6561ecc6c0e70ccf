/**
 * Which fields of a policy flip a run: a set that does and of which none can be left out, and of a number the
 * value from which on it does. Every answer is a decision made again.
 */
import { define, err, field, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { isEqual, type Overridden } from './change.js';
import { findTurn, type Turn } from './compare.js';
import { redecide, unanswered, type ImpactOptions, type Redecider } from './impact.js';
import type { DerivedParent } from './parent.js';

/** What the run comes to at a value: as under the first policy, flipped, refused by the machine, or not known. */
export type BlameResult = 'same' | 'flips' | 'refused' | 'unknown';

/** Values in a row, both ends included, that come to the same. */
export type Interval = { readonly from: number; readonly to: number; readonly result: BlameResult };

/**
 * A number of the set, the others of it as in the second policy. `threshold`: the last value that stays and the
 * first that flips, neighbours; null if the probed values are not one stretch of each.
 */
export type Threshold = {
  readonly path: string;
  readonly threshold: { readonly stays: number; readonly flips: number } | null;
  readonly intervals: readonly Interval[];
};

/**
 * The blame. `fields`: all in which the policies differ; `set`: those that flip the run, as few as none can be
 * left out: minimal, not smallest, not unique. `isWhole`: no part of it flips, each was tried; else no single
 * field can be left out. `decided`: how often the run was decided again.
 */
export type Blame = {
  readonly fields: readonly Overridden[];
  readonly turn: Turn;
  readonly set: readonly Overridden[];
  readonly isWhole: boolean;
  readonly thresholds: readonly Threshold[];
  readonly decided: number;
};

/**
 * Why there is no blame: the policies do not flip the run (`no_flip`), or one of them is refused or asks what
 * nobody answered; `policy`: which, 0 or 1.
 */
export type NoBlame = {
  readonly code: 'no_flip' | 'refused' | 'unknown';
  readonly policy: 0 | 1 | null;
  readonly detail: Json;
};

/** So many fields at most are tried in all their parts. */
const EXHAUSTIVE_MAX = 10;
/** Values looked at between two ends before boundaries are sought. */
const PROBES = 16;

/** Blames a run, decided by the machine under two whole policies. */
export function blame(
  parent: DerivedParent,
  machine: Redecider,
  [a, b]: readonly [Json, Json],
  options: Pick<ImpactOptions, 'change' | 'sha256'>,
): Result<NoBlame, Blame> {
  const { input } = parent.genesis;
  const decideAgain = (policy: Json): ReturnType<typeof redecide> =>
    redecide(parent, machine, { policy, input }, options);
  const first = decideAgain(a);
  if (first._tag === 'Left') return err({ code: 'refused', policy: 0, detail: readDetail(first.left) });
  if (unanswered(parent.records, first.right).length > 0)
    return err({ code: 'unknown', policy: 0, detail: null });
  const second = decideAgain(b);
  if (second._tag === 'Left') return err({ code: 'refused', policy: 1, detail: readDetail(second.left) });
  if (unanswered(parent.records, second.right).length > 0)
    return err({ code: 'unknown', policy: 1, detail: null });
  const account = machine.view?.account ?? {};
  const turn = findTurn(first.right.records, second.right.records, account);
  if (turn === null) return err({ code: 'no_flip', policy: null, detail: null });
  let decided = 2;
  /** A flip counts where it is at least as strong as the one of the second policy. */
  const makeResult = (policy: Json): BlameResult => {
    decided += 1;
    const again = decideAgain(policy);
    if (again._tag === 'Left') return 'refused';
    if (unanswered(parent.records, again.right).length > 0) return 'unknown';
    const found = findTurn(first.right.records, again.right.records, account);
    return found !== null && STRENGTH[found.kind] >= STRENGTH[turn.kind] ? 'flips' : 'same';
  };
  const fields = fieldsBetween(a, b, []);
  const known = new Map<string, boolean>();
  const flips = (set: readonly Field[]): boolean => {
    const key = set.map((one) => fields.indexOf(one)).join();
    const is = known.get(key) ?? makeResult(mixed(a, set)) === 'flips';
    known.set(key, is);
    return is;
  };
  const reduced = reduce(fields, flips);
  const isWhole = reduced.length <= EXHAUSTIVE_MAX;
  const set = isWhole ? (splitParts(reduced).find(flips) ?? reduced) : reduced;
  const thresholds = set.flatMap((one): readonly Threshold[] => {
    const others = set.filter((other) => other !== one);
    const at = (value: number): BlameResult => makeResult(mixed(a, [...others, { ...one, b: value }]));
    return typeof one.a === 'number' && typeof one.b === 'number'
      ? [findThreshold(one.keys.join('.'), one.a, one.b, at)]
      : [];
  });
  return ok({ fields: fields.map(shown), turn, set: set.map(shown), isWhole, thresholds, decided });
}

type Field = { readonly keys: readonly string[]; readonly a: Json | undefined; readonly b: Json | undefined };

const STRENGTH: { readonly [kind in Turn['kind']]: number } = {
  figures: 0,
  artifact: 1,
  effect: 2,
  outcome: 3,
};

/**
 * Delta debugging: parts are left out, halves first, as long as what is left flips; in the end no single field
 * can be. Source: Zeller and Hildebrandt 2002, ddmin.
 */
function reduce(all: readonly Field[], flips: (set: readonly Field[]) => boolean): readonly Field[] {
  let [set, parts] = [all, 2];
  while (set.length > 1) {
    const size = Math.ceil(set.length / parts);
    const starts = Array.from({ length: Math.ceil(set.length / size) }, (_, index) => index * size);
    const now = set;
    const left = starts
      .map((start) => now.filter((_, index) => index < start || index >= start + size))
      .find((rest) => rest.length > 0 && flips(rest));
    if (left !== undefined) [set, parts] = [left, Math.max(2, parts - 1)];
    else if (size === 1) break;
    else parts = Math.min(set.length, parts * 2);
  }
  return set;
}

/** Every part of a set but the empty one, the smallest first; the last is the set. */
function splitParts(set: readonly Field[]): readonly (readonly Field[])[] {
  return set
    .reduce<readonly (readonly Field[])[]>(
      (parts, one) => [...parts, ...parts.map((part) => [...part, one])],
      [[]],
    )
    .filter(({ length }) => length > 0)
    .sort((one, other) => one.length - other.length);
}

/**
 * The stretches between two values by what they come to, their boundaries found by bisection: of whole numbers
 * where both are, else of all that a ledger can hold.
 */
function findThreshold(path: string, a: number, b: number, at: (value: number) => BlameResult): Threshold {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const isWhole = Number.isInteger(low) && Number.isInteger(high);
  const step = isWhole ? Math.max(1, Math.floor((high - low) / PROBES)) : (high - low) / PROBES;
  const values = Array.from({ length: PROBES }, (_, index) => low + index * step).filter((one) => one < high);
  const [first, ...rest] = [...values, high].map((value) => ({ value, result: at(value) }));
  if (first === undefined) return { path, threshold: null, intervals: [] };
  let before = first;
  const starts: Start[] = [{ ...first, after: null }];
  for (const point of rest) {
    starts.push(...startsBetween(before, point, at, isWhole));
    before = point;
  }
  const intervals = starts.map(
    ({ value, result }, index): Interval => ({ from: value, to: starts[index + 1]?.after ?? high, result }),
  );
  return { path, threshold: neighbours(intervals, a), intervals };
}

type Point = { readonly value: number; readonly result: BlameResult };

/** Where a stretch begins. `after`: the value before it, null for the first. */
type Start = Point & { readonly after: number | null };

/** Where another stretch begins between two values; nothing is looked for between two that come to the same. */
function startsBetween(
  low: Point,
  high: Point,
  at: (value: number) => BlameResult,
  isWhole: boolean,
): readonly Start[] {
  if (low.result === high.result) return [];
  const half = low.value + (high.value - low.value) / 2;
  const value = isWhole ? Math.floor(half) : half;
  if (value <= low.value || value >= high.value) return [{ ...high, after: low.value }];
  const middle = { value, result: at(value) };
  return [...startsBetween(low, middle, at, isWhole), ...startsBetween(middle, high, at, isWhole)];
}

function neighbours(intervals: readonly Interval[], a: number): Threshold['threshold'] {
  const [one, other] = intervals;
  if (one === undefined || other === undefined || intervals.length !== 2) return null;
  const [stays, flips] = one.from === a ? [one, other] : [other, one];
  if (stays.result !== 'same' || flips.result !== 'flips') return null;
  return stays === one ? { stays: one.to, flips: other.from } : { stays: other.from, flips: one.to };
}

/** Fields in which two policies differ, those of objects one by one; undefined if one does not have it. */
function fieldsBetween(a: Json | undefined, b: Json | undefined, keys: readonly string[]): readonly Field[] {
  if (a === undefined || b === undefined || !isObject(a) || !isObject(b))
    return a === b || (a !== undefined && b !== undefined && isEqual(a, b)) ? [] : [{ keys, a, b }];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    fieldsBetween(field(a, key), field(b, key), [...keys, key]),
  );
}

/** A policy with some of its fields as in another one. */
function mixed(policy: Json, set: readonly Field[]): Json {
  return set.reduce<Json>((made, { keys, b }) => withField(made, keys, b) ?? null, policy);
}

function withField(value: Json, [key, ...rest]: readonly string[], to: Json | undefined): Json | undefined {
  if (key === undefined) return to;
  const made: { [key: string]: Json } = {};
  const old: JsonObject = isObject(value) ? value : {};
  for (const [name, inner] of Object.entries(old)) if (name !== key) define(made, name, inner);
  const inner = withField(field(old, key) ?? null, rest, to);
  if (inner !== undefined) define(made, key, inner);
  return made;
}

function shown({ keys, a, b }: Field): Overridden {
  return { path: keys.join('.'), was: a ?? null, would_be: b ?? null };
}

function readDetail({ code, detail }: { readonly code: string; readonly detail: Json }): Json {
  return { code, detail };
}
