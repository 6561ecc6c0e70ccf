/**
 * The host of a machine: what a store is, a store in memory, and the loop that performs requests.
 *
 * @packageDocumentation
 */
export {
  headAfter,
  memoryStore,
  readRunId,
  readSequence,
  soundRecord,
  type Store,
  type StoreError,
  StoreReadError,
  derivedIdentity,
  idempotencyKey,
  type Identity,
  nativeSha256,
} from './store.js';
export { holdsSecret, maskedAddress, maskedSecrets, stringsIn } from './secrets.js';
export { listRun } from './listed.js';
export {
  type Dialogue,
  Later,
  type Port,
  type PortAnswer,
  type PortCall,
  type Ports,
  portsByKind,
  type RejectedAnswer,
} from './port.js';
export {
  folderBlobs,
  folderOutputs,
  memoryBlobs,
  memoryOutputs,
  type Blobs,
  type Outputs,
} from './blobs.js';
export { folderJournal, listLacking, type Journal } from './journal.js';
export { folderNotes, memoryNotes, type CallNotes } from './call-notes.js';
export { folderDoneCalls, type DoneCalls, type KeptDoneCalls } from './done-calls.js';
export { CallNotesError, makeNote, readNote, type CallNotesFault } from './note.js';
export { withLostCalls } from './lost-calls.js';
export {
  classOfError,
  classOfStatus,
  FAILURE_RULES,
  type FailureClass,
  PortError,
  RETRY_AFTER_MS_MAX,
} from './failure-class.js';
export { type Timer, systemTimer } from './timer.js';
export { clockPort, lastClockReading } from './clock-port.js';
export { loadRun, type LoadError } from './load.js';
export { folderSnapshots, memorySnapshots, type Snapshots } from './snapshots.js';
export type { DriveError, DriveEvent, DriveOptions } from './drive-options.js';
export { drive } from './drive.js';
export { Heap } from './queue.js';
export { fork } from './fork.js';
export {
  openSequencer,
  type OpenError,
  type SequenceError,
  type Sequenced,
  type Sequencer,
} from './sequencer.js';
