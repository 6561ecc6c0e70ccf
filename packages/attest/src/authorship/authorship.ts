/**
 * The authorship verdict of one ledger: is this file's head signed by keys that the user named?
 * Source: ledger format, "Verdicts" (authorship), "Heads"; docs/formats/heads.md.
 */
import type { Digest, EvidenceRecord, Json, RunSummary } from '@assay/kernel';
import { MerkleTree } from '../merkle/tree.js';
import type { Proof, TreeHead } from '../proofs/proof.js';
import type { Evidence, VouchedHead } from './evidence.js';

/**
 * A verdict in the form of the verifier's own. `code` of a failed one, in order of precedence: `bad_signature`,
 * `bad_proof`, `signed_other`; of one that was not checked: `unsigned`, `no_key`, `unknown_key`,
 * `below_threshold`, `beyond_head`, and `integrity`, the verifier's own. `record`: first record after a signed
 * head, for `beyond_head`; position of the head's last record, for `signed_other`.
 */
export type AuthorshipVerdict = {
  readonly verdict: 'held' | 'failed' | 'not_checked';
  readonly code: string | null;
  readonly record: number | null;
  readonly count: number;
  readonly detail: Json;
};

/** What the file is at a number of records. */
type Mark = { readonly hash: Digest; readonly root: Digest };
/** What a vouched head is to this file. */
type Relation = 'here' | 'earlier' | 'later' | 'elsewhere' | 'conflict' | 'unsound';
type Related = VouchedHead & { readonly is: Relation; readonly size: number };

/**
 * Follows the records of one ledger and gives the verdict at its end. Two digests a record where there is
 * anything to compare with the tree, none else; memory logarithmic in the ledger and linear in the evidence.
 */
export class Authorship {
  private readonly evidence: Evidence;
  private readonly tree: MerkleTree;
  private readonly marks: Map<number, Mark> = new Map<number, Mark>();
  private readonly recordHashes: Map<number, Digest> = new Map<number, Digest>();
  /** Numbers of records at which a mark is needed, rising; and positions whose record hash is. */
  private sizes: readonly number[] = [];
  private positions: ReadonlySet<number> = new Set<number>();
  private next = 0;
  private position = 0;

  constructor(evidence: Evidence) {
    this.evidence = evidence;
    this.tree = new MerkleTree(evidence.sha256);
  }

  /**
   * The next record, whose integrity holds. `first`: sequence of the file's first record, 0 in a foreign
   * chain.
   */
  add({ record_hash }: EvidenceRecord, first: number): void {
    if (this.position === 0) this.prepare(record_hash, first);
    if (this.positions.has(this.position)) this.recordHashes.set(this.position, record_hash);
    this.position += 1;
    if (this.next === this.sizes.length) return;
    this.tree.add(record_hash);
    if (this.sizes[this.next] !== this.position) return;
    this.marks.set(this.position, { hash: record_hash, root: this.tree.root() });
    this.next += 1;
  }

  /** The verdict on a file whose integrity holds. */
  verdict(summary: RunSummary): AuthorshipVerdict {
    const { evidence } = this;
    const related = evidence.heads.map((vouched) => this.relate(vouched, summary));
    const failure = this.failure(related, summary);
    if (failure !== null) return failure;
    if (!evidence.isSigned) return open('unsigned', this.detail(related));
    if (!evidence.isTrusting) return open('no_key', this.detail(related));
    const here = listKeys(related, 'here');
    const detail = this.detail(related);
    if (here.length >= evidence.threshold)
      return { verdict: 'held', code: null, record: null, count: 0, detail };
    if (here.length > 0) return open('below_threshold', detail);
    const earlier = related.filter(({ is, keys }) => is === 'earlier' && keys.length >= evidence.threshold);
    if (earlier.length > 0) {
      const size = Math.max(...earlier.map((head) => head.size));
      return {
        verdict: 'not_checked',
        code: 'beyond_head',
        record: size,
        count: summary.records - size,
        detail,
      };
    }
    return listKeys(related, 'earlier').length > 0
      ? open('below_threshold', detail)
      : open('unknown_key', detail);
  }

  private prepare(genesisHash: Digest, first: number): void {
    const { heads, proofs } = this.evidence;
    const own = proofs.filter(({ genesis_hash }) => genesis_hash === genesisHash);
    const sizes = [
      ...heads.flatMap(({ head }) => (head.genesis_hash === genesisHash ? [head.count - first] : [])),
      ...own.flatMap((proof) => listTrees(proof).map(({ size }) => size)),
    ];
    this.sizes = [...new Set(sizes)].filter((size) => size >= 1).sort((a, b) => a - b);
    this.positions = new Set(own.flatMap((proof) => (proof.t === 'assay.inclusion.v1' ? [proof.index] : [])));
  }

