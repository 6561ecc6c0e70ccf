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
export { type Json, type JsonObject, compareText, define, field, isArray, isObject } from './json.js';
export { type Digest, type Sha256, hashText, isDigest, nobleSha256, sha256Hex } from './hash/sha256.js';
export { LINE_LIMITS, type Limits, OUTSIDE_LIMITS } from './canonical/limits.js';
export { type AdmissionError, admit } from './canonical/admit.js';
export { canonicalize, hashCanonical } from './canonical/canonicalize.js';
export { measure, readCanonical, type ReadCode } from './canonical/read.js';
export { cutText, utf8Bytes, utf8Length, decodeUtf8 } from './text.js';
export {
  FAILURE_CODES,
  type FailureCode,
  RECORD_KINDS,
  SOURCES,
  type Source,
  compareRequestIds,
  isName,
  isProposer,
  isRequestId,
  isRunId,
  isTsBase,
  logicalTime,
} from './ledger/names.js';
export {
  type ArtifactPayload,
  type Base,
  type ClosePayload,
  type DecisionPayload,
  type Failure,
  type Genesis,
  type Head,
  type OpenRequest,
  PAYLOADS,
  type Proposal,
  type RecordedProposal,
  type RejectionPayload,
  type Request,
  type Spent,
  type State,
  type Status,
} from './ledger/payloads.js';
export { isIntegral, tokenFault } from './ledger/values.js';
export { parseShape, type Shape } from './ledger/shape.js';
export { encodeLine, makeRecord, recordHash, type Due, type EvidenceRecord } from './ledger/record.js';
export { runView, ledgerRecord, type DerivedRecord, type LedgerRecord } from './records/run-view.js';
export { linkFault, parseEnvelope, parseRecordLine, validateChain } from './ledger/chain.js';
export { Ledger } from './ledger/ledger.js';
export { Graph, edgeId, insertEdge, insertNode, nodeId, rootHash } from './graph/graph.js';
export { EDGE_KINDS, type EdgeKind, NODE_KINDS, type NodeKind } from './graph/kinds.js';
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
  Refused,
  Rejection,
} from './machine/types.js';
export {
  openRequests,
  makeHead,
  type GenesisInput,
  type KernelOptions,
  type Run,
  type Step,
} from './machine/run.js';
export { isNamed } from './machine/named.js';
export { ANSWER_STEPS, Meter } from './machine/meter.js';
export { openRun } from './machine/open-run.js';
export { advance } from './machine/advance.js';
export { deciding, nodeIdIn, type Deciding } from './machine/deciding.js';
export { makeContinuation, resumeRun, snapshot, hashState, type Snapshot } from './machine/snapshot.js';
export type { Failed } from './replay/failed.js';
export { follow, followFrom, summaryHash, type Follower, type RunFollower } from './replay/follower.js';
export { begin, replayable, replayWith, type Replayable } from './replay/replay.js';
export {
  INTEGRITY_CODES,
  type FaultDetail,
  type IntegrityCode,
  type IntegrityFault,
} from './ledger/faults.js';
export { type HeadLine, RECORDS_MAX, formatHeadLine, parseHeadLine } from './ledger/head.js';
export { RunIntegrity, type ReferenceEncoder } from './ledger/run-integrity.js';
export type { RunSummary } from './ledger/run-summary.js';
export type { Ending } from './ledger/frame.js';
export { validateRun, validateRunFile, LineSplitter } from './ledger/validate-run.js';
