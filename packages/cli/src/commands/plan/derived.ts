/**
 * A plan's run, derived again.
 *
 * @module
 */
import { nativeSha256 } from '@assay/host';
import { replayable, type DerivedRecord, type EvidenceRecord } from '@assay/kernel';
import { planner } from '@assay/planner';
import { derivedAgain } from '@assay/verifier/impact';
import { underivable } from '../../files/ledger.js';
import { misuse } from '../../problems/problem.js';
import { genesisOf } from '../whatif/fork.js';

/** Its records. Raises `Stop`: exit 3 where it does not re-derive, `other_machine` where it is another's. */
export function requirePlan(records: readonly EvidenceRecord[], file: string): readonly DerivedRecord[] {
  const { genesis } = genesisOf(records, file);
  if (genesis.machine.name !== planner.name)
    throw misuse(
      'other_machine',
      `this is a run of ${genesis.machine.name}`,
      file,
      'name a ledger of assay plan',
    );
  const derived = derivedAgain(replayable(planner, { sha256: nativeSha256 }), { genesis, records });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file, []);
  return derived.right.records;
}
