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
export { listRun } from './listed.js';
export { memoryStore } from './memory-store.js';
export { nativeSha256 } from './native-sha256.js';
export { type Dialogue, type Port, type PortAnswer, type PortCall, type Ports, portsByKind } from './port.js';
export type { RejectedAnswer } from './rejected.js';
export { folderNotes, memoryNotes, type CallNotes } from './call-notes.js';
export { folderDoneCalls, type DoneCalls, type FolderDoneCalls } from './done-calls.js';
export { CallNotesError, type CallNotesFault } from './note.js';
export { withLostCalls } from './lost-calls.js';
export { FAILURE_RULES, type FailureClass, PortError, classOfError, classOfStatus } from './failure-class.js';
export { RETRY_AFTER_MS_MAX, retryWaitMs } from './retry.js';
export { type Timer, systemTimer } from './timer.js';
export { clockPort, lastClockReading } from './clock-port.js';
export { Later } from './later.js';
export { loadRun, type LoadError } from './load.js';
export { folderSnapshots, memorySnapshots, type Snapshots } from './snapshots.js';
export { idempotencyKey } from './idempotency-key.js';
export type { DriveEvent } from './drive-event.js';
export type { DriveError } from './drive-error.js';
export { type DriveOptions } from './drive-options.js';
export { drive } from './drive.js';
export { fork } from './fork.js';
