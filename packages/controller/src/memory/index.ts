/**
 * The memory machine (MKCT): Megrams under tags, two decaying potentials, rules that are promoted and demoted
 * by thresholds, and tombstones.
 *
 * @packageDocumentation
 */
export { memory } from './machine.js';
export { type MemoryPolicy, defaultMemoryPolicy } from './policy.js';
export { LOCAL, toolTag } from './tag.js';
export type { Megram } from './megram.js';
export { type RecallQuery, recallMegrams } from './recall.js';
export { potentialsOfTag } from './potentials.js';
export {
  type ToldMemory,
  answerFromMemory,
  deriveMemoryAnswer,
  deriveRecall,
  memoryAnswer,
  recallAnswer,
  toldMemoryIn,
} from './deriving.js';
export type { MemoryAnswer } from './requests.js';
export type { MegramDraft } from './writing.js';
export { listMegrams } from './drafts.js';
export { type Shelf, type Tag, megramsIn, tagOn, listTags } from './shelf.js';
export { DISTIL_KIND, type DistilBody, type MemoryBody } from './distilling.js';
export type { MemoryState, InvitationKind, MemoryEvent } from './state.js';
