/**
 * A ledger for the tests of attest: a poll, its records, and trees of made-up record hashes.
 */
import {
  advance,
  makeContinuation,
  openRun,
  orThrow,
  sha256Hex,
  snapshot,
  validateRun,
  type Digest,
  type EvidenceRecord,
  type RunSummary,
} from '@assay/kernel';
import { MerkleTree } from '../src/index.ts';
import { TreeHasher } from '../src/merkle/tree.ts';
import type { ReadStored } from '../src/merkle/stored.ts';
import { nativeSha256 } from '@assay/host';
import { tally } from '@assay/testing/tally';

/** Records of a poll of three votes; `votes` of them are given, fewer than three leave it open. */
export function poll(runId: string, votes = 3): readonly EvidenceRecord[] {
  const first = orThrow(
    openRun(tally, {
      run_id: runId,
      ts_base: '2026',
      policy: { voters: 3, quorum: 2, attempts: 2 },
      input: { question: 'Where?', options: ['library', 'harbour'] },
    }),
  );
  const records = [...first.records];
  let { run } = first;
  for (let index = 0; index < votes; index += 1) {
    const step = orThrow(
      advance(run, {
        request_id: `1.${index}`,
        source: 'synthetic',
        proposer: 'test',
        confidence: null,
        value: { option: index === 1 ? 'harbour' : 'library' },
        failure: null,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
      }),
    );
    records.push(...step.records);
    run = step.run;
  }
  return records;
}

/** A run that goes on from the opening of another: its records, and the sequence of the first. */
export function continued(): { readonly first: number; readonly records: readonly EvidenceRecord[] } {
  const input = { question: 'Where?', options: ['library', 'harbour'] };
  const policy = { voters: 3, quorum: 2, attempts: 2 };
  const before = orThrow(openRun(tally, { run_id: 'before', ts_base: '2026', policy, input }));
  const paused = snapshot(before.run);
  if (paused === null) throw new RangeError('the run cannot be continued here');
  const { records } = orThrow(
    openRun(tally, { run_id: 'after', ts_base: '2027', policy, input, base: makeContinuation(paused) }),
  );
  return { first: before.records.length, records };
}

/** Facts of sound records. */
export function summaryOf(records: readonly EvidenceRecord[]): RunSummary {
  return orThrow(validateRun(records));
}

/** The tree root of records. */
export function rootOf(records: readonly EvidenceRecord[]): Digest {
  const tree = new MerkleTree(nativeSha256);
  for (const { record_hash } of records) tree.add(record_hash);
  return tree.root();
}

/** Made-up record hashes. */
export function leaves(count: number): readonly Digest[] {
  return Array.from({ length: count }, (_, index) => sha256Hex(`leaf ${index}`));
}

/** The stored tree of record hashes, in memory. */
export function stored(hashes: readonly Digest[]): ReadStored {
  const kept: Digest[] = [];
  const tree = new MerkleTree(nativeSha256, (hash) => kept.push(hash));
  for (const hash of hashes) tree.add(hash);
  return (index) => {
    const hash = kept[index];
    if (hash === undefined) throw new RangeError(`nothing is stored at ${index}`);
    return hash;
  };
}

/** The root by RFC 6962's own words, with copies at every level. */
export function plainRoot(hashes: readonly Digest[]): Digest {
  const hasher = new TreeHasher(nativeSha256);
  const [only] = hashes;
  if (only === undefined) throw new RangeError('no leaf');
  if (hashes.length === 1) return hasher.leaf(only);
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return hasher.node(plainRoot(hashes.slice(0, left)), plainRoot(hashes.slice(left)));
}
