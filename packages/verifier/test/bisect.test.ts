/** The first decision in which two runs part, found by hashes, is the one that comparing everything finds. */
import { describe, expect, test } from 'vitest';
import { openRun, orThrow, type EvidenceRecord } from '@assay/kernel';
import { tally } from '@assay/testing';
import { diffLedgers } from '@assay/verifier';
import { bisect } from '@assay/verifier/impact';
import { noted, sha256, start, tell, type Given, type Start } from '../tools/runs.ts';

const COUNT = 700;
/** A long run: many notices, of which one may be another. */
function long(other: number | null, given: Start = {}): readonly EvidenceRecord[] {
  const notes = Array.from(
    { length: COUNT },
    (_, index): Given => noted(index === other ? 'other' : `note ${index}`),
  );
  return tell(start(given), ...notes).records;
}
const plain = long(null);
const later = long(null, { ts_base: 'later' });

describe.each([
  ['one run, two ways on', 'record_hash', plain],
  ['two runs with equal states', 'state_hash', later],
] as const)('%s', (_, by, good) => {
  test.each([3, 350, COUNT - 2])('they part at answer %i', (other) => {
    const bad = long(other);
    const found = bisect(good, bad, true);
    const whole = diffLedgers(good, bad);
    expect(whole.kind).toBe('differs');
    if (whole.kind !== 'differs') return;
    expect(found).toMatchObject({
      at: { a: whole.at.a, b: whole.at.b, field: whole.at.field, left: whole.at.left, right: whole.at.right },
      causes: ['proposal'],
      answer: { a: whole.proposal?.a, by: { a: { proposer: 'desk' }, b: { proposer: 'desk' } } },
    });
    // Before the first state hash there is nothing to go by.
    if (other > 3) expect(found.by).toBe(by);
    expect(found.not_compared > 0).toBe(found.by === 'state_hash');
  });
});

test('equal states behind a difference hide it only where something differs after them', () => {
  const bad = long(3, { ts_base: 'later' });
  const found = bisect(plain, bad, false);
  expect(found).toMatchObject({ by: 'whole', not_compared: 0 });
  expect(bisect(plain, later, true)).toMatchObject({ by: 'whole', not_compared: 0, at: null });
});

test('equal runs, one that goes on, and another policy', () => {
  expect(bisect(plain, plain, true)).toMatchObject({
    by: 'record_hash',
    at: null,
    causes: [],
  });
  const shorter = plain.slice(0, -2);
  expect(bisect(plain, shorter, true).at).toMatchObject({ b: null });
  const other = long(null, { policy: { voters: 4, quorum: 2, attempts: 2 } });
  expect(bisect(plain, other, true)).toMatchObject({
    by: 'whole',
    causes: ['policy'],
    at: { a: 1 },
  });
});

test('another version of the machine is the cause where everything given is equal', () => {
  const genesis = {
    run_id: 'poll-1',
    ts_base: 't',
    policy: { voters: 3, quorum: 2, attempts: 2 },
    input: { question: 'Where?', options: ['here', 'there'] },
    base: null,
    engine: null,
  };
  const wordy: typeof tally = {
    ...tally,
    version: 2,
    open: (given, context) =>
      tally.open({ ...given, policy: { voters: 4, quorum: 2, attempts: 2 } }, context),
  };
  const [good, bad] = [tally, wordy].map((machine) => orThrow(openRun(machine, genesis, { sha256 })).records);
  expect(bisect(good ?? [], bad ?? [], true)).toMatchObject({
    causes: ['machine'],
    answer: null,
    at: { a: 1, b: 1 },
  });
});
