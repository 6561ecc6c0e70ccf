/**
 * A ledger as the subject of an in-toto statement. Source: in-toto attestation framework, Statement v1.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { MerkleTree, signedHead, type SignedHead } from '@assay/attest';
import { nativeSha256 } from '@assay/host';
import { ledgerChunks } from '../../files/report-file.js';
import { readFacts } from '../../files/ledger.js';

/** Statement v1 about one file: its name and SHA-256, and as predicate its head. */
export type HeadStatement = {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: 'urn:assay:head:v1';
  readonly predicate: SignedHead;
};

/**
 * The statement on a ledger whose integrity holds; any tool can compare the digest, and the head is what
 * Assay recomputes. Raises `Stop`.
 */
export async function inTotoStatement(file: string): Promise<HeadStatement> {
  const tree = new MerkleTree(nativeSha256);
  const summary = await readFacts(file, ({ record_hash }) => tree.add(record_hash));
  const hash = createHash('sha256');
  for await (const chunk of ledgerChunks(file)) hash.update(chunk);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: `${summary.run_id ?? 'foreign'}.ledger.jsonl`, digest: { sha256: hash.digest('hex') } },
    ],
    predicateType: 'urn:assay:head:v1',
    predicate: signedHead(summary, tree.root()),
  };
}
