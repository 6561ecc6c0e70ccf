/**
 * The host of a machine: what a store is, a store in memory, and the loop that performs requests.
 *
 * @packageDocumentation
 */
export { type Store, type StoreError, StoreReadError, headAfter, runOf, sequenceOf } from './store.js';
export { soundRecord } from './sound-record.js';
export { maskedAddress } from './masked-address.js';
export { holdsSecret, maskedSecrets, stringsIn } from './secrets.js';
export { type Identity, derivedIdentity } from './identity.js';
export { type Listing, listRun } from './listed.js';
export { type MemoryRuns, memoryStore } from './memory-store.js';
export { nativeSha256 } from './native-sha256.js';
export { type Port, type PortAnswer, type PortCall, type Ports, portsByKind } from './port.js';
export type { RejectedAnswer } from './rejected.js';
export type { Budget, Shortage } from './budget.js';
export { folderNotes, memoryNotes, type CallNotes } from './call-notes.js';
export { type NotesCopied, copyDoneCalls, copyNotes } from './copied-notes.js';
export {
  folderDoneCalls,
  type DoneCalls,
  type DoneCallsOptions,
  type FolderDoneCalls,
} from './done-calls.js';
export { CallNotesError, type CallNotesFault } from './note.js';
export { withLostCalls } from './lost-calls.js';
export { MALFORMED_PATH_MAX, MALFORMED_TEXT_MAX } from './proposal.js';
export {
  FAILURE_RULES,
  type FailureClass,
  type FailureRule,
  PortError,
  type PortErrorDetails,
  classOfErrno,
  classOfError,
  classOfStatus,
} from './failure-class.js';
export { CALL_DEADLINE_MS, type Deadlines, callDeadlineMs } from './deadlines.js';
export { RETRY_AFTER_MS_MAX, RETRY_BASE_MS, RETRY_CAP_MS, type Retry, retryWaitMs } from './retry.js';
export { type Timer, systemTimer } from './timer.js';
export { type ClockOptions, clockPort, lastClockReading } from './clock-port.js';
export { Later, type Waiting } from './later.js';
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
export type { DriveEvent, DropReason, Progress } from './drive-event.js';
export type { Order } from './loop.js';
export { CONCURRENCY_MAX } from './check-options.js';
export type { DriveError } from './drive-error.js';
export { type DriveOptions, INVITATION_ATTEMPTS_MAX, STEPS_MAX } from './drive-options.js';
export { type Driven, drive } from './drive.js';
export { fork, type Forked, type ForkOptions } from './fork.js';
