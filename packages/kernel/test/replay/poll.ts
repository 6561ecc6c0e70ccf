/** One small poll with every kind of record, and machines to replay it with. */
import { advance, orThrow, replayable, type EvidenceRecord, type Replayable } from '@assay/kernel';
import { openPoll, plainProposal, tally, type TallyLedger } from '@assay/testing';

export const known: readonly Replayable[] = [replayable(tally)];

/** A rejection, a failure, spend, a notice, two artifacts and a close: 21 records. */
export function smallPoll(): TallyLedger & { readonly runs: readonly TallyLedger['run'][] } {
  const opening = openPoll({ voters: 2, quorum: 1, attempts: 2 });
  const records = [...opening.records];
  const runs = [opening.run];
  let { run } = opening;
  const say = (proposal: ReturnType<typeof plainProposal>): void => {
    const step = orThrow(advance(run, proposal));
    records.push(...step.records);
    run = step.run;
    runs.push(run);
  };
  say(plainProposal('1.0', { value: { option: 'milk' } }, { spent: { tokens: 7 }, confidence: 73 / 100 }));
  say(
    plainProposal(
      '9.9',
      { value: null },
      { cites: [{ run_id: 'other', count: 1, hash: records[0]?.record_hash ?? ('' as never) }] },
    ),
  );
  say(plainProposal('1.2', { value: { note: 'doors open at nine' } }, { source: 'human', at_us: 5 }));
  say(plainProposal('1.0', { value: { option: 'tea' } }, { provenance: { model: 'none' } }));
  say(plainProposal('1.1', { failure: { code: 'timeout', final: true, detail: { waited_ms: 5 } } }));
  return { records, run, runs };
}

/** The records as a reader of the file has them: copies, nothing shared. */
export function copies(records: readonly EvidenceRecord[]): EvidenceRecord[] {
  return JSON.parse(JSON.stringify(records)) as EvidenceRecord[];
}
