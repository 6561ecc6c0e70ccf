/**
 * Key files, as the command takes them, and what it says of them.
 *
 * @module
 */
import * as keyFiles from '@assay/attest/node';
import type { KeyError, PublicKey } from '@assay/attest';
import { nativeSha256 } from '@assay/host';
import { readErrno } from '@assay/host/files';
import { misuse, type Stop } from '../problems/problem.js';
import { readWhole } from './read.js';
import { writeNew } from './write.js';

/** {@link keyFiles.makeKeyFiles}, raising `Stop`: `exists`, `unwritable`. */
export function makeKeyFiles(path: string): Promise<keyFiles.NewKey> {
  return keyFiles.makeKeyFiles(path, { sha256: nativeSha256, createAll: writeNew });
}

/**
 * The seed in a secret key file. Raises `Stop`: `missing_file`, `unreadable`, `key_permissions`, `key_line`,
 * `public_key`, `secret_key`.
 */
export function readSecretKey(path: string): Uint8Array {
  if (path.includes('assay-secret-key:'))
    throw misuse(
      'secret_key',
      'this is a secret key, not a file; your shell history now contains it',
      '--sign',
      'give the name of its file; if others may have read it, make a new key: assay keygen -o FILE',
    );
  const read = keyFiles.readSecretKey(path);
  if (read._tag === 'Right') return read.right;
  throw notSecret(read.left, path);
}

function notSecret(fault: keyFiles.SecretKeyFault, path: string): unknown {
  switch (fault.code) {
    case 'no_file':
      return misuse('unreadable', 'not a regular file', path, 'name the file that assay keygen -o wrote');
    case 'key_permissions':
      return misuse(
        'key_permissions',
        `other users can read or write this key (mode ${fault.mode.toString(8)})`,
        path,
        `chmod 600 ${path}; if others may have read it, make a new key`,
      );
    case 'unreadable':
      return notReadable(fault.cause, path);
    default:
      return misuse(
        fault.code,
        fault.code === 'public_key'
          ? 'this is a public key; signing needs the secret key'
          : 'not a secret key',
        path,
        'give the file that assay keygen -o wrote, without .pub',
      );
  }
}

function notReadable(cause: unknown, path: string): unknown {
  const errno = readErrno(cause);
  if (errno === null) return cause;
  return errno === 'ENOENT'
    ? misuse('missing_file', 'no such key file', path, 'make one: assay keygen -o FILE')
    : misuse('unreadable', `this key cannot be read (${errno})`, path, 'check the path and its permissions');
}

/**
 * Keys the user trusts: each a line, or a file of one line. Raises `Stop`: `key_line`, `secret_key`,
 * `weak_key`, and those of reading a file.
 */
export async function readTrusted(given: readonly string[]): Promise<readonly PublicKey[]> {
  const read = await keyFiles.readTrusted(given, { sha256: nativeSha256, read: readWhole });
  if (read._tag === 'Right') return read.right;
  throw notTrusted(read.left, read.left.isLine ? '--trust' : read.left.given);
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
