/** Signers, two runs, and what they come to: shared by the tests of verdicts. */
import { expect } from 'vitest';
import { orThrow, utf8Bytes, validateRun, type EvidenceRecord } from '@assay/kernel';
import {
  Authorship,
  formatEnvelope,
  derivePublicKey,
  readEvidenceLines,
  signedHead,
  signHead,
  weigh,
  type PublicKey,
  type SignedHead,
} from '../src/index.ts';
import type { AuthorshipVerdict } from '../src/authorship/authorship.ts';
import type { Brought } from '../src/authorship/evidence.ts';
import type { Envelope } from '../src/dsse/envelope.ts';
import { headBytes, HEAD_TYPE } from '../src/head/signed-head.ts';
import { nativeEd25519 } from '../src/node.ts';
import { poll, rootOf, summaryOf } from './runs.ts';

/** Five signers, their secrets and their keys. */
export const seeds: readonly Uint8Array[] = Array.from({ length: 5 }, (_, index) =>
  new Uint8Array(32).fill(index + 1),
);
export const keys: readonly PublicKey[] = seeds.map((seed) => derivePublicKey(seed, nativeEd25519));
/** Two runs that have nothing to do with each other. */
export const run: readonly EvidenceRecord[] = poll('signed');
export const other: readonly EvidenceRecord[] = poll('other');

/** The head of the first `size` records. A prefix inside a group has one, too. */
export const headOf = (records: readonly EvidenceRecord[], size = records.length): SignedHead => {
  const prefix = records.slice(0, size);
  return signedHead(orThrow(validateRun(prefix)), rootOf(prefix));
};
export const by = (head: SignedHead, ...signers: readonly number[]): Envelope => ({
  payloadType: HEAD_TYPE,
  payload: headBytes(head),
  signatures: signers.flatMap(
    (signer) => signHead(head, seeds[signer] ?? new Uint8Array(32), nativeEd25519).signatures,
  ),
});
export const file = (...lines: readonly string[]): Brought['signatures'] => [
  readEvidenceLines(utf8Bytes(lines.map((line) => `${line}\n`).join(''))),
];
export const envelopes = (...list: readonly Envelope[]): Brought['signatures'] =>
  file(...list.map(formatEnvelope));
export const trusting = (...signers: readonly number[]): readonly PublicKey[] =>
  signers.flatMap((signer) => keys.slice(signer, signer + 1));

/** The verdict on a ledger. */
export function judge(records: readonly EvidenceRecord[], brought: Partial<Brought>): AuthorshipVerdict {
  const authorship = new Authorship(
    weigh({ signatures: null, proofs: null, trusted: [], engine: nativeEd25519, ...brought }),
  );
  const summary = summaryOf(records);
  for (const record of records) authorship.add(record, summary.first);
  return authorship.verdict(summary);
}
export const erased = (record: EvidenceRecord | undefined): EvidenceRecord => {
  const { payload: _, ...envelope } = record ?? expect.fail('no record');
  return envelope;
};
export const code = (verdict: AuthorshipVerdict): string => verdict.code ?? verdict.verdict;
