/**
 * DSSE envelopes, one canonical line each: what is signed is the payload's bytes with their type, never the
 * envelope. Source: DSSE v1 (protocol and envelope); ledger format, "Heads".
 *
 * ```text
 * {"payload": base64, "payloadType": text, "signatures": [{"keyid": hash, "sig": base64 of 64 bytes}, 1 to 64 of them]}
 * PAE = "DSSEv1" SP len(type) SP type SP len(payload) SP payload
 * ```
 *
 * DSSE allows more than one spelling of an envelope; here there is one: canonical JSON, these keys, padded
 * base64.
 */
import {
  err,
  field,
  isArray,
  isDigest,
  ok,
  readCanonical,
  utf8Bytes,
  type Digest,
  type Json,
  type Result,
} from '@assay/kernel';
import { canonicalText, fromBase64, hasKeys, toBase64 } from '../bytes/read.js';

const SIGNATURE_BYTES = 64;
/** Signatures in an envelope at most. */
export const SIGNATURES_MAX = 64;
/** Characters of a payload type at most. */
const TYPE_MAX = 128;

/** One signature: the key it says it is by, and its 64 bytes. */
export type EnvelopeSignature = { readonly keyid: Digest; readonly sig: Uint8Array };

/** An envelope, decoded. */
export type Envelope = {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly EnvelopeSignature[];
};

/** A line that is no envelope: `envelope`. */
type EnvelopeError = { readonly code: 'envelope' };

/** The bytes a key signs. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const before = utf8Bytes(`DSSEv1 ${utf8Bytes(payloadType).length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(before.length + payload.length);
  bytes.set(before);
  bytes.set(payload, before.length);
  return bytes;
}

/** The canonical line of an envelope, without a line end. */
export function formatEnvelope({ payloadType, payload, signatures }: Envelope): string {
  const value: Json = {
    payload: toBase64(payload),
    payloadType,
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: toBase64(sig) })),
  };
  return canonicalText(value);
}

/** Reads a line, given without its line end. Error: `envelope`, for every other spelling. */
export function parseEnvelopeLine(line: Uint8Array): Result<EnvelopeError, Envelope> {
  const read = readCanonical(line);
  return read._tag === 'Left' ? err({ code: 'envelope' }) : readEnvelope(read.right.value);
}

function readEnvelope(value: Json): Result<EnvelopeError, Envelope> {
  if (!hasKeys(value, ['payload', 'payloadType', 'signatures'])) return err({ code: 'envelope' });
  const [text, payloadType, list] = [
    field(value, 'payload'),
    field(value, 'payloadType'),
    field(value, 'signatures'),
  ];
  const payload = typeof text === 'string' ? fromBase64(text) : null;
  const signatures =
    isArray(list) && list.length >= 1 && list.length <= SIGNATURES_MAX ? list.flatMap(readSignatures) : [];
  const isWhole = isArray(list) && signatures.length > 0 && signatures.length === list.length;
  if (payload === null || typeof payloadType !== 'string' || payloadType.length > TYPE_MAX || !isWhole)
    return err({ code: 'envelope' });
  return ok({ payloadType, payload, signatures });
}

function readSignatures(value: Json): readonly EnvelopeSignature[] {
  if (!hasKeys(value, ['keyid', 'sig'])) return [];
  const [keyid, text] = [field(value, 'keyid'), field(value, 'sig')];
  const sig = typeof text === 'string' ? fromBase64(text) : null;
  return isDigest(keyid) && sig?.length === SIGNATURE_BYTES ? [{ keyid, sig }] : [];
}
