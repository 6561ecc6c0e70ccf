/**
 * The intent machine: a request becomes one committed reading with its blueprint and verification pack, or
 * a refusal that says why.
 *
 * @packageDocumentation
 */
export * from './machine.js';
export * from './engine.js';
export * from './policy.js';
export * from './pin.js';
export * from './atom.js';
export * from './claim.js';
export * from './decimal.js';
export * from './units.js';
export * from './solutions.js';
export * from './seed.js';
export * from './seed-facts.js';
export * from './interpretation.js';
export * from './answers.js';
export * from './veto.js';
export * from './score.js';
export * from './ranking.js';
export {
  applyChange,
  FLIP_FAMILIES,
  FLIP_TRIES_MAX,
  flipsOf,
  rankAnswers,
  type Change,
  type Flip,
  type FlipFamily,
  type Flips,
  type Grounds,
  type ReadingPlace,
} from './flip.js';
export * from './explain.js';
export {
  areContrary,
  claimedOf,
  contradictionsOf,
  type ClaimedContradiction,
  type Contradiction,
} from './contradiction.js';
export * from './resolution.js';
export * from './markers.js';
export * from './anchors.js';
export * from './polarity.js';
export * from './commitment.js';
export * from './blueprint.js';
export * from './pack.js';
export * from './evaluate.js';
export * from './refusal.js';
export * from './salient.js';
export * from './coverage.js';
export * from './stretches.js';
export * from './quantity.js';
export * from './calendar.js';
export * from './tokens.js';
export { singularOf } from './unit-words.js';
export type { IntentEvent, IntentState, Setup, Ended } from './state.js';
