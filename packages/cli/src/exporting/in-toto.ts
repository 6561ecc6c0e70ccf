/**
 * A ledger as the subject of an in-toto statement. Source: in-toto attestation framework, Statement v1.
 *
 * @module
 */
import { signedHead, type SignedHead } from '@assay/attest';
import type { Digest, RunSummary } from '@assay/kernel';

/** Statement v1 about one file: its name and SHA-256, and as predicate its head. */
export type HeadStatement = {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: 'urn:assay:head:v1';
  readonly predicate: SignedHead;
};

/** The statement. `fileDigest`: SHA-256 of the ledger's bytes, which any tool can compare; the head is what Assay recomputes. */
export function inTotoStatement(summary: RunSummary, treeRoot: Digest, fileDigest: string): HeadStatement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `${summary.run_id ?? 'foreign'}.ledger.jsonl`, digest: { sha256: fileDigest } }],
    predicateType: 'urn:assay:head:v1',
    predicate: signedHead(summary, treeRoot),
  };
}
