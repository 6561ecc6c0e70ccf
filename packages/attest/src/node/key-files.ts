/**
 * Ed25519 of Node, and key files: one line each, the secret one for its owner's eyes only. What is in a
 * secret file is never shown, not even where it is malformed.
 */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { err, ok, type Result, type Sha256, utf8Bytes } from '@assay/kernel';
import type { Ed25519 } from '../ed25519/strict.js';
import {
  formatPublicKey,
  formatSecretKey,
  type KeyError,
  parsePublicKey,
  parseSecretKey,
  type PublicKey,
  derivePublicKey,
} from '../keys/key.js';

const SEED_BYTES = 32;
/** A key file is a line of 85 characters; nothing longer is read. */
const FILE_BYTES_MAX = 256;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** What a new pair of files holds. */
export type NewKey = { readonly secretPath: string; readonly publicPath: string; readonly key: PublicKey };

/** A file of a new key; `mode`: its permissions, those of any new file if left out. */
type KeyDraft = { readonly path: string; readonly bytes: Uint8Array; readonly mode?: number };

/**
 * Makes a key: `path` with the secret, readable by its owner only, and `path.pub`. `createAll` writes both or
 * none, durably, and never replaces a file; this rejects as it does.
 */
export async function makeKeyFiles(
  path: string,
  { sha256, createAll }: { sha256: Sha256; createAll: (drafts: readonly KeyDraft[]) => Promise<void> },
): Promise<NewKey> {
  const seed = Uint8Array.from(randomBytes(SEED_BYTES));
  const key = derivePublicKey(seed, nativeEd25519, sha256);
  const publicPath = `${path}.pub`;
  await createAll([
    { path, bytes: utf8Bytes(`${formatSecretKey(seed)}\n`), mode: OWNER_ONLY },
    { path: publicPath, bytes: utf8Bytes(`${formatPublicKey(key.bytes)}\n`) },
  ]);
  return { secretPath: path, publicPath, key };
}

/**
 * Why a file gives no secret key: what it holds, what it is, who else may read or write it, or what reading
 * it raised.
 */
export type SecretKeyFault =
  | KeyError
  | { readonly code: 'no_file' }
  | { readonly code: 'key_permissions'; readonly mode: number }
  | { readonly code: 'unreadable'; readonly cause: unknown };

/** The seed in a secret key file. Errors: {@link SecretKeyFault}; they never quote the file. */
export function readSecretKey(path: string): Result<SecretKeyFault, Uint8Array> {
  try {
    const text = ownersText(path);
    return text._tag === 'Left' ? text : parseSecretKey(text.right);
  } catch (cause) {
    return err({ code: 'unreadable', cause });
  }
}

/**
 * Keys somebody trusts: each a line, or a file of one line, which `read` gives. A key named twice is one.
 * Errors name which of those given is none; rejects as `read` does.
 */
export async function readTrusted(
  given: readonly string[],
  { sha256, read }: { sha256: Sha256; read: (path: string) => Promise<Uint8Array> },
): Promise<Result<KeyError & { readonly given: string; readonly isLine: boolean }, readonly PublicKey[]>> {
  const keys = new Map<string, PublicKey>();
  for (const one of given) {
    const isLine = one.startsWith('assay-public-key:') || one.startsWith('assay-secret-key:');
    // As it stands: no mark at the start and no other line end is taken off.
    const line = isLine ? one : new TextDecoder('utf-8', { ignoreBOM: true }).decode(await read(one));
    const key = parsePublicKey(line, sha256);
    if (key._tag === 'Left') return err({ ...key.left, given: one, isLine });
    keys.set(key.right.id, key.right);
  }
  return ok([...keys.values()]);
}

/** Asked of the open file, so that what is judged is what is read. */
function ownersText(path: string): Result<SecretKeyFault, string> {
  if (!statSync(path).isFile()) return err({ code: 'no_file' });
  const handle = openSync(path, 'r');
  try {
    const { mode } = fstatSync(handle);
    const buffer = new Uint8Array(FILE_BYTES_MAX);
    const text = new TextDecoder().decode(buffer.subarray(0, readSync(handle, buffer)));
    // Everybody may read a public key: what is wrong with it is another thing. Windows keeps no such bits:
    // who may read is up to the folder.
    return text.startsWith('assay-public-key:') || process.platform === 'win32' || (mode & OTHERS) === 0
      ? ok(text)
      : err({ code: 'key_permissions', mode: mode & 0o777 });
  } finally {
    closeSync(handle);
  }
}

/** What stands before a raw key in its DER form (RFC 8410 §4, §7). */
const PUBLIC_PREFIX: Uint8Array = Buffer.from('302a300506032b6570032100', 'hex');
const SECRET_PREFIX: Uint8Array = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** Ed25519 by `node:crypto`, as an `Ed25519` of the package. */
export const nativeEd25519: Ed25519 = {
  publicKey: (secret) =>
    Uint8Array.from(
      createPublicKey(secretKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES),
    ),
  sign: (message, secret) => Uint8Array.from(sign(null, message, secretKey(secret))),
  verify: (signature, message, publicKey) => {
    try {
      return verify(
        null,
        message,
        createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' }),
        signature,
      );
    } catch {
      // Bytes that are no point of the curve.
      return false;
    }
  },
};

function secretKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([SECRET_PREFIX, secret]), format: 'der', type: 'pkcs8' });
}
