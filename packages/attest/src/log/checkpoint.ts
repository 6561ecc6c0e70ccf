/**
 * Checkpoints of a log: signed notes of three lines, cosigned by witnesses. Source: C2SP tlog-checkpoint,
 * tlog-cosignature; docs/formats/log.md.
 *
 * ```text
 * "assay-log/" public key in hex 0A size 0A base64(root) 0A
 * by the log      Ed25519 over these lines; its name is the first line
 * by a witness    "assay-witness/" public key in hex: time, 8 bytes ‖ Ed25519 over
 *                 "cosignature/v1" 0A "time " time 0A and these lines
 * ```
 *
 * A name holds the key: who is named is no question, whom to trust is.
 */
import { type Digest, err, ok, RECORDS_MAX, type Result, type Sha256, utf8Bytes } from '@assay/kernel';
import { fromBase64, fromHex, toBase64, toHex } from '../bytes/read.js';
import { type Ed25519, verifyStrictly } from '../ed25519/strict.js';
import {
  COSIGNATURE,
  formatNote,
  formatSignature,
  type Note,
  NOTE_SIGNATURE,
  noteKeyId,
  parseNote,
} from './note.js';

const KEY_BYTES = 32;
const TIME_BYTES = 8;
const HIGH = 4_294_967_296;
const LOG = 'assay-log/';
const WITNESS = 'assay-witness/';

/** What is signed: how many entries, and the root of their tree. `origin`: of which log. */
export type TreeState = { readonly origin: string; readonly size: number; readonly root: Digest };

/** A checkpoint as it was read; what of it was verified, the functions below say. */
export type Checkpoint = TreeState & { readonly note: Note };

/**
 * A cosignature: the witness's public key in hex, its time in seconds since 1970, and whether it verifies.
 */
export type Cosignature = { readonly key: string; readonly time: number; readonly isSound: boolean };

/** Signing and verifying. */
export type NoteCrypto = { readonly engine: Ed25519; readonly sha256: Sha256 };

/** Reads a checkpoint. Error: `checkpoint`, for any other text, one of another kind of log included. */
export function parseCheckpoint(given: string): Result<{ readonly code: 'checkpoint' }, Checkpoint> {
  const note = parseNote(given);
  if (note._tag === 'Left') return err({ code: 'checkpoint' });
  const [, origin = '', digits = '', base64 = ''] = BODY.exec(note.right.text) ?? [];
  const bytes = fromBase64(base64);
  const size = Number(digits);
  return bytes?.length === KEY_BYTES && size <= 2 * RECORDS_MAX
    ? ok({ origin, size, root: toHex(bytes) as Digest, note: note.right })
    : err({ code: 'checkpoint' });
}

const BODY = /^(assay-log\/[0-9a-f]{64})\n([1-9][0-9]{0,12})\n([A-Za-z0-9+/]+=)\n$/;

/** The text of a checkpoint, signed by its log. Deterministic. */
export function signCheckpoint(
  { size, root }: Omit<TreeState, 'origin'>,
  secret: Uint8Array,
  { engine, sha256 }: NoteCrypto,
): string {
  const key = engine.publicKey(secret);
  const name = `${LOG}${toHex(key)}`;
  const text = `${name}\n${size}\n${toBase64(fromHex(root, KEY_BYTES) ?? new Uint8Array())}\n`;
  const id = noteKeyId(name, NOTE_SIGNATURE, key, sha256);
  return formatNote({ text, signatures: [{ name, id, bytes: engine.sign(utf8Bytes(text), secret) }] });
}

/** The line by which a witness cosigns a checkpoint, with its line end. `time`: seconds since 1970. */
export function cosign(
  { note: { text } }: Checkpoint,
  time: number,
  secret: Uint8Array,
  { engine, sha256 }: NoteCrypto,
): string {
  const key = engine.publicKey(secret);
  const name = `${WITNESS}${toHex(key)}`;
  const bytes = new Uint8Array(TIME_BYTES + 2 * KEY_BYTES);
  new DataView(bytes.buffer).setUint32(0, Math.floor(time / HIGH));
  new DataView(bytes.buffer).setUint32(4, time % HIGH);
  bytes.set(engine.sign(cosignedBytes(text, time), secret), TIME_BYTES);
  return formatSignature({ name, id: noteKeyId(name, COSIGNATURE, key, sha256), bytes });
}

/** The public key of a log, in hex, from its origin. */
export function logKey({ origin }: Pick<TreeState, 'origin'>): string {
  return origin.slice(LOG.length);
}

/** Whether the log itself signed: one signature by its key, and that one sound. */
export function isSigned({ origin, note }: Checkpoint, { engine, sha256 }: NoteCrypto): boolean {
  const key = fromHex(origin.slice(LOG.length), KEY_BYTES) ?? new Uint8Array();
  const keyId = noteKeyId(origin, NOTE_SIGNATURE, key, sha256);
  const own = note.signatures.filter(({ name, id }) => name === origin && id === keyId);
  return own.length === 1 && verifyStrictly(engine, own[0]?.bytes ?? key, utf8Bytes(note.text), key);
}

/** The cosignatures of witnesses of this kind, in order. Signatures of any other kind are passed over. */
export function readCosignatures(
  { note }: Checkpoint,
  { engine, sha256 }: NoteCrypto,
): readonly Cosignature[] {
  return note.signatures.flatMap(({ name, id, bytes }) => {
    const key = name.startsWith(WITNESS) ? fromHex(name.slice(WITNESS.length), KEY_BYTES) : null;
    if (key === null || id !== noteKeyId(name, COSIGNATURE, key, sha256)) return [];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const time = bytes.length < TIME_BYTES ? NaN : view.getUint32(0) * HIGH + view.getUint32(4);
    const isSound =
      Number.isSafeInteger(time) &&
      verifyStrictly(engine, bytes.subarray(TIME_BYTES), cosignedBytes(note.text, time), key);
    return [{ key: toHex(key), time, isSound }];
  });
}

function cosignedBytes(text: string, time: number): Uint8Array {
  return utf8Bytes(`cosignature/v1\ntime ${time}\n${text}`);
}
