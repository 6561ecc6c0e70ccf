/**
 * What a call is about, as it is found while the call acts, and whether that is blocked. Source: calls/C3.
 *
 * @module
 */
import { hash } from 'node:crypto';
import { admit, cutText, type Json, orThrow } from '@assay/kernel';
import { denied, type Refusal } from '../refusal.js';
import { type InsidePath, pathLine } from '../workspace/path.js';

/**
 * What an input names, before anything was looked at. `sought`: its words in their order; a null path for a
 * word that is none. `follow`: a link at the end of a path is followed. `say`: the target, of what each word
 * was found to be, null where it was not found.
 */
export type About = {
  readonly sought: readonly Sought[];
  readonly follow: boolean;
  readonly say: (found: readonly (string | null)[]) => string;
};

/** A word of an input: the path it is, or null. */
export type Sought = InsidePath | null;

/** What one call is about. */
export type Aim = {
  /** Notes which path a word was found to be. Gives `blocked_target` where {@link Aim.refusal} does. */
  readonly at: (index: number) => (path: InsidePath) => Refusal | null;
  /** `blocked_target` once every word was found and what they say together is blocked; else null. */
  readonly refusal: () => Refusal | null;
  /** The same of what was found by the end. */
  readonly verdict: () => Refusal | null;
  /** Words that were not found yet. */
  readonly missing: () => readonly number[];
  /** What the call is about as far as it was found; the rest as it was asked. */
  readonly target: () => string;
};

/** The aim of a call. `not`: targets that it must not have. */
export function makeAim({ sought, say }: About, not: readonly string[]): Aim {
  const known = new Map<number, string>();
  const target = (): string => shownTarget(say(sought.map((_, index) => known.get(index) ?? null)));
  const verdict = (): Refusal | null =>
    not.length > 0 && not.includes(target()) ? denied('blocked_target', target()) : null;
  const refusal = (): Refusal | null => (known.size === sought.length ? verdict() : null);
  return {
    at: (index) => (path) => {
      known.set(index, path.text);
      return refusal();
    },
    refusal,
    verdict,
    missing: () => [...sought.keys()].filter((index) => !known.has(index)),
    target,
  };
}

/** An input that names these paths: one says itself as a line, several a list. */
export function aboutPaths(paths: readonly InsidePath[], follow: boolean): About {
  return {
    sought: paths,
    follow,
    say: (found) => {
      const texts = paths.map(({ text }, index) => found[index] ?? text);
      const [first, ...more] = texts;
      return first !== undefined && more.length === 0 ? pathLine(first) : canonicalInput(texts);
    },
  };
}

/** An input that names no path and says this. */
export function aboutText(text: string): About {
  return { sought: [], follow: false, say: () => text };
}

/** Code units of a target that are shown; a longer one is cut there and ends in its SHA-256. */
const TARGET_UNITS = 200;

/** A target as it is recorded and compared: different ones stay different. */
export function shownTarget(text: string): string {
  return text.length <= TARGET_UNITS
    ? text
    : `${cutText(text, TARGET_UNITS)}… sha256 ${hash('sha256', text, 'hex')}`;
}

/**
 * An input that is one text, as that text; one that could be taken for an object, as the object it stands
 * for.
 */
export function plainInput(key: string, text: string): string {
  return text.startsWith('{') ? canonicalInput({ [key]: text }) : text;
}

/** An input of several parts, as canonical JSON. */
export function canonicalInput(input: Json): string {
  return orThrow(admit(input)).text;
}
