/** 001 §2.6 Engine run, and §2.7 and §4.5 for the engine, clause by clause. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, validateChain, type EvidenceRecord, type Json } from '@assay/kernel';
import { replay, runEngine, type InterpretationProposer, type Interpretation } from '@assay/kernel/intent';
import type { RunResult } from '../../src/intent/engine.js';
import { lawRuns } from '../../tools/laws.js';
import { readings } from '../intent/arbitraries.js';
import { native, policyWith } from '../intent/tools.js';

const runs = lawRuns('001 §2.6');
const SEED =
  'Uploads must finish within 2 s. The app must not store card data. Logs should be kept for 30 days.';

const saying = (given: readonly Interpretation[]): InterpretationProposer => ({
  proposer: 'fixture:contract',
  proposeInterpretations: () => ({ source: 'synthetic', value: given as unknown as Json }),
});
const run = (given: readonly Interpretation[], runId = 'r'): RunResult =>
  orThrow(
    runEngine(
      runId,
      SEED,
      { no_card: true },
      policyWith({ proposers: ['a', 'b'], min_score: 0, contradiction_budget: 9 }),
      saying(given),
      '2026-01-01',
      { sha256: native },
    ),
  );

describe('001 §2.6 engine run', () => {
  it('001 §2.6 RunResult: records, dag, artifacts, summary_hash, and no more', () => {
    const result = run([]);
    expect(Object.keys(result).sort()).toEqual(['artifacts', 'dag', 'records', 'summary_hash']);
    expect(validateChain(result.records)._tag).toBe('Right');
    expect(result.dag.nodeCount).toBeGreaterThan(0);
  });

  it(
    '001 §2.6 summary_hash, artifact_hashes and dag_root_hash follow their formulas; 001 ' +
      '§4.5 the same input gives the same of all',
    () => {
      fc.assert(
        fc.property(readings(SEED), (given) => {
          const { records, dag, artifacts, summary_hash } = run(given);
          const artifact_hashes = Object.fromEntries(
            Object.entries(artifacts).map(([name, content]) => [
              name,
              orThrow(hashCanonical(content, native)),
            ]),
          );
          const dag_root_hash = orThrow(
            hashCanonical(
              {
                sorted_node_ids: dag
                  .nodes()
                  .map(({ id }) => id)
                  .sort(),
                sorted_edge_ids: dag
                  .edges()
                  .map(({ id }) => id)
                  .sort(),
              },
              native,
            ),
          );
          expect(summary_hash).toBe(
            orThrow(
              hashCanonical(
                { ledger_last_hash: records.at(-1)?.record_hash, dag_root_hash, artifact_hashes },
                native,
              ),
            ),
          );
          expect(run(given)).toMatchObject({ records, summary_hash });
        }),
        { ...runs, numRuns: Math.ceil(runs.numRuns / 4) },
      );
    },
  );

  it('001 §2.7, §4.5 replay(records) reproduces graph root, artifacts and summary_hash from the records alone', () => {
    fc.assert(
      fc.property(readings(SEED), (given) => {
        const { records, dag, artifacts, summary_hash } = run(given);
        const again = orThrow(
          replay(structuredClone(records) as readonly EvidenceRecord[], { sha256: native }),
        );
        expect([again.dag.root(native), again.artifacts, again.summary_hash]).toEqual([
          dag.root(native),
          artifacts,
          summary_hash,
        ]);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 4) },
    );
  });

  it('001 §4.5 tampered records cause replay failure: any field of any record', () => {
    const { records } = run([]);
    for (const [index, record] of records.entries()) {
      for (const field of Object.keys(record) as (keyof EvidenceRecord)[]) {
        const changed =
          field === 'payload' ? { ...(record.payload as object), extra: 1 } : field === 'v' ? 2 : 'x';
        const forged = records.map((one, at) =>
          at === index ? { ...one, [field]: changed } : one,
        ) as readonly EvidenceRecord[];
        expect(replay(forged)._tag, `${field} of record ${index}`).toBe('Left');
      }
      expect(
        replay(records.toSpliced(index, 1))._tag === 'Left' || index === records.length - 1,
        `record ${index} left out`,
      ).toBe(true);
    }
  });

  it('001 §2.6 the run id is part of the evidence: another id, another ledger, the same decision', () => {
    const [one, two] = [run([], 'one'), run([], 'two')];
    expect(one.summary_hash).not.toBe(two.summary_hash);
    expect(Object.keys(one.artifacts)).toEqual(Object.keys(two.artifacts));
  });
});
