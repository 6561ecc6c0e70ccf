/**
 * The machine `library`: tools, goals, attempts and requests that runs of the planner share.
 *
 * @packageDocumentation
 */
export { citedKey, library, type LibraryAnswer } from './machine.js';
export { answerReading, findSettled } from './reading.js';
export {
  answerFromLeaf,
  answerFromLibrary,
  deriveLibraryWrite,
  derivePlannerAnswer,
  fileToken,
  filesWrittenIn,
  listLibraryRows,
} from './deriving.js';
export type { LibraryAsk, LibraryEvent, LibraryState } from './state.js';
export type { GoalKind, LibraryRow } from '../protocol/library-rows.js';
