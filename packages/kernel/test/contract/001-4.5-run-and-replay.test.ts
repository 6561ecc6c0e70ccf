/**
 * 001 §4.5 End-to-end determinism (run + replay), for the small machine; the engine's own:
 * 001-2.6-engine-run.test.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  openRun,
  orThrow,
  replayable,
  replayWith,
  summaryHash,
  type EvidenceRecord,
  type Proposal,
} from '@assay/kernel';
import { tally, tallyLedger } from '@assay/testing';
import { native } from '../machine/native.js';
import { copies, smallPoll } from '../replay/poll.js';
import { draws } from '../../tools/laws.ts';

const machines = [replayable(tally, { sha256: native })];
/** Every so manieth byte is flipped; `ledger-integrity/laws.test.ts` flips each of a small ledger. */
const STEP = process.env['ASSAY_LANE'] === 'long' ? 3 : 13;

/** What a run of the same genesis and answers produces, from nothing but these. */
function runAgain(records: readonly EvidenceRecord[]): readonly EvidenceRecord[] {
  const { policy, input, run_id, ts_base } = records[0]?.payload as unknown as {
    readonly policy: null;
    readonly input: null;
    readonly run_id: string;
    readonly ts_base: string;
  };
  const opening = orThrow(openRun(tally, { run_id, ts_base, policy, input }, { sha256: native }));
  const again = [...opening.records];
  let { run } = opening;
  for (const { kind, payload } of records) {
    if (kind !== 'proposal') continue;
    const { proposal_hash: _, ...proposal } = payload as unknown as Proposal & {
      readonly proposal_hash: string;
    };
    const step = orThrow(advance(run, proposal));
    again.push(...step.records);
    run = step.run;
  }
  return again;
}

describe('001 §4.5 end-to-end determinism', () => {
  it('a run produces records, graph, artifacts and summary_hash: the same for the same input and answers', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native, isClosed: true }), ({ records, run }) => {
        expect(runAgain(records)).toEqual(records);
        expect(run.artifacts.size).toBeGreaterThan(0);
        expect(run.graph.nodeCount).toBeGreaterThan(0);
        expect(summaryHash(run)).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: draws(300), seed: 51 },
    );
  });

  it('replay reproduces identical dag root hash, artifact hashes and summary hash, on 1,000 runs', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native, isClosed: true }), ({ records, run }) => {
        const replayed = orThrow(replayWith(machines, records));
        expect(replayed.dag.root(native)).toBe(run.graph.root(native));
        expect(Object.keys(replayed.artifacts)).toEqual(run.artifacts.sorted().map(([name]) => name));
        expect(replayed.summary_hash).toBe(summaryHash(run));
        expect(replayed.outcome).toBe(run.outcome);
      }),
      { numRuns: draws(1_000), seed: 52 },
    );
  });

  it(
    'tampered records cause replay failure: one byte of one line of a stored ledger, ' +
      'wherever it parses at all',
    () => {
      const { records } = smallPoll();
      const lines = records.map((record) => JSON.stringify(record));
      let parsed = 0;
      for (const [index, line] of lines.entries()) {
        for (let at = 0; at < line.length; at += STEP) {
          const flipped =
            line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) ^ 1) + line.slice(at + 1);
          const record = parse(flipped);
          if (record === null || JSON.stringify(record) === line) continue;
          parsed += 1;
          expect(
            replayWith(machines, copies(records).with(index, record), { sha256: native })._tag,
            `line ${index}, byte ${at}`,
          ).toBe('Left');
        }
      }
      expect(parsed).toBeGreaterThan(3_000 / STEP);
    },
  );
});

function parse(text: string): EvidenceRecord | null {
  try {
    return JSON.parse(text) as EvidenceRecord;
  } catch {
    return null;
  }
}
