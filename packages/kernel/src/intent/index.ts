/**
 * The intent machine: a request becomes one committed reading with its blueprint and verification pack, or
 * a refusal that says why.
 *
 * @packageDocumentation
 */
export { INTERPRETATIONS_KIND, type InterpretationsBody, SLOT_ATTEMPTS, intent } from './machine.js';
export {
  type InterpretationProposer,
  type Proposed,
  type RunResult,
  intentReplayable,
  replay,
  runEngine,
} from './engine.js';
export {
  CRITERIA,
  type Criterion,
  PPM,
  PROPOSERS_MAX,
  type Policy,
  WEIGHT_MAX,
  type Weights,
  completePolicy,
  defaultPolicy,
  parsePolicy,
} from './policy.js';
export { PINS_MAX, type PinAtom, areApart, keyOfPin, parsePin } from './pin.js';
export {
  ATOM,
  type Atom,
  type AtomValue,
  KEY_PATTERN,
  KEY_UNITS_MAX,
  OPS,
  type Op,
  TEXT_FORMS,
  VALUE_UNITS_MAX,
  isKey,
  isMoment,
  isUnit,
  normalizeAtom,
  renderAtom,
  sideOf,
} from './atom.js';
export {
  CLAIM,
  CLAIM_KINDS,
  type Claim,
  type ClaimKind,
  MODALITIES,
  type Modality,
  NO_SCOPE,
  QUESTION_CLASSES,
  QUESTION_KEY,
  type QuestionClass,
  type Scope,
  commitmentOf,
  compareByPlace,
  identityOf,
  isActionable,
  normalizeClaim,
  questionClassOf,
  quotesOf,
  scopeKey,
  textOf,
} from './claim.js';
export {
  DECIMAL,
  type Decimal,
  type Rational,
  SCALE_MAX,
  addDecimals,
  addRational,
  compareRational,
  decimalOf,
  decimalOfNumber,
  divideRational,
  multiplyRational,
  normalizeDecimal,
  rational,
  renderDecimal,
  scaleDecimal,
  toRational,
} from './decimal.js';
export {
  type Amount,
  MONEY,
  type Measure,
  TEXT_UNITS,
  UNIT_UNITS_MAX,
  amountOf,
  isKnownUnit,
  isSameAmount,
  measureOf,
} from './units.js';
export { OPPOSITE, type Solutions, admittedBy, isDisjoint, isWithin, solutionsOf } from './solutions.js';
export {
  QUOTE,
  QUOTE_POINTS_MAX,
  type Quote,
  SEED_BYTES_MAX,
  SeedText,
  isLong,
  oncePerQuote,
  placeOf,
} from './seed.js';
export { type SeedFacts, factsOf } from './seed-facts.js';
export {
  INTERPRETATIONS,
  INTERPRETATION_LIMITS,
  type Interpretation,
  READING_LIMITS,
  completed,
  parseInterpretations,
} from './interpretation.js';
export {
  type Answered,
  type Candidate,
  type SlotAnswer,
  candidatesOf,
  commitmentsOf,
  keyOf,
} from './answers.js';
export { type Stated, VETO_CODES, type Veto, type VetoCode, isReadable, vetoesOf } from './veto.js';
export {
  type Score,
  type ScoreBasis,
  type ScorePart,
  type Supported,
  affirms,
  claimedQuotes,
  scoreReadings,
} from './score.js';
export {
  type Ranked,
  type Ranking,
  type TieBreak,
  type Vetoed,
  marginOf,
  rankCandidates,
} from './ranking.js';
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
export {
  EXPLANATION_FORMAT,
  type ExplainedPart,
  type ExplainedReading,
  type Explanation,
  explainAnswers,
} from './explain.js';
export {
  areContrary,
  claimedOf,
  contradictionsOf,
  type ClaimedContradiction,
  type Contradiction,
} from './contradiction.js';
export { type Resolution, SETTLED_MAX, type SettledBy, resolutionsOf } from './resolution.js';
export { type Disclosure, type Marker, type Openness, disclosureOf, opennessOf } from './markers.js';
export { type Anchoring, amountAnchor, anchorOf, anchoringOf, anchorsOf } from './anchors.js';
export { type Asserted, type Negations, assertedNegation, negationsOf } from './polarity.js';
export { type Commitment, type Provenance, commit, depthOf, isMentioned } from './commitment.js';
export {
  BLUEPRINT_FORMAT,
  type Blueprint,
  type BlueprintClaim,
  type BlueprintContradiction,
  type BlueprintParts,
  type Cited,
  type Loser,
  type OpenQuestion,
  type Settlement,
  type Supporter,
  blueprintOf,
  cite,
  losersOf,
  questionOf,
  supportersOf,
} from './blueprint.js';
export { type Check, METHODS, type Method, PACK_FORMAT, type VerificationPack, packOf } from './pack.js';
export {
  type CheckEvidence,
  type CheckReason,
  type CheckStatus,
  type CheckVerdict,
  EVIDENCE_UNITS_MAX,
  type PackVerdict,
  evaluatePack,
  parseEvidence,
} from './evaluate.js';
export {
  type AnswerCited,
  REASON_CODES,
  REFUSAL_FORMAT,
  type Reason,
  type ReasonCode,
  type RefusalParts,
  type RefusalReport,
  refusalOf,
  suggestionFor,
} from './refusal.js';
export { SALIENT_KINDS, type SalientKind, type SalientUnit, salientUnits } from './salient.js';
export { COVERED_MAX, accountedBy, coveredBy, statementOf } from './coverage.js';
export { type Scoring, scoringOf } from './scoring.js';
export {
  BULLETS,
  type Stretches,
  countApart,
  isHeadingAt,
  isOpener,
  placeIn,
  stretchesOf,
} from './stretches.js';
export { LABELS, type Quantity } from './quantity.js';
export { type Scan, readQuantity, scanSaid, scanText, takenBy, toleranceAt } from './scan.js';
export { type Moment, isYear, readMoment } from './calendar.js';
export { type Token, type TokenKind, isDigit, lowerAscii, tokenize } from './tokens.js';
export { singularOf } from './unit-words.js';
export type { IntentEvent, IntentState, Setup, Ended } from './state.js';
