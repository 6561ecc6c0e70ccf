/**
 * Files of signatures and proofs: canonical lines, each an envelope or a proof.
 *
 * @module
 */
import { LineSplitter } from '@assay/kernel';
import { parseEnvelopeLine, type Envelope } from '../dsse/envelope.js';
import { parseProof, type Proof } from './proof.js';

/** What stands in a file, and how many lines are neither: those are never passed over in silence. */
export type EvidenceLines = {
  readonly envelopes: readonly Envelope[];
  readonly proofs: readonly Proof[];
  readonly unread: number;
};

/** Reads a file whole. A last line without its line end is taken, as an editor or a shell leaves it. */
export function readEvidenceLines(bytes: Uint8Array): EvidenceLines {
  const splitter = new LineSplitter();
  const envelopes: Envelope[] = [];
  const proofs: Proof[] = [];
  let unread = 0;
  for (const line of [...splitter.push(bytes), ...splitter.end()]) {
    const envelope = parseEnvelopeLine(line.bytes);
    const proof = envelope._tag === 'Left' ? parseProof(line.bytes) : null;
    if (envelope._tag === 'Right') envelopes.push(envelope.right);
    else if (proof?._tag === 'Right') proofs.push(proof.right);
    else unread += 1;
  }
  return { envelopes, proofs, unread };
}
