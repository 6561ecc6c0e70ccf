/**
 * The Assay kernel: canonical JSON, evidence ledger, context graph, machine interface, replay.
 * Pure and synchronous: no clock, no I/O, no randomness.
 *
 * @packageDocumentation
 */
export * from './result.js';
export * from './json.js';
export * from './hash/sha256.js';
export * from './canonical/limits.js';
export * from './canonical/admit.js';
export * from './canonical/canonicalize.js';
export { measure, readCanonical, type CanonicalText, type ReadCode } from './canonical/read.js';
export { cutText, utf8Bytes, utf8Length, decodeUtf8 } from './canonical/text.js';
export * from './ledger/names.js';
export * from './ledger/payloads.js';
export { isIntegral, tokenFault, type TokenCode } from './ledger/values.js';
export { parseShape, type Shape, type ShapeFault } from './ledger/shape.js';
export {
  encodeLine,
  fitsLine,
  makeRecord,
  recordHash,
  type Due,
  type EvidenceRecord,
  type Place,
} from './ledger/record.js';
export {
  ledgerRecord,
  type DerivedRecord,
  type LedgerRecord,
  type Payloads,
  type RecordOf,
} from './records/record.js';
export {
  runView,
  type Found,
  type NoRun,
  type RecordedAnswer,
  type RunView,
} from './records/run-view.js';
export * from './ledger/chain.js';
export * from './ledger/ledger.js';
export * from './graph/graph.js';
export { PersistentMap } from './collections/persistent-map.js';
export * from './machine/types.js';
export {
  openRequests,
  headOf,
  type GenesisInput,
  type KernelOptions,
  type Pace,
  type Run,
  type Step,
} from './machine/run.js';
export { openRun } from './machine/open-run.js';
export { advance } from './machine/advance.js';
export { deciding, nodeIdIn, type Deciding } from './machine/deciding.js';
export {
  SNAPSHOT_FORMAT,
  continuationOf,
  readSnapshot,
  resumeRun,
  snapshot,
  stateHashOf,
  type ReadSnapshot,
  type Snapshot,
} from './machine/snapshot.js';
export type { OpenTable } from './machine/request-table.js';
export type { Failed } from './replay/failed.js';
export {
  follow,
  followFrom,
  summaryHash,
  type FollowOptions,
  type Follower,
  type RunFollower,
} from './replay/follower.js';
export { begin, replayable, replayWith, resume, type Replayable } from './replay/replay.js';
export {
  INTEGRITY_CODES,
  type FaultDetail,
  type IntegrityCode,
  type IntegrityFault,
} from './ledger/faults.js';
export * from './ledger/head.js';
export * from './ledger/lines.js';
export {
  RunIntegrity,
  type IntegrityOptions,
  type OutsideJudge,
  type ReferenceEncoder,
} from './ledger/run-integrity.js';
export type { RunSummary } from './ledger/run-summary.js';
export type { Ending, Erased } from './ledger/frame.js';
export { validateRun, validateRunFile } from './ledger/validate-run.js';
