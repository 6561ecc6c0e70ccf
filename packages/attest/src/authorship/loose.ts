/**
 * A proof judged without its ledger: is what it shows under a head that trusted keys signed?
 * Source: issue 5, "Signed heads"; docs/formats/heads.md.
 */
import type { Digest, EvidenceRecord, Json } from '@assay/kernel';
import type { Proof, TreeHead } from '../proofs/proof.js';
import type { AuthorshipVerdict } from './authorship.js';
import type { Evidence, VouchedHead } from './evidence.js';

/** What came of one proof; `proof` null for lines that are none or do not recompute. */
export type LooseResult = { readonly proof: Proof | null } & Pick<
  AuthorshipVerdict,
  'verdict' | 'code' | 'detail'
>;

/**
 * Judges every proof that was brought. Held: each tree it names is that of one head signed by enough trusted
 * keys, and its size is the head's count less the sequence of the run's first record. That sequence stands in
 * no head, so one of the proofs must show the first record, with or without its payload; else `not_checked`,
 * `no_genesis`. A root stands for one head, so two heads over the tree that trusted keys signed contradict
 * each other: `bad_proof`, whoever of them is right.
 */
export function judgeLoose(evidence: Evidence): readonly LooseResult[] {
  const { forged, unreadable, proofs, badProofs } = evidence;
  if (forged > 0) return [{ proof: null, verdict: 'failed', code: 'bad_signature', detail: { forged } }];
  const bad: readonly LooseResult[] =
    badProofs + unreadable > 0
      ? [{ proof: null, verdict: 'failed', code: 'bad_proof', detail: { bad: badProofs + unreadable } }]
      : [];
  return [...bad, ...proofs.map((proof) => judgeOne(evidence, proof))];
}

function judgeOne(evidence: Evidence, proof: Proof): LooseResult {
  const not = (code: string, detail: Json = null): LooseResult => ({
    proof,
    verdict: 'not_checked',
    code,
    detail,
  });
  if (!evidence.isSigned) return not('unsigned');
  if (!evidence.isTrusting) return not('no_key');
  const bad = (reason: string): LooseResult => ({
    proof,
    verdict: 'failed',
    code: 'bad_proof',
    detail: { reason },
  });
  const trees = proof.t === 'assay.inclusion.v1' ? [proof] : [proof.from, proof.to];
  const over = trees.map((tree) => headsOver(evidence, proof.genesis_hash, tree));
  if (over.some(({ length }) => length === 0))
    return evidence.heads.length === 0
      ? not('unknown_key')
      : { proof, verdict: 'failed', code: 'signed_other', detail: null };
  if (over.some(({ length }) => length > 1))
    return bad('trusted keys signed heads over this tree that contradict each other');
  const vouched = over.flat();
  if (vouched.some(({ keys }) => keys.length < evidence.threshold)) return not('below_threshold');
  const first = findFirst(evidence, proof.genesis_hash);
  if (first === null) return not('no_genesis');
  const counts = vouched.map(({ head }) => head.count);
  const isPlaced = trees.every(({ size }, at) => counts[at] === first + size);
  return isPlaced
    ? { proof, verdict: 'held', code: null, detail: { counts, first } }
    : bad('the size of the tree is not that of the signed head');
}

/**
 * The different heads over a tree that trusted keys signed. Each has its own signers: a root says which
 * records there are and so what the head is, and a key that signed another count, last record or end over it
 * does not vouch for what the others signed.
 */
function headsOver(
  { heads }: Evidence,
  genesisHash: Digest,
  { tree_root }: TreeHead,
): readonly VouchedHead[] {
  return heads.filter(({ head }) => head.genesis_hash === genesisHash && head.tree_root === tree_root);
}

/**
 * Sequence of a run's first record, from a proof that shows it; null if none does. Without it, or by the
 * ts of another record alone, a size of the prover's own making can give a record another index: the path has
 * the same shape, and index and size move together.
 */
function findFirst({ proofs }: Evidence, genesisHash: Digest): number | null {
  for (const proof of proofs) {
    const shown = proof.t === 'assay.inclusion.v1' && proof.record_hash === genesisHash ? proof.record : null;
    if (shown !== null) return readSequence(shown);
  }
  return null;
}

/**
 * Foreign chains count from 0. One whose first record looks like ours and is not gets no proof accepted, and
 * no false one.
 */
function readSequence({ kind, ts }: EvidenceRecord): number {
  return kind === 'genesis' ? Number(/#([0-9]{12})$/.exec(ts)?.[1] ?? 0) : 0;
}
