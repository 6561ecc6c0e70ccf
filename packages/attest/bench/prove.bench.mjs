/**
 * Proofs of a ledger of 1,000,000 records from a stored tree (target: at most 50 ms each, with the file
 * opened anew for every one). The tree, about 64 MB, is written to a temporary folder first and removed.
 * Prints one JSON document.
 *
 *   npm run build && node packages/attest/bench/prove.bench.mjs [records] [proofs]
 */
import { hash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MerkleTree, proveConsistency, proveInclusion } from '../dist/index.js';
import { formatTreeHeader, storedBytes, TREE_HASH_BYTES, TREE_HEADER_BYTES } from '../dist/merkle/stored.js';
import { recomputes } from '../dist/proofs/proof.js';
import { atMost, machine, median, shown } from '../../../bench/lib/targets.mjs';

const MILLION = 1_000_000;
const size = Number(process.argv[2] ?? MILLION);
const proofs = Number(process.argv[3] ?? 200);
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const path = join(folder, 'tree');

try {
  const written = timed(write);
  const took = { inclusion: [], consistency: [] };
  for (let at = 0; at < proofs; at += 1) {
    // Spread over the tree, by a multiplier that shares no factor with its size.
    const place = (at * 7_919_993) % size;
    took.inclusion.push(timed(() => withTree((tree) => check(proveInclusion(tree, place, size)))));
    took.consistency.push(timed(() => withTree((tree) => check(proveConsistency(tree, place + 1, size)))));
  }
  const worst = Math.max(...took.inclusion, ...took.consistency);
  const isWhole = size >= MILLION;
  const targets = [
    atMost(
      'attest-prove',
      'the slowest proof of a ledger of 1,000,000 records from a stored tree, checked',
      isWhole ? worst : null,
      50,
      'ms',
    ),
  ];
  console.log(
    JSON.stringify(
      shown({
        bench: 'attest-prove',
        node: process.version,
        machine: machine(),
        records: size,
        proofs: 2 * proofs,
        tree_bytes: statSync(path).size,
        tree_seconds: written / 1e3,
        inclusion_ms: median(took.inclusion),
        consistency_ms: median(took.consistency),
        worst_ms: worst,
        targets,
      }),
      null,
      2,
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}

function write() {
  const out = openSync(path, 'w');
  const held = [Buffer.from(formatTreeHeader({ size, first: 0 }))];
  const flush = () => writeSync(out, Buffer.concat(held.splice(0)));
  const tree = new MerkleTree(sha256, (digest) => held.push(storedBytes(digest)));
  for (let at = 0; at < size; at += 1) {
    tree.add(sha256(Buffer.from(`record ${at}`)));
    if (held.length > 30_000) flush();
  }
  flush();
  closeSync(out);
}

function withTree(use) {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(TREE_HASH_BYTES);
  use({
    sha256,
    read: (index) => (
      readSync(file, bytes, 0, TREE_HASH_BYTES, TREE_HEADER_BYTES + index * TREE_HASH_BYTES),
      bytes.toString('hex')
    ),
  });
  closeSync(file);
}

function check(proof) {
  if (!recomputes(proof, sha256)) throw new Error('a proof that does not recompute');
}

function timed(run) {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
