/**
 * Signed heads: Ed25519 signatures in DSSE envelopes over the canonical head of a ledger, RFC 6962 trees and
 * proofs, and the authorship verdict. Pure: no clock, no I/O, no randomness; the curve and the digest are
 * injectable.
 *
 * @packageDocumentation
 */
export * from './ed25519/engine.js';
export * from './ed25519/strict.js';
export * from './ed25519/noble.js';
export * from './keys/key.js';
export * from './dsse/envelope.js';
export * from './head/signed-head.js';
export * from './merkle/hasher.js';
export * from './merkle/tree.js';
export * from './merkle/stored.js';
export * from './merkle/proof.js';
export * from './proofs/proof.js';
export * from './proofs/lines.js';
export * from './proofs/prove.js';
export * from './authorship/evidence.js';
export * from './authorship/authorship.js';
export * from './authorship/loose.js';
