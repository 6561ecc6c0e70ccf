/**
 * Records to audit, from a file or a store, judged on the way: the auditor is fed what held.
 *
 * @module
 */
import { StoreReadError, nativeSha256 } from '@assay/host';
import { RunIntegrity, type EvidenceRecord, type IntegrityFault } from '@assay/kernel';
import { readFacts } from '../../files/ledger.js';
import { storeProblem, type NamedStore } from '../../files/store.js';
import { EXIT, Stop, misuse } from '../../problems/problem.js';

/** Takes one record. */
export type Read = (record: EvidenceRecord) => void;

/**
 * Reads a ledger through. Null where it held, else why it did not, with what stood before the fault read.
 * Raises what is no ledger at all.
 */
export async function auditedFile(path: string, read: Read): Promise<Stop | null> {
  try {
    await readFacts(path, read);
    return null;
  } catch (error) {
    if (!(error instanceof Stop) || error.problem.exit !== EXIT.failed) throw error;
    return error;
  }
}

/** Reads a stored run through, likewise. Raises `no_run`, and those of a store. */
export async function auditedRun(
  store: NamedStore,
  id: string,
  place: string,
  read: Read,
): Promise<Stop | null> {
  const ids = await store.list();
  if (ids._tag === 'Left') throw storeProblem(ids.left, place);
  if (!ids.right.includes(id))
    throw misuse('no_run', 'this store has no such run', id, 'assay store list lists those there are');
  const integrity = new RunIntegrity({ sha256: nativeSha256 });
  try {
    for await (const line of store.read(id)) {
      const record = integrity.feed(line, true);
      if (record._tag === 'Left') return faulty(record.left, id);
      read(record.right);
    }
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
  const end = integrity.finish();
  return end._tag === 'Left' ? faulty(end.left, id) : null;
}

function faulty({ code, record }: IntegrityFault, id: string): Stop {
  return new Stop({
    code,
    message: `integrity failed at record ${record}; the records before it were audited`,
    place: id,
    remedy: 'copy the run to a file and see what assay verify says',
    exit: EXIT.failed,
  });
}
