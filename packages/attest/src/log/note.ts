/**
 * Signed notes: text, and who signed it. Source: C2SP signed-note.
 *
 * ```text
 * text, ends in 0A
 * 0A
 * "— " name " " base64(key id, 4 bytes ‖ signature) 0A        1 to 64 of them
 * key id = SHA-256(name ‖ 0A ‖ type ‖ public key)[:4]         type: 01 Ed25519, 04 cosignature
 * ```
 */
import { err, ok, type Result, type Sha256, utf8Bytes } from '@assay/kernel';
import { fromBase64, fromHex, toBase64, toHex } from '../bytes/read.js';

/** Types of signatures. */
export const NOTE_SIGNATURE = 1;
/** That of a cosignature, which has a time. */
export const COSIGNATURE = 4;

const ID_BYTES = 4;
const SIGNATURES_MAX = 64;
const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const SPACE = 0x20;

/** One signature: by whom, the key's short id in hex, and what the type of the key makes of the rest. */
export type NoteSignature = { readonly name: string; readonly id: string; readonly bytes: Uint8Array };

/** A note: its text, with its last line end, and its signatures, of which none was verified. */
export type Note = { readonly text: string; readonly signatures: readonly NoteSignature[] };

/** Reads a note. Error: `note`. */
export function parseNote(given: string): Result<{ readonly code: 'note' }, Note> {
  const at = given.lastIndexOf('\n\n');
  const [text, lines] = [given.slice(0, at + 1), given.slice(at + 2).split('\n')];
  const signatures = lines.slice(0, -1).flatMap(readSignature);
  const isWhole = lines.at(-1) === '' && signatures.length === lines.length - 1;
  return at > 0 && isWhole && lines.length > 1 && signatures.length <= SIGNATURES_MAX && !hasControl(given)
    ? ok({ text, signatures })
    : err({ code: 'note' });
}

/** The text of a note. */
export function formatNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`;
}

/** The line of a signature, with its line end. */
export function formatSignature({ name, id, bytes }: NoteSignature): string {
  return `— ${name} ${toBase64(Uint8Array.of(...(fromHex(id, ID_BYTES) ?? []), ...bytes))}\n`;
}

/** The short id of a key, in hex. It names a key and proves nothing. */
export function noteKeyId(name: string, type: number, publicKey: Uint8Array, sha256: Sha256): string {
  return sha256(Uint8Array.of(...utf8Bytes(`${name}\n`), type, ...publicKey)).slice(0, 2 * ID_BYTES);
}

/** Control characters but the line feed. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1)
    if (text.charCodeAt(at) < SPACE && text[at] !== '\n') return true;
  return false;
}

function readSignature(line: string): readonly NoteSignature[] {
  const [, name = '', base64 = ''] = LINE.exec(line) ?? [];
  const bytes = fromBase64(base64);
  return bytes === null || bytes.length <= ID_BYTES
    ? []
    : [{ name, id: toHex(bytes.subarray(0, ID_BYTES)), bytes: bytes.subarray(ID_BYTES) }];
}
