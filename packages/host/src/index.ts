/**
 * The host of a machine: what a store is, a store in memory, and the loop that performs requests.
 *
 * @packageDocumentation
 */
export * from './store.js';
export * from './sound-record.js';
export * from './masked-address.js';
export * from './secrets.js';
export * from './identity.js';
export * from './listed.js';
export * from './memory-store.js';
export * from './native-sha256.js';
export * from './port.js';
export type { RejectedAnswer } from './rejected.js';
export type { Budget, Shortage } from './budget.js';
export { folderNotes, memoryNotes, type CallNotes } from './call-notes.js';
export * from './copied-notes.js';
export {
  folderDoneCalls,
  type DoneCalls,
  type DoneCallsOptions,
  type FolderDoneCalls,
} from './done-calls.js';
export { CallNotesError, type CallNotesFault } from './note.js';
export { withLostCalls } from './lost-calls.js';
export { MALFORMED_PATH_MAX, MALFORMED_TEXT_MAX } from './proposal.js';
export * from './failure-class.js';
export * from './deadlines.js';
export * from './retry.js';
export * from './timer.js';
export * from './clock-port.js';
export { loadRun, type LoadError } from './load.js';
export {
  folderSnapshots,
  memorySnapshots,
  SNAPSHOT_DEADLINE_MS,
  SNAPSHOT_EVERY,
  type Snapshots,
  type SnapshotUse,
} from './snapshots.js';
export type { SnapshotFault } from './resume-snapshot.js';
export { idempotencyKey } from './idempotency-key.js';
export type { DropReason } from './calls.js';
export type { Order, Progress } from './loop.js';
export { CONCURRENCY_MAX } from './check-options.js';
export * from './drive-error.js';
export * from './drive-options.js';
export * from './drive.js';
export { fork, type Forked, type ForkOptions } from './fork.js';
