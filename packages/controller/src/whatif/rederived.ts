/**
 * A run with what was erased of its decisions and results made again from its answers: their hashes stay, so
 * what they said follows. Source: 001 §2.7; docs/formats, "Erasure".
 *
 * @module
 */
import {
  advance,
  openRun,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type KernelOptions,
  type Proposal,
} from '@assay/kernel';
import { controller } from '../loop/machine.js';

/**
 * The records with each erased decision, rejection and result as the machine makes it again, where its hash
 * is the recorded one. Where nothing is erased, or the machine makes another run of the answers, or an answer
 * is erased itself: the records as they came. Linear in the length of the run.
 */
export function rederived(
  records: readonly EvidenceRecord[],
  options?: KernelOptions,
): readonly EvidenceRecord[] {
  if (records.every(({ payload }) => payload !== undefined)) return records;
  const made = madeAgain(records, options);
  return records.map((record, index) => {
    const again = made[index];
    return record.payload === undefined && again?.record_hash === record.record_hash ? again : record;
  });
}

function madeAgain(
  records: readonly EvidenceRecord[],
  options: KernelOptions | undefined,
): readonly EvidenceRecord[] {
  const genesis = records[0]?.kind === 'genesis' ? (records[0].payload as Genesis | undefined) : undefined;
  if (genesis === undefined || genesis.machine.name !== controller.name) return [];
  const { run_id, ts_base, policy, input, base, machine } = genesis;
  const opened = openRun(
    controller,
    { run_id, ts_base, policy, input, base, engine: machine.engine },
    options,
  );
  if (opened._tag === 'Left') return [];
  const made = [...opened.right.records];
  let { run } = opened.right;
  for (const { kind, payload } of records) {
    if (kind !== 'proposal') continue;
    // Behind an answer that is erased, nothing can be made.
    if (payload === undefined) return made;
    const { proposal_hash: _made, ...answer } = payload as Proposal & { readonly proposal_hash: Json };
    const step = advance(run, answer);
    if (step._tag === 'Left') return made;
    made.push(...step.right.records);
    run = step.right.run;
  }
  return made;
}
