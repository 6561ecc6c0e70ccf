/**
 * Ledgers that are compared with each other: a hash in a file is a claim until it is derived again.
 *
 * @module
 */
import { replayWith, type EvidenceRecord, type Genesis, type RunSummary } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { machinesFor } from '../options/machines.js';
import { misuse } from '../problems/problem.js';
import { soundLedger, underivable } from '../files/ledger.js';
import { nameOf } from '../files/read.js';

/**
 * A run of ours whose integrity holds. `underived`: null where every decision was derived again, else the code
 * of what kept it from that, such as `unknown_machine` or `payload_erased`: its state hashes are then claims.
 */
export type VerifiedLedger = {
  readonly genesis: Genesis;
  readonly records: readonly EvidenceRecord[];
  readonly summary: RunSummary;
  readonly underived: string | null;
};

/**
 * Reads and verifies a ledger. `modules`: of the user's machines. Raises `Stop`: those of {@link soundLedger} and
 * of modules, `foreign_chain`, and `differs` (exit 3) where the machine decides otherwise.
 */
export async function verifiedLedger(path: string, modules: readonly string[]): Promise<VerifiedLedger> {
  const { records, summary } = await soundLedger(path);
  const [first] = records;
  if (summary.isForeign || first?.payload === undefined)
    throw misuse(
      'foreign_chain',
      'this chain was not written by a run of ours: it has no decisions to compare',
      nameOf(path),
      'compare the files by other means; verify judges its hashes',
    );
  const replayed = replayWith(await machinesFor(modules, [path]), records, {
    sha256: nativeSha256,
    checked: true,
  });
  const fault = replayed._tag === 'Left' ? replayed.left : null;
  if (fault?.code === 'differs') throw underivable(fault.code, fault.record, nameOf(path), modules);
  return { genesis: first.payload as unknown as Genesis, records, summary, underived: fault?.code ?? null };
}
