/** Files of signatures and proofs, and what `verify` is given of them. */
import * as keyFiles from '@assay/attest/node';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  Authorship,
  judgeLoose,
  readEvidenceLines,
  weigh,
  type Evidence,
  type EvidenceLines,
  type LooseResult,
  type KeyError,
  type PublicKey,
} from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { LINE_LIMITS, LineSplitter, parseRecordLine, utf8Bytes, type EvidenceRecord } from '@assay/kernel';
import type { VerifyOptions } from '@assay/verifier';
import type { Output } from '../../call/output.js';
import { notRead, readWhole } from '../../files/read.js';
import { ledgerChunks, ledgerFile } from '../../files/ledger.js';
import { appendTo, endLineAt, writeNew } from '../../files/write.js';
import { readSigners, type AuthorshipFlags } from '../../options/verify.js';
import { EXIT, misuse, worst, type ExitCode, type Stop, badValue } from '../../problems/problem.js';
import { rendered, show, type Shown } from '../../terminal/shown.js';
import { readErrno } from '@assay/host/files';

/**
 * What the flags bring, judged by itself. Raises `Stop`: `bad_value`, and those of reading keys and files.
 */
export async function readEvidence(flags: AuthorshipFlags): Promise<Evidence> {
  const { signature, trust, proof } = flags;
  const trusted = await readTrusted(trust);
  return weigh({
    signatures: signature.length === 0 ? null : await readLines(signature),
    proofs: proof.length === 0 ? null : await readLines(proof),
    trusted,
    threshold: parseThreshold(readSigners(flags), trusted.length),
    engine: nativeEd25519,
    sha256: nativeSha256,
  });
}

/** The same as an option of the verifier. */
export function authorshipOption(evidence: Evidence): Pick<VerifyOptions, 'authorship'> {
  return { authorship: () => new Authorship(evidence) };
}

/**
 * Adds lines to a file of signatures or proofs, several processes at once as well; one that stands there
 * already stays alone, unless two add it in the same moment, and then counts once. Raises `Stop`:
 * `other_file`, and those of files.
 */
export async function addLines(path: string, lines: readonly string[]): Promise<void> {
  const before = existsSync(path) ? await readWhole(path) : new Uint8Array();
  if (readEvidenceLines(before).unread > 0)
    throw misuse(
      'other_file',
      'this file exists and has other content',
      path,
      'name another file, or one with signatures or proofs',
    );
  const text = new TextDecoder().decode(before);
  const there = new Set(text.split('\n'));
  const lacking = lines.filter((line) => !there.has(line));
  if (lacking.length === 0) return;
  if (text !== '' && !text.endsWith('\n')) endLineAt(path, before.length);
  appendTo(path, utf8Bytes(`${lacking.join('\n')}\n`));
}

async function readLines(paths: readonly string[]): Promise<readonly EvidenceLines[]> {
  const read: EvidenceLines[] = [];
  for (const path of paths) read.push(readEvidenceLines(await readWhole(path)));
  return read;
}

function parseThreshold(text: string | undefined, keys: number): number {
  if (text === undefined) return 1;
  const threshold = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (threshold < 1)
    throw badValue('not a number of signers', `--expect signers=${text}`, 'give a whole number from 1');
  if (threshold > keys)
    throw badValue(
      `${threshold} signers are needed, but only ${keys} ${keys === 1 ? 'key is' : 'keys are'} trusted`,
      `--expect signers=${text}`,
      'trust more keys with --trust, or expect fewer',
    );
  return threshold;
}

const LINE_END = 0x0a;
const PIECE_BYTES = 65_536;

/** The last record, read from the end of the file; null where its last line is none. Raises `Stop`. */
export async function lastRecord(path: string): Promise<EvidenceRecord | null> {
  try {
    return await readLast(ledgerFile(path));
  } catch (error) {
    throw notRead(path, error);
  }
}

async function readLast(path: string): Promise<EvidenceRecord | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let wanted = PIECE_BYTES; ; wanted *= 4) {
      const length = Math.min(size, wanted);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const start = buffer.lastIndexOf(LINE_END, -2);
      if (start !== -1 || length === size)
        return buffer.at(-1) === LINE_END ? parseRecord(buffer.subarray(start + 1, -1)) : null;
      if (length > LINE_LIMITS.bytes) return null;
    }
  } finally {
    await file.close();
  }
}

/**
 * The record at a position. Its neighbours are not judged: a path shows where it stands. Raises `Stop`:
 * `no_record`, and those of reading a file.
 */
export async function recordAt(path: string, position: number): Promise<EvidenceRecord> {
  const splitter = new LineSplitter();
  let at = 0;
  for await (const chunk of ledgerChunks(path)) {
    for (const line of splitter.push(chunk)) {
      const record = at === position ? parseRecord(line.bytes) : null;
      if (record !== null) return record;
      at += 1;
    }
  }
  throw misuse('no_record', 'no such record', `${path}, record ${position}`, 'records are counted from 0');
}

function parseRecord(line: Uint8Array): EvidenceRecord | null {
  const record = parseRecordLine(line);
  return record._tag === 'Right' ? record.right : null;
}

/**
 * Prints one answer for each proof. Exit 3 where one failed, 4 where one could not be checked. Raises `Stop`:
 * `no_proof`, and those of reading keys and files.
 */
export async function verifyProofs(
  output: Output,
  flags: AuthorshipFlags,
  allowUnchecked: boolean,
): Promise<ExitCode> {
  const evidence = await readEvidence(flags);
  const results = judgeLoose(evidence);
  if (results.length === 0)
    throw misuse(
      'no_proof',
      'these files contain no proof',
      '--proof',
      'make one: assay prove LEDGER RECORD -o FILE',
    );
  output.document({ proofs: results });
  for (const result of results) {
    output.line(describeProof(result));
    output.line(
      rendered(
        `  authorship    ${result.verdict.padEnd(13)}${result.code ?? 'under a head signed by keys that you named'}`,
      ),
    );
    if (result.verdict === 'failed') output.brief(show`proof failed: ${result.code ?? ''}`);
  }
  return worst(
    results.map(({ verdict }) =>
      verdict === 'failed'
        ? EXIT.failed
        : verdict === 'not_checked' && !allowUnchecked
          ? EXIT.unchecked
          : EXIT.done,
    ),
  );
}

function describeProof({ proof }: LooseResult): Shown {
  if (proof === null) return show`proofs and signatures that were brought`;
  if (proof.t === 'assay.inclusion.v1')
    return show`record ${proof.record_hash} of the run that begins with ${proof.genesis_hash}`;
  return show`${proof.to.size} records that go on from ${proof.from.size}, of the run that begins with ${
    proof.genesis_hash
  }`;
}

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
      'give the name of its file; if others may have read it, make a new key: assay keygen FILE',
    );
  const read = keyFiles.readSecretKey(path);
  if (read._tag === 'Right') return read.right;
  throw notSecret(read.left, path);
}

function notSecret(fault: keyFiles.SecretKeyFault, path: string): unknown {
  switch (fault.code) {
    case 'no_file':
      return misuse('unreadable', 'not a regular file', path, 'name the file that assay keygen wrote');
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
        'give the file that assay keygen wrote, without .pub',
      );
  }
}

function notReadable(cause: unknown, path: string): unknown {
  const errno = readErrno(cause);
  if (errno === null) return cause;
  return errno === 'ENOENT'
    ? misuse('missing_file', 'no such key file', path, 'make one: assay keygen FILE')
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
