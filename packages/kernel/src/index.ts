/**
 * The Assay kernel: canonical JSON, evidence ledger, context graph, machine interface, replay.
 * Pure and synchronous: no clock, no I/O, no randomness.
 *
 * @packageDocumentation
 */
export {
  InvariantError,
  type Left,
  type Result,
  ResultError,
  type Right,
  absurd,
  err,
  isOk,
  match,
  ok,
  orThrow,
} from './result.js';
export {
  type Json,
  type JsonArray,
  type JsonObject,
  compareText,
  define,
  field,
  isArray,
  isObject,
} from './json.js';
export { type Digest, type Sha256, hashText, isDigest, nobleSha256, sha256Hex } from './hash/sha256.js';
export {
  ARTIFACT_NAMES_MAX,
  LINE_LIMITS,
  type Limits,
  OPEN_REQUESTS_MAX,
  OUTSIDE_LIMITS,
  VALUE_LIMITS,
} from './canonical/limits.js';
export { type AdmissionCode, type AdmissionError, type Admitted, admit } from './canonical/admit.js';
export { canonicalize, hashCanonical } from './canonical/canonicalize.js';
export { measure, readCanonical, type CanonicalText, type ReadCode } from './canonical/read.js';
export { cutText, utf8Bytes, utf8Length, decodeUtf8 } from './text.js';
export {
  EDGE_KINDS,
  type EdgeKind,
  type GraphEdge,
  type GraphNode,
  NODE_KINDS,
  type NodeKind,
} from './graph/kinds.js';
export {
  FAILURE_CODES,
  type FailureCode,
  KERNEL_CODES,
  RECORD_KINDS,
  type RecordKind,
  SOURCES,
  type Source,
  compareRequestIds,
  isName,
  isProposer,
  isRequestId,
  isReservedCode,
  isRunId,
  isTsBase,
  logicalTime,
} from './ledger/names.js';
export {
  type ArtifactPayload,
  type Base,
  type ClosePayload,
  type DecisionPayload,
  FORMAT,
  type Failure,
  type Genesis,
  type GraphAddition,
  type Head,
  type OpenRequest,
  PAYLOADS,
  PROPOSAL,
  type Proposal,
  type RecordedProposal,
  type RejectionPayload,
  type Request,
  STATE,
  type Spent,
  type State,
  type Status,
  idFromLater,
} from './ledger/payloads.js';
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
export {
  type ChainCode,
  type ChainEnd,
  type ChainError,
  linkFault,
  parseEnvelope,
  validateChain,
} from './ledger/chain.js';
export { Ledger } from './ledger/ledger.js';
export {
  type EdgeDraft,
  type EdgeInserted,
  Graph,
  type GraphError,
  type NodeEntry,
  type NodeInserted,
  edgeId,
  insertEdge,
  insertNode,
  nodeId,
  rootHash,
} from './graph/graph.js';
export { PersistentMap } from './collections/persistent-map.js';
export type {
  Answer,
  Ask,
  Context,
  Decision,
  EdgeDraftByMachine,
  Machine,
  NodeDraft,
  Opening,
  Outcome,
  Refused,
  Rejection,
  SeenProposal,
} from './machine/types.js';
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
export { type HeadLine, RECORDS_MAX, formatHeadLine, parseHeadLine } from './ledger/head.js';
export { type Line, LineSplitter } from './ledger/lines.js';
export {
  RunIntegrity,
  type IntegrityOptions,
  type OutsideJudge,
  type ReferenceEncoder,
} from './ledger/run-integrity.js';
export type { RunSummary } from './ledger/run-summary.js';
export type { Ending, Erased } from './ledger/frame.js';
export { validateRun, validateRunFile } from './ledger/validate-run.js';
