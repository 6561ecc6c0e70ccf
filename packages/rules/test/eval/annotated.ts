/**
 * Annotations and readings made by hand, for tests of the scoring.
 */
import { SeedText, type Atom, type Decimal, type Modality, type Op, type Quote } from '@assay/kernel/intent';
import type { Annotated, KnownClaim, KnownQuantity } from '../../src/eval/annotation.ts';
import type { FoundClaim, FoundQuantity, Read } from '../../src/eval/reading.ts';

/** Text that every hand-made quote lies in. */
export const LINE = 'abcdefghij'.repeat(10);

export const quote = (start: number, end: number): Quote => ({ start, end });
export const decimal = (n: number, scale = 0): Decimal => ({ n, scale });
export const atom = (op: Op, value: Atom['value'], unit: string | null = null, key = 'a.b'): Atom => ({
  key,
  op,
  value,
  unit,
});

export const known = (
  modality: Modality,
  start: number,
  end: number,
  its: Atom | null = null,
): KnownClaim => ({ modality, isNegative: modality === 'must_not', quote: quote(start, end), atom: its });

export const found = (
  modality: Modality,
  start: number,
  end: number,
  its: Atom | null = null,
  exception: Quote | null = null,
): FoundClaim => ({
  kind: 'requirement',
  modality,
  quote: quote(start, end),
  atom: its,
  scope: { actor: null, condition: null, exception },
});

export const knownQuantity = (
  start: number,
  end: number,
  op: KnownQuantity['op'],
  value: Decimal | string,
  unit: string | null,
): KnownQuantity => ({ quote: quote(start, end), op, value, unit });
export const foundQuantity = (
  start: number,
  end: number,
  op: Op,
  value: Decimal | string,
  unit: string | null,
  isAbout = false,
): FoundQuantity => ({ quote: quote(start, end), op, isAbout, value, unit });

/** An annotation of which only some fields matter. */
export const annotated = (given: Partial<Annotated>): Annotated => ({
  name: 'x',
  text: LINE,
  pin: null,
  matching: { isWhole: true, isPlaced: true, hasDates: false, sides: { num: 1, den: 2, isAbove: false } },
  claims: [],
  quantities: [],
  vague: [],
  contradictions: [],
  traps: [],
  ignore: [],
  refusal: null,
  ...given,
});

/** A reading of which only some fields matter; its atoms are those of its claims. */
export const reading = (given: Partial<Read>): Read => ({
  seed: new SeedText(LINE),
  name: 'literal',
  claims: [],
  unquoted: 0,
  atoms: given.claims ?? [],
  quantities: [],
  vague: [],
  contradictions: [],
  refused: [],
  isPolicyKept: true,
  ...given,
});
