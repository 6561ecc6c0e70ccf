/**
 * Signed heads: Ed25519 signatures in DSSE envelopes over the canonical head of a ledger, RFC 6962 trees and
 * proofs, and the authorship verdict. Pure: no clock, no I/O, no randomness; the curve and the digest are
 * injectable.
 *
 * @packageDocumentation
 */
export type { Ed25519 } from './ed25519/strict.js';
export { nobleEd25519 } from './ed25519/noble.js';
export {
  type KeyError,
  type PublicKey,
  formatPublicKey,
  parsePublicKey,
  derivePublicKey,
} from './keys/key.js';
export { formatEnvelope } from './dsse/envelope.js';
export { type SignedHead, signHead, signedHead } from './head/signed-head.js';
export { MerkleTree } from './merkle/tree.js';
export { verifyConsistency, verifyInclusion } from './merkle/proof.js';
export {
  type EvidenceLines,
  formatProof,
  parseProof,
  type Proof,
  proveConsistency,
  proveInclusion,
  readEvidenceLines,
} from './proofs/proof.js';
export { type Evidence, weigh } from './authorship/evidence.js';
export { Authorship } from './authorship/authorship.js';
export { type LooseResult, judgeLoose } from './authorship/loose.js';
export {
  formatEntry,
  type LogEntry,
  makeOpening,
  parseEntry,
} from './log/entry.js';
export {
  type Checkpoint,
  cosign,
  isSigned,
  logKey,
  parseCheckpoint,
  readCosignatures,
  signCheckpoint,
} from './log/checkpoint.js';
export { TiledTree, tileNodes, tilePath } from './log/tiles.js';
export { judgeLedger, type LedgerFacts, makeClosing, RunIndex } from './log/run-index.js';
export {
  formatRunProof,
  judgeRunProof,
  parseRunProof,
  readProvenHead,
  type RunProof,
} from './log/run-proof.js';
