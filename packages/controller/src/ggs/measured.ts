/**
 * What an evaluation computes before it says anything: exact figures and the place they lead to.
 *
 * @module
 */
import type { Blocked } from './blocking.js';
import type { DistanceFloor, GapTrend } from './evaluation.js';
import type { Cost, Counted } from './measures.js';
import type { Rational } from './rational.js';
import type { Directive, Place } from './table.js';

/** What changed since the round before. */
export type Change = { readonly loss: Rational; readonly task: Rational; readonly trend: GapTrend };

/** Everything a decision rests on. `gradient`: the one the policy decides on; `rule`: how Ω came about. */
export type Measured = {
  readonly counted: Counted;
  readonly cost: Rational;
  readonly rule: Cost['rule'];
  readonly loss: Rational;
  readonly task: Rational;
  readonly change: Change;
  readonly epsilon: Rational;
  readonly gradient: Rational;
  readonly floor: DistanceFloor | null;
  readonly place: Place;
  readonly worsening: number;
};

/** What was decided. */
export type Chosen = { readonly directive: Directive; readonly reason: string; readonly blocked: Blocked };
