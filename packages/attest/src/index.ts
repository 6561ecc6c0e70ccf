/**
 * Signed heads: Ed25519 signatures in DSSE envelopes over the canonical head of a ledger, RFC 6962 trees and
 * proofs, and the authorship verdict. Pure: no clock, no I/O, no randomness; the curve and the digest are
 * injectable.
 *
 * @packageDocumentation
 */
export type { Ed25519 } from './ed25519/engine.js';
export { isSoundKey, verifyStrictly } from './ed25519/strict.js';
export { isPoint, nobleEd25519 } from './ed25519/noble.js';
export {
  type KeyError,
  type PublicKey,
  formatPublicKey,
  formatSecretKey,
  keyId,
  parsePublicKey,
  parseSecretKey,
  publicKeyOf,
} from './keys/key.js';
export {
  type Envelope,
  type EnvelopeError,
  type EnvelopeSignature,
  SIGNATURES_MAX,
  formatEnvelope,
  parseEnvelopeLine,
  preAuthEncoding,
} from './dsse/envelope.js';
export {
  HEAD_TYPE,
  type HeadError,
  type SignedHead,
  headBytes,
  parseSignedHead,
  signHead,
  signedHead,
} from './head/signed-head.js';
export { TreeHasher } from './merkle/hasher.js';
export { MerkleTree, type TreeSink } from './merkle/tree.js';
export {
  type ReadStored,
  TREE_HASH_BYTES,
  TREE_HEADER_BYTES,
  type TreeHeader,
  formatTreeHeader,
  parseTreeHeader,
  splitOf,
  storedBytes,
  storedCount,
  storedIndex,
  storedRoot,
} from './merkle/stored.js';
export {
  type Folded,
  type LeafRange,
  foldPath,
  isSubtree,
  proveSubtree,
  verifyConsistency,
  verifyInclusion,
} from './merkle/proof.js';
export {
  type ConsistencyProof,
  type InclusionProof,
  type Proof,
  type ProofError,
  type TreeHead,
  formatProof,
  parseProof,
  recomputes,
} from './proofs/proof.js';
export { type EvidenceLines, readEvidenceLines } from './proofs/lines.js';
export {
  type StoredTree,
  proveConsistency,
  proveInclusion,
  storedRecordHash,
  treeRootAt,
} from './proofs/prove.js';
export { type Brought, type Evidence, type VouchedHead, weigh } from './authorship/evidence.js';
export {
  AUTHORSHIP_FAILED,
  AUTHORSHIP_NOT_CHECKED,
  Authorship,
  type AuthorshipVerdict,
} from './authorship/authorship.js';
export { type LooseResult, judgeLoose } from './authorship/loose.js';
