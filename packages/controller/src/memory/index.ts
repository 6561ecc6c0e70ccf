/**
 * The memory machine (MKCT): Megrams under tags, two decaying potentials, rules that are promoted and demoted
 * by thresholds, and tombstones.
 *
 * @packageDocumentation
 */
export { memory } from './machine.js';
export {
  type Aftermath,
  type DistilBody,
  type Evidence,
  type InvitationBody,
  type MemoryBody,
  type MemoryDecision,
  type MemoryStep,
  citedKey,
} from './asks.js';
export { type MemoryPolicy, defaultMemoryPolicy, parseMemoryPolicy } from './policy.js';
export {
  ENTITY_UNITS_MAX,
  LOCAL,
  SPACE_UNITS_MAX,
  type TagKind,
  type TagName,
  cut,
  intentSlug,
  intentTag,
  pathTag,
  tagKind,
  targetOf,
  toolOf,
  toolSpace,
  toolTag,
} from './tag.js';
export {
  DEMOTED_RATE,
  DIRECTIVES,
  MATRIX,
  MEGRAM_STATES,
  type MegramState,
  type MemoryDirective,
  type Quantity,
  feedbackAgainst,
  isDirective,
  mayWrite,
  quantityOf,
} from './quantization.js';
export { CONTENT_UNITS_MAX, LEVELS, type Level, type Megram, SOURCES_MAX, megramAt } from './megram.js';
export { DAY_US, NANO, PPM, RATE_MAX, RATE_STEP, decayNano, elapsedUs, isRate } from './decay.js';
export {
  ACTIONS,
  type Action,
  NONE,
  type Potentials,
  actionOf,
  nanoOf,
  potentialsOf,
  potentialsOfMegram,
  potentialsOfTag,
  shownAttention,
} from './potentials.js';
export {
  FAILURES_MAX,
  RECALL_TOOLS_MAX,
  type Recall,
  type RecallQuery,
  type RecalledRule,
  type RecalledTag,
  byTag,
  recallOf,
} from './recall.js';
export { DRAFTS_MAX, type WrittenRound, megramsOf } from './drafts.js';
export { type BadKey, type MemoryKey, decodeKey, encodeKey, spacePrefix, tagPrefix } from './keys.js';
export {
  type MegramDraft,
  type MemoryAnswer,
  RULE_UNITS_MAX,
  WRITE_MEGRAMS_MAX,
  parseAnswer,
} from './answers.js';
export {
  type Distilling,
  INVITATION_KINDS,
  type InvitationKind,
  type MemoryEvent,
  type Polarity,
  type Undistilled,
} from './events.js';
export {
  type Chain,
  EMPTY_SHELF,
  type Shelf,
  TAG_MEGRAMS_MAX,
  type Tag,
  chained,
  emptyTag,
  megramOf,
  megramsIn,
  rawOf,
  tagOn,
  tagsOf,
  withMegram,
  withTag,
  withoutMegram,
} from './shelf.js';
export { DREAM_UNITS_MAX, dream } from './dreaming.js';
export {
  DISTIL_ATTEMPTS,
  DISTIL_KIND,
  EVIDENCE_MAX,
  distilAsk,
  settleDistilled,
  unused,
  withdrawDistilling,
} from './distilling.js';
export { EMPTY as EMPTY_MEMORY, evolve as evolveMemory, type MemoryState } from './state.js';
