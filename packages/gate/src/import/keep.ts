/**
 * What a ledger keeps of the values of a trace: their digest, and as much as `keep` bytes of them. Source: gate/G8.
 *
 * @module
 */
import {
  admit,
  hashText,
  OUTSIDE_LIMITS,
  tokenFault,
  type Digest,
  type Json,
  type Sha256,
} from '@assay/kernel';
import { makeBlob, mapTexts, shortenTexts } from '../machine/tokens.js';

/** A value: its digest and its size as canonical JSON, and what is kept of it, null for nothing. */
export type Kept = { readonly json: Json; readonly digest: Digest; readonly bytes: number };

/** What an input may have beside the rest of its proposal. */
const ROOM = { ...OUTSIDE_LIMITS, depth: 60, bytes: 2_097_152, values: 60_000 };
/** An input of so many bytes is within {@link ROOM}. */
const SMALL_BYTES = 1_024;

/**
 * An input: texts longer than `keep` stand as `$blob` tokens, and so does all of it where it would not fit a proposal.
 * The digest is of the whole input. Null where it is no JSON of the kernel, such as a number beyond 2^53.
 */
export function keepInput(value: Json, keep: number, sha256: Sha256): Kept | null {
  const admitted = admitText(value);
  if (admitted === null) return null;
  const { text, bytes } = admitted;
  const digest = hashText(text, sha256);
  if (!isPlain(admitted)) return { json: makeBlob(bytes, 'application/json', digest), digest, bytes };
  if (bytes <= Math.min(keep, SMALL_BYTES)) return { json: admitted.value, digest, bytes };
  const short = shortenTexts(admitted.value, keep, sha256);
  const fits = admit(short, ROOM)._tag === 'Right';
  return { json: fits ? short : makeBlob(bytes, 'application/json', digest), digest, bytes };
}

/** A result: kept whole or not at all. What is no JSON of the kernel is kept as nothing, under the digest of null. */
export function keepResult(value: Json, keep: number, sha256: Sha256): Kept {
  const admitted = admitText(value);
  if (admitted === null) return { json: null, digest: hashText('null', sha256), bytes: 0 };
  const { text, bytes } = admitted;
  const isKept = bytes <= Math.min(keep, ROOM.bytes) && isPlain(admitted);
  const fits = isKept && (bytes <= SMALL_BYTES || admit(admitted.value, ROOM)._tag === 'Right');
  return { json: fits ? admitted.value : null, digest: hashText(text, sha256), bytes };
}

/** True for a value that is not too deep, and whose keys do not pass for a token of ours. */
function isPlain({ value, text, depth }: Admitted): boolean {
  return depth <= ROOM.depth && (!text.includes('"$') || tokenFault(value) === null);
}

/** Half a surrogate pair, which cut texts end in, counts as U+FFFD. */
function admitText(value: Json): Admitted | null {
  const admitted = admit(value);
  if (admitted._tag === 'Right') return admitted.right;
  const isMended = admitted.left.code === 'lone_surrogate';
  const mended = isMended ? admit(mapTexts(value, (text) => text.toWellFormed())) : admitted;
  return mended._tag === 'Right' ? mended.right : null;
}

type Admitted = Extract<ReturnType<typeof admit>, { readonly _tag: 'Right' }>['right'];
