/**
 * Figures over many requests, as one line.
 *
 * @module
 */
import { both, isSameSide, type Judged, type Matched } from './score.js';

/** Precision, recall, and how many were annotated. A share of nothing is null. */
export type Shares = { readonly p: number | null; readonly r: number | null; readonly n: number };

/**
 * All figures. Shares are cut after four digits in the direction that flatters less: down, and
 * `false_refusals` up.
 */
export type Figures = {
  readonly requests: number;
  readonly requirement: Shares;
  readonly quantity_value: Shares;
  readonly quantity_operator: Shares;
  readonly vague: Shares;
  readonly contradiction: Shares;
  readonly polarity_right: number | null;
  readonly false_refusals: number | null;
  readonly no_quote: number;
  readonly traps: number;
};

/** Sums all requests up, each claim counting alike. */
export function figuresOf(judged: readonly Judged[]): Figures {
  const paired = judged
    .flatMap(({ polarity }) => both(polarity))
    .filter(({ known }) => known.isNegative !== null);
  const right = paired.filter(({ known, found }) => isSameSide(known, found)).length;
  const decidable = judged.filter(({ annotated }) => annotated.refusal === null);
  const vague = judged.map((one) => one.vague);
  const [asked, known] = [vague.flatMap((one) => one.found), vague.flatMap((one) => one.known)];
  return {
    requests: judged.length,
    requirement: sharesOf(judged.map((one) => one.requirement)),
    quantity_value: sharesOf(judged.map((one) => one.quantityValue)),
    quantity_operator: sharesOf(judged.map((one) => one.quantityOperator)),
    vague: {
      p: floored(asked.filter(Boolean).length, asked.length),
      r: floored(known.filter(Boolean).length, known.length),
      n: known.length,
    },
    contradiction: sharesOf(judged.map((one) => one.contradiction)),
    polarity_right: floored(right, paired.length),
    false_refusals: raised(decidable.filter(({ read }) => read.refused.length > 0).length, decidable.length),
    no_quote: judged.reduce((sum, { read }) => sum + read.unquoted, 0),
    traps: judged.reduce((sum, { fired }) => sum + fired.length, 0),
  };
}

function sharesOf(all: readonly Matched<unknown, unknown>[]): Shares {
  const sum = (count: (one: Matched<unknown, unknown>) => number): number =>
    all.reduce((total, one) => total + count(one), 0);
  const [pairs, found, known] = [
    sum((one) => one.pairs.length),
    sum((one) => one.found.length),
    sum((one) => one.known.length),
  ];
  return { p: floored(pairs, found), r: floored(pairs, known), n: known };
}

const DIGITS = 10_000;

function floored(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * DIGITS) / whole) / DIGITS;
}

function raised(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.ceil((part * DIGITS) / whole) / DIGITS;
}
