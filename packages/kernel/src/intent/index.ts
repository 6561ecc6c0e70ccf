/**
 * The intent machine: a request becomes one committed reading with its blueprint and verification pack, or
 * a refusal that says why.
 *
 * @packageDocumentation
 */
export { type InterpretationsBody, intent } from './machine.js';
export { type InterpretationProposer, intentReplayable, replay, runEngine } from './engine.js';
export { CRITERIA, type Policy, completePolicy, defaultPolicy } from './policy.js';
export { PINS_MAX, type PinAtom, areApart, parsePin } from './pin.js';
export {
  ATOM,
  type Atom,
  type Op,
  TEXT_FORMS,
  isKey,
  isMoment,
  normalizeAtom,
  renderAtom,
} from './atom.js';
export {
  type Claim,
  type ClaimKind,
  MODALITIES,
  type Modality,
  NO_SCOPE,
  QUESTION_CLASSES,
  QUESTION_KEY,
  type QuestionClass,
  type Scope,
  findQuestionClass,
  readClaimText,
} from './claim.js';
export { type Decimal, parseDecimal, renderDecimal, toRational } from './decimal.js';
export { MONEY, countDecimals, isKnownUnit, isSameAmount, findMeasure } from './units.js';
export { OPPOSITE } from './solutions.js';
export { QUOTE_POINTS_MAX, type Quote, SEED_BYTES_MAX, SeedText } from './seed.js';
export { type SeedFacts, readFacts } from './seed-facts.js';
export {
  INTERPRETATION_LIMITS,
  type Interpretation,
  READING_LIMITS,
  parseInterpretations,
} from './interpretation.js';
export { type SlotAnswer, listCandidates, listCommitments } from './answers.js';
export { isReadable } from './veto.js';
export { claimedQuotes, scoreReadings } from './score.js';
export { rankAnswers, type Grounds } from './flip.js';
export { findContradictions } from './contradiction.js';
export {
  type Blueprint,
  type BlueprintClaim,
  type BlueprintContradiction,
  type Cited,
  type Loser,
  type OpenQuestion,
  type Settlement,
} from './blueprint.js';
export { type Check, PACK_FORMAT, type VerificationPack } from './pack.js';
export {
  type CheckEvidence,
  type CheckReason,
  type CheckVerdict,
  type PackVerdict,
  evaluatePack,
  parseEvidence,
} from './evaluate.js';
export { type AnswerCited, type Reason, type RefusalReport } from './refusal.js';
export { salientUnits } from './salient.js';
export { coveredBy } from './bearing.js';
export { type Quantity } from './quantity.js';
export { type Scan, readQuantity, scanSaid, scanText } from './scan.js';
export { type Moment } from './calendar.js';
export { type Token, tokenize } from './tokens.js';
export { findSingular } from './unit-words.js';
