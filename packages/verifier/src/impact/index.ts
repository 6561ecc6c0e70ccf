/**
 * Recorded decisions under change: which of them flip, what caused it, and from which value on. Only recorded
 * answers are used. Pure: no clock, no I/O.
 *
 * @packageDocumentation
 */
export { type Answered, answersIn, listNames, type Refed, refeed } from './refeed.js';
export { blame, type NoBlame } from './blame.js';
export {
  NO_CHANGE,
  changedGiven,
  type Change,
  type Given,
  type Overridden,
  type Override,
  type OverrideFault,
} from './change.js';
export type { RunEnd, Turn } from './compare.js';
export {
  type Flip,
  type ImpactOptions,
  type NotUsable,
  type Redecider,
  type RunImpact,
  impact,
  inputFields,
  judged,
  redecider,
} from './impact.js';
export { type DerivedParent, derivedAgain, readSound } from './parent.js';
export { findParting, type Parting } from './parting.js';
export {
  endText,
  impactReport,
  impactRow,
  impactVerdict,
  type Expected,
  listCompared,
  type RunCompared,
} from './report.js';
