/**
 * The decision table: three bands of the gradient, two sides each of D, P and Ω, 24 cells, six macro-states.
 * Source: 002 §R7 "Macro-State Decision Table", "Full 24-cell enumeration"; dec-G1, dec-G2.
 */
import { compare, negate, ofPpm, type Rational } from './rational.js';

/** The bands of the gradient, in the order of the printed table. */
export const BANDS = ['improving', 'plateau', 'worsening'] as const;
/** One of {@link BANDS}. */
export type Band = (typeof BANDS)[number];

/**
 * What the solver can say. `accept` comes from an OutcomeSummary alone (dec-G18), the others from the table.
 */
export const DIRECTIVES = [
  'accept',
  'success',
  'abandon',
  'break_symmetry',
  'change_approach',
  'change_path',
  'refine',
] as const;
/** One of {@link DIRECTIVES}. */
export type Directive = (typeof DIRECTIVES)[number];
/** A directive that ends the task, by a FinalResult. */
export type TerminalDirective = 'accept' | 'success' | 'abandon';
/** A directive that goes to the planner, and raises the replan count (dec-G10). */
export type ActionDirective = Exclude<Directive, TerminalDirective>;

/** True for a directive that ends the task. */
export function isTerminal(directive: Directive): directive is TerminalDirective {
  return directive === 'accept' || directive === 'success' || directive === 'abandon';
}

/** (−∞, −ε] improves, (−ε, ε) is a plateau, [ε, ∞) worsens: equality is signal (dec-G1). */
function findBand(gradient: Rational, epsilon: Rational): Band {
  if (compare(gradient, epsilon) >= 0) return 'worsening';
  return compare(gradient, negate(epsilon)) <= 0 ? 'improving' : 'plateau';
}

/** The thresholds of a table, in ppm. */
export type Thresholds = { readonly delta: number; readonly rho: number; readonly theta: number };

/**
 * Where exact figures lie: equality is close enough for D, environmental for P, abandon for Ω, signal for the
 * gradient (dec-G1, dec-G2).
 */
export function findPlace(
  gradient: Rational,
  epsilon: Rational,
  d: Rational,
  p: Rational,
  omega: Rational,
  { delta, rho, theta }: Thresholds,
): Place {
  return {
    band: findBand(gradient, epsilon),
    far: compare(d, ofPpm(delta)) > 0,
    logical: compare(p, ofPpm(rho)) > 0,
    spent: compare(omega, ofPpm(theta)) >= 0,
  };
}

/** Where a round lies. `far`: D > δ, or a floor holds it there; `logical`: P > ρ; `spent`: Ω ≥ θ (dec-G2). */
export type Place = {
  readonly band: Band;
  readonly far: boolean;
  readonly logical: boolean;
  readonly spent: boolean;
};

/** The printed number of a cell, 1 to 24. */
export function findCell({ band, far, logical, spent }: Place): number {
  return BANDS.indexOf(band) * 8 + (far ? 4 : 0) + (spent ? 2 : 0) + (logical ? 1 : 0) + 1;
}

/** The macro-state of a cell, by the cascade: Ω, then D, then signal and P together. Total. */
export function macroState({ band, far, logical, spent }: Place): Exclude<Directive, 'accept'> {
  if (spent) return 'abandon';
  if (!far) return 'success';
  const isStuck = band === 'plateau';
  if (logical) return isStuck ? 'break_symmetry' : 'change_approach';
  return isStuck ? 'change_path' : 'refine';
}
