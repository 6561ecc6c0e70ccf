/**
 * Key files: one line each, the secret one for its owner's eyes only. What is in a secret file is never
 * shown, not even where it is malformed.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import {
  formatPublicKey,
  formatSecretKey,
  parsePublicKey,
  parseSecretKey,
  publicKeyOf,
  type KeyError,
  type PublicKey,
} from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { utf8Bytes } from '@assay/kernel';
import { errnoOf } from '@assay/host/files';
import { readWhole } from '../files/read.js';
import { createAll } from '../files/write.js';
import { misuse, type Stop } from '../problem.js';

const SEED_BYTES = 32;
/** A key file is a line of 85 characters; nothing longer is read. */
const FILE_BYTES_MAX = 256;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** What a new pair of files holds. */
export type NewKey = { readonly secretPath: string; readonly publicPath: string; readonly key: PublicKey };

/**
 * Makes a key: `path` with the secret, readable by its owner only, and `path.pub`. Raises `Stop`: `exists`,
 * `unwritable`.
 */
export async function makeKeyFiles(path: string): Promise<NewKey> {
  const seed = Uint8Array.from(randomBytes(SEED_BYTES));
  const key = publicKeyOf(seed, nativeEd25519, nativeSha256);
  const publicPath = `${path}.pub`;
  await createAll([
    { path, bytes: utf8Bytes(`${formatSecretKey(seed)}\n`), mode: OWNER_ONLY },
    { path: publicPath, bytes: utf8Bytes(`${formatPublicKey(key.bytes)}\n`) },
  ]);
  return { secretPath: path, publicPath, key };
}

/**
 * The seed in a secret key file. Raises `Stop`: `missing_file`, `unreadable`, `key_permissions`, `key_line`,
 * `public_key`, `secret_key`.
 */
export function readSecretKey(path: string): Uint8Array {
  if (path.includes('assay-secret-key:'))
    throw misuse(
      'secret_key',
      'a secret key is given itself; it now stands in the history of your shell, and perhaps in a list of processes',
      '--sign',
      'give the name of the file that holds it; if somebody may have read it, make a new one: assay keygen -o FILE',
    );
  const read = parseSecretKey(ownersText(path));
  if (read._tag === 'Right') return read.right;
  throw misuse(
    read.left.code,
    read.left.code === 'public_key'
      ? 'this is a public key; signing takes the secret one'
      : 'this is no secret key; what is in it is not shown',
    path,
    'give the file that assay keygen -o wrote, without .pub',
  );
}

/**
 * Keys the user trusts: each a line, or a file of one line. A key named twice is one. Raises `Stop`:
 * `key_line`, `secret_key`, `weak_key`, and those of reading a file.
 */
export async function readTrusted(given: readonly string[]): Promise<readonly PublicKey[]> {
  const keys = new Map<string, PublicKey>();
  for (const one of given) {
    const isLine = one.startsWith('assay-public-key:') || one.startsWith('assay-secret-key:');
    const place = isLine ? '--trust' : one;
    // As it stands: no mark at the start and no other line end is taken off.
    const read = parsePublicKey(
      isLine ? one : new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readWhole(one)),
      nativeSha256,
    );
    if (read._tag === 'Left') throw notTrusted(read.left, place);
    keys.set(read.right.id, read.right);
  }
  return [...keys.values()];
}

const REMEDY = 'give a line assay-public-key:1:HEX, or the .pub file that assay keygen wrote';

function notTrusted({ code }: KeyError, place: string): Stop {
  const says: { readonly [code in KeyError['code']]: string } = {
    key_line: 'this is no public key: one line, with nothing before or behind it but a line feed',
    public_key: 'this is no public key',
    secret_key: 'this is a secret key, and trust needs only the public one; keep it where it was',
    weak_key:
      'this is no key anybody can sign with: no point of the curve, one of small order, or one spelled in a second way',
  };
  return misuse(code, says[code], place, REMEDY);
}

/** Asked of the open file, so that what is judged is what is read. */
function ownersText(path: string): string {
  try {
    if (!statSync(path).isFile())
      throw misuse('unreadable', 'this is no plain file', path, 'name the file that assay keygen -o wrote');
    const handle = openSync(path, 'r');
    try {
      const { mode } = fstatSync(handle);
      const buffer = new Uint8Array(FILE_BYTES_MAX);
      const text = new TextDecoder().decode(buffer.subarray(0, readSync(handle, buffer)));
      // Everybody may read a public key: what is wrong with it is another thing.
      if (text.startsWith('assay-public-key:')) return text;
      // Windows keeps no such bits: who may read is up to the folder.
      if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
        throw misuse(
          'key_permissions',
          `others may read or write this key (mode ${(mode & 0o777).toString(8)})`,
          path,
          `chmod 600 ${path}; if somebody may have read it, make a new one`,
        );
      return text;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw errno === 'ENOENT'
      ? misuse('missing_file', 'there is no such key', path, 'make one: assay keygen -o FILE')
      : misuse(
          'unreadable',
          `this key cannot be read (${errno})`,
          path,
          'check the path and its permissions',
        );
  }
}
