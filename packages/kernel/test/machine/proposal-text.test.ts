import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admit,
  advance,
  hashCanonical,
  openRequests,
  orThrow,
  type EvidenceRecord,
  type Proposal,
  type RecordedProposal,
  type Request,
} from '@assay/kernel';
import { admittedJson, failingProposal, goodProposal, hostileVariant, openPoll } from '@assay/testing';
import { readProposal } from '../../src/machine/proposal.js';
import { fitsLine } from '../../src/ledger/record.js';
import { nobleSha256 } from '../../src/hash/sha256.js';
import { draws } from '../../tools/laws.ts';

const { run } = openPoll();
const request = openRequests(run)[0] as Request;

const anyProposal: fc.Arbitrary<Proposal> = fc.oneof(
  admittedJson().chain((value) => goodProposal(request, value)),
  admittedJson({ depthMax: 1 })
    .chain(hostileVariant)
    .chain((value) => goodProposal(request, value)),
  failingProposal(request),
);

describe('the payload of a recorded proposal', () => {
  it(
    'its text, cut and joined where keys are known, is that of admitting the whole: text, ' +
      'value, bytes, depth, marks',
    () => {
      fc.assert(
        fc.property(anyProposal, (proposal) => {
          const read = orThrow(readProposal(proposal, nobleSha256));
          const { source, confidence, value } = proposal;
          const whole = orThrow(
            admit({ ...proposal, proposal_hash: orThrow(hashCanonical({ source, confidence, value })) }),
          );
          expect(read.payload).toEqual(whole);
          expect(read.payload.text).toBe(whole.text);
        }),
        { numRuns: draws(2_000), seed: 21 },
      );
    },
  );

  it('payload_hash covers all of it, the failure too; proposal_hash covers source, confidence and value', () => {
    fc.assert(
      fc.property(anyProposal, (proposal) => {
        const step = orThrow(advance(run, proposal));
        const record = step.records[0] as EvidenceRecord;
        expect(record.payload_hash).toBe(orThrow(hashCanonical(record.payload)));
        const { source, confidence, value, proposal_hash } = record.payload as unknown as RecordedProposal;
        expect(proposal_hash).toBe(orThrow(hashCanonical({ source, confidence, value })));
      }),
      { numRuns: draws(500), seed: 22 },
    );
  });

  it('the largest proposal fits a record line with its hash', () => {
    const texts = ['x'.repeat(4_000_000), '\u0001'.repeat(600_000), 'é'.repeat(2_000_000)];
    for (const value of [...texts, new Array<number>(65_000).fill(0)]) {
      const { payload } = orThrow(readProposal({ ...goodBase(), value }, nobleSha256));
      expect(fitsLine({ ts: 't#000000000002', kind: 'proposal', parent: null }, payload)).toBe(true);
    }
  });

  it('the caller’s object is neither kept nor frozen', () => {
    const value = { option: 'tea' };
    const given = { ...goodBase(), value };
    const step = orThrow(advance(run, given));
    value.option = 'coffee';
    given.source = 'human';
    expect(step.records[0]?.payload).toMatchObject({ source: 'synthetic', value: { option: 'tea' } });
    expect(Object.isFrozen(value)).toBe(false);
    expect(Object.isFrozen(step.records[0]?.payload)).toBe(true);
  });
});

function goodBase(): Proposal & { source: Proposal['source'] } {
  return {
    request_id: '1.0',
    source: 'synthetic',
    proposer: 'fixture:test',
    confidence: null,
    value: null,
    failure: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
  };
}
