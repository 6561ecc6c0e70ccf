/**
 * The machine `library`: tools, goals, attempts and requests that runs of the planner share.
 *
 * @packageDocumentation
 */
export { library, type LibraryAnswer } from './machine.js';
export {
  answerFromLibrary,
  deriveLibraryWrite,
  derivePlannerAnswer,
  fileToken,
  filesWrittenIn,
  listLibraryRows,
} from './deriving.js';
export type { LibraryAsk, LibraryEvent, LibraryState } from './state.js';
export type { GoalKind, LibraryRow } from '../protocol/bodies.js';