  private failure(related: readonly Related[], summary: RunSummary): AuthorshipVerdict | null {
    const { forged, unreadable, badProofs, proofs, isProving, otherTypes } = this.evidence;
    const is = (relation: Relation): Related | undefined => related.find((head) => head.is === relation);
    const detail = this.detail(related);
    if (forged > 0) return failed('bad_signature', null, forged, detail);
    const own = proofs.filter(({ genesis_hash }) => genesis_hash === summary.genesis_hash);
    const astray = own.filter((proof) => !this.fits(proof, related));
    const isStrange = isProving && own.length === 0 && badProofs === 0;
    const bad =
      unreadable +
      related.filter(({ is: relation }) => relation === 'unsound').length +
      badProofs +
      astray.length +
      (isStrange ? 1 : 0);
    if (bad > 0) return failed('bad_proof', null, bad, detail);
    const conflict = is('conflict');
    if (conflict !== undefined)
      return signedOther(
        conflict,
        conflict.size >= 1 && conflict.size <= summary.records ? conflict.size - 1 : null,
        detail,
        summary,
      );
    if (is('here') !== undefined || is('earlier') !== undefined) return null;
    const other = is('later') ?? is('elsewhere');
    if (other !== undefined) return signedOther(other, null, detail, summary);
    return otherTypes > 0 ? failed('signed_other', null, 1, detail) : null;
  }

  private relate(vouched: VouchedHead, summary: RunSummary): Related {
    const { head } = vouched;
    const size = head.count - summary.first;
    if (head.genesis_hash !== summary.genesis_hash) return { ...vouched, is: 'elsewhere', size };
    if (size > summary.records) return { ...vouched, is: 'later', size };
    const mark = this.marks.get(size);
    if (mark === undefined || mark.hash !== head.last_hash) return { ...vouched, is: 'conflict', size };
    const isEnd = size === summary.records;
    const isSound =
      mark.root === head.tree_root &&
      head.closed === (isEnd && summary.outcome !== 'open') &&
      head.summary_hash === (isEnd ? summary.summary_hash : null);
    return { ...vouched, is: !isSound ? 'unsound' : isEnd ? 'here' : 'earlier', size };
  }

  /**
   * Whether a proof that recomputes is about this file: its trees are prefixes of it, or what a vouched head
   * says comes later.
   */
  private fits(proof: Proof, related: readonly Related[]): boolean {
    const isKnown = ({ size, tree_root }: TreeHead): boolean =>
      size <= this.position
        ? this.marks.get(size)?.root === tree_root
        : related.some(
            (head) => head.is === 'later' && head.size === size && head.head.tree_root === tree_root,
          );
    if (!listTrees(proof).every(isKnown)) return false;
    return (
      proof.t === 'assay.consistency.v1' ||
      proof.index >= this.position ||
      this.recordHashes.get(proof.index) === proof.record_hash
    );
  }

  private detail(related: readonly Related[]): Json {
    const { threshold, signatures, proofs } = this.evidence;
    const heads = related.map(({ head, keys, is }) => ({ count: head.count, is, keys: [...keys] }));
    // Known from the same keys: there are more records than this file has.
    const remarks = related.some(({ is }) => is === 'later') ? ['later_head_signed'] : [];
    return {
      signatures,
      threshold,
      heads,
      proofs: proofs.length,
      ...(remarks.length === 0 ? {} : { remarks }),
    };
  }
}

/** The trees a proof speaks of. */
function listTrees(proof: Proof): readonly TreeHead[] {
  return proof.t === 'assay.inclusion.v1' ? [proof] : [proof.from, proof.to];
}

/** The distinct keys behind the heads in one relation; heads in the relation `here` are one head. */
function listKeys(related: readonly Related[], relation: Relation): readonly Digest[] {
  return [...new Set(related.filter(({ is }) => is === relation).flatMap(({ keys }) => keys))];
}

function signedOther(
  { head, size }: Related,
  record: number | null,
  detail: Json,
  summary: RunSummary,
): AuthorshipVerdict {
  const isSame = head.genesis_hash === summary.genesis_hash;
  const expected: Json = { genesis_hash: head.genesis_hash, count: head.count, last_hash: head.last_hash };
  const got: Json = { genesis_hash: summary.genesis_hash, count: summary.count, last_hash: summary.hash };
  return failed('signed_other', record, isSame && size > summary.records ? size - summary.records : 1, {
    ...(detail as { readonly [key: string]: Json }),
    expected,
    got,
  });
}

function failed(code: string, record: number | null, count: number, detail: Json): AuthorshipVerdict {
  return { verdict: 'failed', code, record, count, detail };
}

function open(code: string, detail: Json): AuthorshipVerdict {
  return { verdict: 'not_checked', code, record: null, count: 0, detail };
}
