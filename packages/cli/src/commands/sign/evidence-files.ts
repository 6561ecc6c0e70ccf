/**
 * Files of signatures and proofs, and what `verify` is given of them.
 *
 * @module
 */
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
} from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { LINE_LIMITS, LineSplitter, parseRecordLine, utf8Bytes, type EvidenceRecord } from '@assay/kernel';
import type { VerifyOptions } from '@assay/verifier';
import type { Output } from '../../call/output.js';
import { readTrusted } from '../../files/key-files.js';
import { notRead, readWhole } from '../../files/read.js';
import { ledgerChunks, ledgerFile } from '../../files/report-file.js';
import { appendTo, endLineAt } from '../../files/write.js';
import { readSigners, type AuthorshipFlags } from '../../options/verify.js';
import { EXIT, misuse, worst, type ExitCode } from '../../problems/problem.js';
import { rendered, show, type Shown } from '../../terminal/shown.js';

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
    throw misuse(
      'bad_value',
      'not a number of signers',
      `--expect signers=${text}`,
      'give a whole number from 1',
    );
  if (threshold > keys)
    throw misuse(
      'bad_value',
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
