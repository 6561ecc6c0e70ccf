/**
 * Anchors: the amounts, dates and clock times of a seed, and how many of them a reading shares or invents.
 * Source: intent I10 (specificity).
 */
import type { Atom } from './atom.js';
import type { Claim } from './claim.js';
import { renderDecimal, type Decimal } from './decimal.js';
import type { Interpretation } from './interpretation.js';
import { scanText, type Scan } from './scan.js';
import { makeAmount, isKnownUnit } from './units.js';

/**
 * Shared: anchors of the seed that the reading's atoms hold. Invented: anchors of its atoms and of its own
 * words that the seed lacks.
 */
export type Anchoring = { readonly shared: number; readonly invented: number };

/** The anchors of a text, each once. Linear. */
export function collectAnchors({
  quantities,
  moments,
}: Pick<Scan, 'quantities' | 'moments'>): ReadonlySet<string> {
  const amounts = quantities.map(({ value, unit }) => amountAnchor(value, unit));
  const times = moments.flatMap(({ value }) => (value === null ? [] : [value]));
  return new Set([...amounts, ...times]);
}

/** What a reading does with the anchors of a seed. Words alone share nothing: only atoms do. */
export function measureAnchoring(
  claims: readonly Claim[],
  { name, intent_summary, assumptions }: Interpretation,
  seed: ReadonlySet<string>,
): Anchoring {
  const held = new Set(
    claims.flatMap(({ kind, atom }) => (atom === null || kind === 'question' ? [] : listAnchors(atom))),
  );
  const said = [name, intent_summary, ...assumptions].flatMap((text) => [...collectAnchors(scanText(text))]);
  const invented = new Set([...held, ...said].filter((anchor) => !seed.has(anchor)));
  return { shared: [...held].filter((anchor) => seed.has(anchor)).length, invented: invented.size };
}

/** The anchor an atom holds: none or one. */
export function listAnchors({ value, unit }: Atom): readonly string[] {
  if (typeof value === 'object') return [amountAnchor(value, unit)];
  return typeof value === 'string' && unit !== null ? [value] : [];
}

/** An amount in base units; of counted things the bare number, since what is counted has many names. */
export function amountAnchor(value: Decimal, unit: string | null): string {
  if (unit === null || !isMeasured(unit)) return `n ${renderDecimal(value)}`;
  const { dimension, low } = makeAmount(value, unit);
  const divisor = gcd(low.num < 0n ? -low.num : low.num, low.den);
  return `${dimension} ${low.num / divisor}/${low.den / divisor}`;
}

function isMeasured(unit: string): boolean {
  const slash = unit.indexOf('/');
  return isKnownUnit(unit) || (slash > 0 && isKnownUnit(unit.slice(0, slash)));
}

function gcd(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left === 0n ? 1n : left;
}
