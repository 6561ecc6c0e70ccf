/**
 * Files of signatures and proofs, and what `verify` is given of them.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { Authorship, readEvidenceLines, weigh, type Evidence, type EvidenceLines } from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { utf8Bytes } from '@assay/kernel';
import type { VerifyOptions } from '@assay/verifier';
import { readTrusted } from '../../files/key-files.js';
import { readWhole } from '../../files/read.js';
import { appendTo, endLineAt } from '../../files/write.js';
import type { AuthorshipFlags } from '../../options/key-flags.js';
import { misuse } from '../../problems/problem.js';

/**
 * What the flags bring, judged by itself. Raises `Stop`: `bad_value`, and those of reading keys and files.
 */
export async function evidenceOf({ signature, trust, threshold, proof }: AuthorshipFlags): Promise<Evidence> {
  const trusted = await readTrusted(trust);
  return weigh({
    signatures: signature.length === 0 ? null : await linesOf(signature),
    proofs: proof.length === 0 ? null : await linesOf(proof),
    trusted,
    threshold: thresholdOf(threshold, trusted.length),
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

async function linesOf(paths: readonly string[]): Promise<readonly EvidenceLines[]> {
  const read: EvidenceLines[] = [];
  for (const path of paths) read.push(readEvidenceLines(await readWhole(path)));
  return read;
}

function thresholdOf(text: string | undefined, keys: number): number {
  if (text === undefined) return 1;
  const threshold = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (threshold < 1)
    throw misuse('bad_value', 'not a number of signers', `--threshold ${text}`, 'give a whole number from 1');
  if (threshold > keys)
    throw misuse(
      'bad_value',
      `${threshold} signers are needed, but only ${keys} ${keys === 1 ? 'key is' : 'keys are'} trusted`,
      `--threshold ${text}`,
      'trust more keys with --trust, or lower the threshold',
    );
  return threshold;
}
