/** The head as it is signed. Source: ledger format, "Heads"; docs/formats/heads.md. */
import {
  canonicalize,
  err,
  field,
  isDigest,
  ok,
  orThrow,
  readCanonical,
  RECORDS_MAX,
  type Digest,
  type Json,
  type Result,
  type RunSummary,
} from '@assay/kernel';
import { hasKeys, isWithin } from '../bytes/read.js';
import type { Ed25519 } from '../ed25519/strict.js';
import { preAuthEncoding, type Envelope } from '../dsse/envelope.js';
import { keyId } from '../keys/key.js';

/** Payload type of a signed head. */
export const HEAD_TYPE = 'application/vnd.assay.head.v1+json';

/**
 * What is signed. `count`: sequence of the last record + 1, a continuation's base included. `tree_root`: RFC
 * 6962 root over the record hashes of the file. `closed`: the last record is a close. `summary_hash`: null
 * while the run is open.
 */
export type SignedHead = {
  readonly t: 'assay.head.v1';
  readonly genesis_hash: Digest;
  readonly count: number;
  readonly last_hash: Digest;
  readonly tree_root: Digest;
  readonly closed: boolean;
  readonly summary_hash: Digest | null;
};

/** Bytes that are no canonical head: `head`. */
type HeadError = { readonly code: 'head' };

const KEYS: readonly string[] = [
  't',
  'genesis_hash',
  'count',
  'last_hash',
  'tree_root',
  'closed',
  'summary_hash',
];

/** The head of a ledger whose integrity holds, and the root of its records' tree. */
export function signedHead(
  { genesis_hash, count, hash, outcome, summary_hash }: RunSummary,
  treeRoot: Digest,
): SignedHead {
  return {
    t: 'assay.head.v1',
    genesis_hash,
    count,
    last_hash: hash,
    tree_root: treeRoot,
    closed: outcome !== 'open',
    summary_hash,
  };
}

/** C(head): the bytes that stand in an envelope. */
export function headBytes(head: SignedHead): Uint8Array {
  return orThrow(canonicalize({ ...head }));
}

/**
 * Reads C(head). Error: `head`, for bytes that are not canonical, other keys, and values outside their types.
 */
export function parseSignedHead(bytes: Uint8Array): Result<HeadError, SignedHead> {
  const read = readCanonical(bytes);
  const value = read._tag === 'Right' ? read.right.value : null;
  return value !== null && isHead(value) ? ok(value as unknown as SignedHead) : err({ code: 'head' });
}

/** A head signed with one key: an envelope with one signature. Deterministic. */
export function signHead(head: SignedHead, secret: Uint8Array, engine: Ed25519): Envelope {
  const payload = headBytes(head);
  const sig = engine.sign(preAuthEncoding(HEAD_TYPE, payload), secret);
  return { payloadType: HEAD_TYPE, payload, signatures: [{ keyid: keyId(engine.publicKey(secret)), sig }] };
}

function isHead(value: Json): boolean {
  if (!hasKeys(value, KEYS)) return false;
  const [closed, summary] = [field(value, 'closed'), field(value, 'summary_hash')];
  return (
    field(value, 't') === 'assay.head.v1' &&
    ['genesis_hash', 'last_hash', 'tree_root'].every((key) => isDigest(field(value, key))) &&
    isWithin(field(value, 'count'), 1, RECORDS_MAX) &&
    typeof closed === 'boolean' &&
    (summary === null || isDigest(summary))
  );
}
