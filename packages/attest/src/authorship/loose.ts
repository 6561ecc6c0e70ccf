/**
 * A proof judged without its ledger: is what it shows under a head that trusted keys signed?
 * Source: issue 5, "Signed heads"; docs/formats/proofs.md.
 *
 * @module
 */
import type { Digest, Json } from '@assay/kernel';
import type { InclusionProof, Proof, TreeHead } from '../proofs/proof.js';
import type { AuthorshipVerdict } from './authorship.js';
import type { Evidence } from './evidence.js';

/** What came of one proof; `proof` null for lines that are none or do not recompute. */
export type LooseResult = { readonly proof: Proof | null } & Pick<AuthorshipVerdict, 'verdict' | 'code' | 'detail'>;

/**
 * Judges every proof that was brought. Held: each tree it names is that of a head signed by enough trusted keys. The place of
 * a record follows from the head's count and, where that is not the tree's size (a continuation), from the record's own ts.
 */
export function judgeLoose(evidence: Evidence): readonly LooseResult[] {
  const { forged, unreadable, proofs, badProofs } = evidence;
  if (forged > 0) return [{ proof: null, verdict: 'failed', code: 'bad_signature', detail: { forged } }];
  const bad: readonly LooseResult[] = badProofs + unreadable > 0 ? [{ proof: null, verdict: 'failed', code: 'bad_proof', detail: { bad: badProofs + unreadable } }] : [];
  return [...bad, ...proofs.map((proof) => judgeOne(evidence, proof))];
}

function judgeOne(evidence: Evidence, proof: Proof): LooseResult {
  const not = (code: string, detail: Json = null): LooseResult => ({ proof, verdict: 'not_checked', code, detail });
  if (!evidence.isSigned) return not('unsigned');
  if (!evidence.isTrusting) return not('no_key');
  const trees = proof.t === 'assay.inclusion.v1' ? [proof] : [proof.from, proof.to];
  const vouched = trees.map((tree) => headOf(evidence, proof.genesis_hash, tree));
  if (vouched.some((head) => head === null)) return evidence.heads.length === 0 ? not('unknown_key') : { proof, verdict: 'failed', code: 'signed_other', detail: null };
  if (vouched.some((head) => (head?.keys ?? 0) < evidence.threshold)) return not('below_threshold');
  const firsts = vouched.map((head, at) => (head?.count ?? 0) - (trees[at]?.size ?? 0));
  const isPlaced = proof.t === 'assay.inclusion.v1' ? isPlacedRecord(proof, firsts[0] ?? 0) : isPlacedTree(firsts);
  return isPlaced ? { proof, verdict: 'held', code: null, detail: { counts: vouched.map((head) => head?.count ?? 0) } } : { proof, verdict: 'failed', code: 'bad_proof', detail: { reason: 'the size of the tree is not that of the signed head' } };
}

/** The signed head over a tree: its count, and how many trusted keys are behind it. */
function headOf({ heads }: Evidence, genesisHash: Digest, { tree_root }: TreeHead): { readonly count: number; readonly keys: number } | null {
  const found = heads.filter(({ head }) => head.genesis_hash === genesisHash && head.tree_root === tree_root);
  const [first] = found;
  return first === undefined ? null : { count: first.head.count, keys: new Set(found.flatMap(({ keys }) => keys)).size };
}

/** A size of its own making would let a proof give a record another index: same path, other place. */
function isPlacedRecord({ index, record }: InclusionProof, first: number): boolean {
  if (first === 0) return true;
  return first > 0 && record !== null && Number(record.ts.slice(-12)) === first + index;
}

function isPlacedTree(firsts: readonly number[]): boolean {
  return firsts.every((first) => first >= 0 && first === firsts[0]);
}

