/**
 * What people are told of a run that is based on another ledger: a snapshot nobody compared must not read
 * like answers.
 */
import { makeContinuation, snapshot, type Base, type EvidenceRecord, type State } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  answersBy,
  CITED_HEAD,
  citedLedger,
  verify,
  type VerifyDocument,
  type VerifyOptions,
} from '@assay/verifier';
import { renderReason, renderStepSummary, renderTerminal } from '@assay/views';
import { failed } from '../../verifier/src/verify/document.ts';
import { BASES } from '../src/verdicts/reasons.ts';
import { fileOf, here, machines, sha256, start, tell, there } from '../../verifier/tools/runs.js';

const parent = start({ run_id: 'parent' });
const taken = snapshot(parent.run);
if (taken === null) throw new Error('no snapshot here');
const honest = makeContinuation(taken);
/** Two votes that were never cast, in the state the run goes on from. */
const votes = { claims: [], votes: [['there', 2]], waiting: [['1.2', 2]] };
const forged = {
  ...honest,
  snapshot: {
    ...taken.state,
    machine: { ...(taken.state.machine as object), ...votes },
    open: { '1.2': taken.state.open['1.2'], '1.3': taken.state.open['1.3'] },
  } as unknown as State,
};
const runOn = (base: Base): readonly EvidenceRecord[] => tell(start({ run_id: 'child', base }), here).records;
const documentOf = (records: readonly EvidenceRecord[], more: VerifyOptions = {}): VerifyDocument =>
  verify('f', fileOf(records), { machines, sha256, keepIndex: true, ...more }).document;
const given: { readonly cited: NonNullable<VerifyOptions['cited']> } = (() => {
  const ledger = citedLedger(verify('parent', fileOf(parent.records), { machines, sha256, keepIndex: true }));
  return { cited: new Map(ledger === null ? [] : [[ledger.run_id, ledger]]) };
})();
const NOT_COMPARED = `    base        not_checked  ${BASES.not_checked}`;
const baseLine = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('    base '));
const last = (
  records: readonly EvidenceRecord[],
): { readonly count: number; readonly hash: EvidenceRecord['record_hash'] } => {
  const record = records.at(-1);
  if (record === undefined) throw new Error('no record');
  return { count: Number(record.ts.split('#')[1]) + 1, hash: record.record_hash };
};

describe('a run based on another ledger', () => {
  it('that goes on from a snapshot nobody compared says so, in a line and in the sentence', () => {
    for (const base of [honest, forged]) {
      const records = runOn(base);
      const document = documentOf(records);
      expect(document.checks.rederivation.verdict).toBe('held');
      const lines = renderTerminal(document);
      expect(baseLine(lines)).toEqual([NOT_COMPARED]);
      expect(lines.at(-1)).toMatch(
        /^Every decision follows from the recorded answers and the first snapshot, which was not compared/,
      );
      expect(renderStepSummary([document])).toContain('first snapshot, which was not compared');
    }
  });

  it('says so with a head from outside, too', () => {
    const records = runOn(forged);
    const document = documentOf(records, { head: last(records) });
    // Two votes were invented, so that the one vote cast closes the poll.
    expect([document.outcome, document.checks.completeness.verdict]).toEqual(['success', 'held']);
    expect(renderTerminal(document).at(-1)).toMatch(/first snapshot, which was not compared/);
  });

  it('with the ledger at hand says held, or which head it was that did not fit', () => {
    const right = renderTerminal(documentOf(runOn(honest), given));
    expect(baseLine(right)).toEqual([`    base        held         ${BASES.held}`]);
    expect(right.at(-1)).toMatch(/^Every decision follows from the recorded answers\. /);
    const cited = failed('head_mismatch', 0, 1, { reason: CITED_HEAD });
    const wrong = renderTerminal(documentOf(runOn(forged), given));
    expect(baseLine(wrong)).toEqual([`    base        failed       ${BASES.failed}`]);
    expect(wrong.find((line) => line.startsWith('  completeness '))).toBe(
      `  completeness  failed       head_mismatch: ${renderReason('completeness', cited)} (record 0)`,
    );
    expect(wrong.at(-1)).toBe('Do not rely on this file: completeness failed.');
  });

  it('that is a fork derives everything from its own answers, and says only that its base was not compared', () => {
    const { run_id, count, hash } = honest;
    const lines = renderTerminal(
      documentOf(
        tell(start({ run_id: 'fork', base: { run_id, count, hash, snapshot: null } }), there).records,
      ),
    );
    expect(baseLine(lines)).toHaveLength(1);
    expect(lines.at(-1)).toMatch(
      /^Every decision follows from the recorded answers, which were not compared with the ledger they come from\. /,
    );
  });

  it('that ends before the first answer says that none was taken over', () => {
    const voted = tell(parent, here).records;
    const base = { ...last(parent.records), run_id: 'parent', snapshot: null };
    const cited = citedLedger(verify('parent', fileOf(voted), { machines, sha256, keepIndex: true }));
    const more = { cited: new Map(cited === null ? [] : [['parent', cited]]) };
    const document = documentOf(tell(start({ run_id: 'fork', base }), there).records, more);
    expect(document.checks.completeness.detail).toMatchObject({
      cited: { base: 'held', taken: { answers: 0, of: 1 } },
    });
    expect(renderTerminal(document).at(-1)).toMatch(
      /^Every decision follows from the recorded answers \(0 of 1 answers taken over\)\. /,
    );
    expect(renderStepSummary([document])).toContain('0 of 1 answers taken over');
  });

  it('has no such line where there is no base, and none of its words praises what was not compared', () => {
    expect(baseLine(renderTerminal(documentOf(parent.records)))).toEqual([]);
    expect(NOT_COMPARED).not.toMatch(/ok|valid|verified|passed/i);
  });
});

describe('a run that cites another ledger', () => {
  const { run_id, count, hash } = honest;
  const cites = [{ run_id, count, hash }];
  const citing = (more: VerifyOptions) => {
    const document = documentOf(tell(start(), { ...here, source: 'run', cites }).records, more);
    return [document.checks.completeness.detail, renderTerminal(document).at(-1)] as const;
  };

  it('says that its heads were not compared where that ledger is not given', () => {
    const [detail, sentence] = citing({});
    expect(detail).toMatchObject({ cited: { cites: { held: 0, failed: 0, not_checked: 1 } } });
    expect(sentence).toMatch(
      /^Every decision follows from the recorded answers \(heads of other ledgers cited, not compared: 1\)\. /,
    );
  });

  it('says that contents were not compared where its machine derives nothing from it', () => {
    for (const more of [{}, { answers: answersBy([]) }]) {
      const [detail, sentence] = citing({ ...given, ...more });
      expect(detail).toMatchObject({ cited: { contents: { held: 0, failed: 0, not_compared: 1 } } });
      expect(sentence).toMatch(
        /^Every decision follows from the recorded answers \(of 1 .*: heads compared, contents not\)\. /,
      );
    }
  });
});
