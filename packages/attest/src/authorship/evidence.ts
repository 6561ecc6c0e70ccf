/**
 * What a user brings to the question of authorship, judged as far as it can be without a ledger: which
 * signatures are by keys that the user named, and what each of them was made over. Source: ledger format,
 * "Verdicts" (authorship).
 */
import { nobleSha256, type Digest, type Sha256 } from '@assay/kernel';
import { preAuthEncoding, type Envelope, type EnvelopeSignature } from '../dsse/envelope.js';
import { nobleEd25519 } from '../ed25519/noble.js';
import { type Ed25519, verifyStrictly } from '../ed25519/strict.js';
import { HEAD_TYPE, parseSignedHead, type SignedHead } from '../head/signed-head.js';
import type { PublicKey } from '../keys/key.js';
import { type EvidenceLines, type Proof, recomputes } from '../proofs/proof.js';

/**
 * What is brought. `signatures`, `proofs`: files, null if the user gave none. `threshold`: distinct keys
 * that must have signed, 1 by default.
 */
export type Brought = {
  readonly signatures: readonly EvidenceLines[] | null;
  readonly proofs: readonly EvidenceLines[] | null;
  readonly trusted: readonly PublicKey[];
  readonly threshold?: number;
  readonly engine?: Ed25519;
  readonly sha256?: Sha256;
};

/** A head and the keys, of those that the user named, that signed it. */
export type VouchedHead = { readonly head: SignedHead; readonly keys: readonly Digest[] };

/** The outcome of {@link weigh}, of use for any number of ledgers. */
export type Evidence = {
  readonly isSigned: boolean;
  readonly isTrusting: boolean;
  readonly threshold: number;
  /** Signatures in the files, whoever made them. */
  readonly signatures: number;
  /** Lines that are no envelope, and signatures under the name of a trusted key that it did not make. */
  readonly forged: number;
  /** Payloads of the head's type, signed by a trusted key, that are no canonical head. */
  readonly unreadable: number;
  /** Payloads of another type, signed by a trusted key. */
  readonly otherTypes: number;
  readonly heads: readonly VouchedHead[];
  readonly proofs: readonly Proof[];
  /** Lines that are no proof, and proofs that do not recompute. */
  readonly badProofs: number;
  readonly isProving: boolean;
  readonly sha256: Sha256;
};

/** Judges signatures and proofs by themselves. A key counts once, however often it is named or signed. */
export function weigh({
  signatures,
  proofs,
  trusted,
  threshold = 1,
  engine = nobleEd25519,
  sha256 = nobleSha256,
}: Brought): Evidence {
  const keys = new Map(trusted.map((key) => [key.id, key] as const));
  const envelopes = (signatures ?? []).flatMap((lines) => lines.envelopes);
  const heads = new Map<string, { readonly head: SignedHead; readonly keys: Set<Digest> }>();
  let forged = (signatures ?? []).reduce((sum, { unread }) => sum + unread, 0);
  let [unreadable, otherTypes] = [0, 0];
  for (const envelope of envelopes) {
    const message = preAuthEncoding(envelope.payloadType, envelope.payload);
    const named = envelope.signatures.filter(({ keyid }) => keys.has(keyid));
    const sound = named.filter((signature) => isBy(keys, signature, message, engine));
    forged += named.length - sound.length;
    if (sound.length === 0) continue;
    const head = envelope.payloadType === HEAD_TYPE ? parseSignedHead(envelope.payload) : null;
    if (head === null) otherTypes += 1;
    else if (head._tag === 'Left') unreadable += 1;
    else enter(heads, envelope, head.right, sound);
  }
  const brought = (proofs ?? []).flatMap((lines) => lines.proofs);
  const sound = brought.filter((proof) => recomputes(proof, sha256));
  return {
    isSigned: envelopes.length > 0 || forged > 0,
    isTrusting: keys.size > 0,
    threshold,
    signatures: envelopes.reduce((sum, envelope) => sum + envelope.signatures.length, 0),
    forged,
    unreadable,
    otherTypes,
    heads: [...heads.values()].map(({ head, keys: signers }) => ({ head, keys: [...signers] })),
    proofs: sound,
    badProofs: brought.length - sound.length + (proofs ?? []).reduce((sum, { unread }) => sum + unread, 0),
    isProving: proofs !== null,
    sha256,
  };
}

function isBy(
  keys: ReadonlyMap<Digest, PublicKey>,
  { keyid, sig }: EnvelopeSignature,
  message: Uint8Array,
  engine: Ed25519,
): boolean {
  const key = keys.get(keyid);
  return key !== undefined && verifyStrictly(engine, sig, message, key.bytes);
}

/** The payload is canonical, so equal heads are equal bytes. */
function enter(
  heads: Map<string, { readonly head: SignedHead; readonly keys: Set<Digest> }>,
  { payload }: Envelope,
  head: SignedHead,
  sound: readonly EnvelopeSignature[],
): void {
  const id = String.fromCharCode(...payload);
  const entry = heads.get(id) ?? { head, keys: new Set<Digest>() };
  for (const { keyid } of sound) entry.keys.add(keyid);
  heads.set(id, entry);
}
