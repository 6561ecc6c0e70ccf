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
export * from './canonical/read.js';
export { utf8Bytes, utf8Length, decodeUtf8 } from './canonical/text.js';
export * from './ledger/names.js';
export * from './ledger/payloads.js';
export { isIntegral, tokenFault, type TokenCode } from './ledger/values.js';
export { parseShape, type Shape, type ShapeFault } from './ledger/shape.js';
export { encodeLine, fitsLine, makeRecord, recordHash, type EvidenceRecord, type Place } from './ledger/record.js';
export * from './ledger/chain.js';
export * from './ledger/ledger.js';
export * from './graph/graph.js';
