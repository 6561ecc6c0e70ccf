/** Stored runs in the facts that a log holds. */
import { type LedgerFacts, MerkleTree } from '@assay/attest';
import { nativeSha256, StoreReadError, type StoreError } from '@assay/host';
import { ledgerRecord } from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { storeProblem, type NamedStore } from '../../files/store.js';

/** What a stored run comes to: its facts, or why it has none; `missing` where there is no such run. */
export type ReadFacts =
  | { readonly t: 'facts'; readonly facts: LedgerFacts }
  | { readonly t: 'missing' }
  | { readonly t: 'broken'; readonly code: string };

/**
 * Reads a run through: hashes, links and order are judged, payloads are not. Raises `Stop` where the store
 * is out of reach.
 */
export async function readLedgerFacts(store: NamedStore, place: string, runId: string): Promise<ReadFacts> {
  const integrity = new HashOnlyIntegrity(nativeSha256);
  const tree = new MerkleTree(nativeSha256);
  let machine: LedgerFacts['machine'] | null = null;
  try {
    for await (const line of store.read(runId)) {
      const record = integrity.feed(line);
      if (record._tag === 'Left') return { t: 'broken', code: record.left.code };
      if (tree.size === 0) {
        const first = ledgerRecord(record.right);
        machine = first?.kind === 'genesis' ? (first.payload?.machine ?? null) : null;
      }
      tree.add(record.right.record_hash);
    }
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    return refused(error.error, place);
  }
  const end = integrity.finish();
  if (end._tag === 'Left') return { t: 'broken', code: end.left.code };
  const { run_id, genesis_hash, count, hash, outcome } = end.right;
  if (run_id !== runId || machine === null) return { t: 'broken', code: 'other_run' };
  return {
    t: 'facts',
    facts: { run_id, genesis_hash, machine, count, hash, outcome, tree_root: tree.root() },
  };
}

function refused(error: StoreError, place: string): ReadFacts {
  if (error.code === 'not_found') return { t: 'missing' };
  if (error.code === 'torn' || error.code === 'run_id') return { t: 'broken', code: error.code };
  throw storeProblem(error, place);
}

/** The facts of runs in their order, some read ahead: while one is judged others are read. */
export async function* readAllFacts(
  store: NamedStore,
  place: string,
  ids: readonly string[],
): AsyncGenerator<readonly [id: string, read: ReadFacts]> {
  const ahead: Promise<ReadFacts>[] = [];
  for (const [at, id] of ids.entries()) {
    for (const next of ids.slice(at + ahead.length, at + AHEAD)) {
      const read = readLedgerFacts(store, place, next);
      // The caller that awaits it gets the error.
      read.catch(() => undefined);
      ahead.push(read);
    }
    yield [id, (await ahead.shift()) ?? { t: 'missing' }];
  }
}

const AHEAD = 8;
