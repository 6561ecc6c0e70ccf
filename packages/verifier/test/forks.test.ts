/** A fork at hand with its parent: what it says it was told is what the parent was told, in order. */
import {
  advance,
  makeContinuation,
  makeHead,
  openRequests,
  openRun,
  orThrow,
  snapshot,
  type Base,
  type EvidenceRecord,
  type Json,
  type Proposal,
  type RecordedProposal,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { tally } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { citedLedger, verify } from '@assay/verifier';
import { erase } from '../../kernel/tools/ledger-builder.js';
import { fileOf, here, machines, noted, sha256, start, tell, there, type Told } from '../tools/runs.js';

type ForkBase = Base & { readonly snapshot: null };
type Answers = readonly Proposal[];
const policyOf = (voters: number): Json => ({ voters, quorum: 3, attempts: 2 });
const INPUT: Json = { question: 'Where?', options: ['here', 'there'] };

const parent = tell(
  start({ run_id: 'parent', policy: policyOf(4) }),
  here,
  { value: { option: 'nowhere' } },
  noted('a'),
  { ...there, id: '9.9' },
  there,
  noted('b'),
  here,
);
const baseAt = (told: Told, count = told.run.count): ForkBase => ({
  run_id: told.run.genesis.run_id,
  count,
  hash:
    told.records[count - 1 - (told.run.count - told.records.length)]?.record_hash ?? makeHead(told.run).hash,
  snapshot: null,
});

/** The answers a fork for so many voters is fed. */
function fedTo(voters: number, from: Told = parent, base: ForkBase = baseAt(from)): Answers {
  const { records } = orThrow(
    forkRun(
      tally,
      { run_id: 'fork', ts_base: 't', policy: policyOf(voters), input: INPUT, base },
      from.records,
      { sha256 },
    ),
  );
  return records.flatMap(({ kind, payload }) => {
    if (kind !== 'proposal') return [];
    const { proposal_hash: _, ...given } = payload as unknown as RecordedProposal;
    return [given];
  });
}

/** A fork told what it likes; everything is derived as it must. */
function forkTold(
  voters: number,
  answers: Answers,
  base: Base = baseAt(parent),
  own = 0,
): readonly EvidenceRecord[] {
  let step = orThrow(
    openRun(
      tally,
      { run_id: 'fork', ts_base: 't', policy: policyOf(voters), input: INPUT, base },
      { sha256 },
    ),
  );
  const records = [...step.records];
  const give = (given: unknown): void => {
    step = orThrow(advance(step.run, given));
    records.push(...step.records);
  };
  for (const answer of answers) give(answer);
  for (let index = 0; index < own && step.run.outcome === null; index += 1)
    give({
      ...(answers[0] ?? fedTo(4)[0]),
      request_id: openRequests(step.run).at(-1)?.id,
      value: { note: `own ${index}` },
    });
  return records;
}

/** [base, code and record of completeness] of a fork with its parent at hand. */
function judged(
  records: readonly EvidenceRecord[],
  from: readonly EvidenceRecord[] = parent.records,
): string {
  const options = { machines, sha256, keepIndex: true };
  const ledger = citedLedger(verify('parent', fileOf(from), options));
  const { checks } = verify('fork', fileOf(records), {
    ...options,
    cited: new Map(ledger === null ? [] : [[ledger.run_id, ledger]]),
  }).document;
  expect(checks.integrity.verdict).toBe('held');
  const { code, record, detail } = checks.completeness;
  const base = String((detail as { readonly cited: { readonly base: Json } }).cited.base);
  return base === 'failed' ? `${base} ${code ?? ''}@${record ?? ''}` : base;
}
const failedAt = (record: number): string => `failed head_mismatch@${record}`;

describe('a fork with its parent at hand', () => {
  const fed = fedTo(4);
  const [first, second, third] = [fed[0], fed[1], fed[2]] as const;
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few answers');

  it('holds as it was fed, under any policy, and told on afterwards', () => {
    expect([4, 9].map((voters) => fedTo(voters).map(({ request_id }) => request_id))).toEqual(
      ['1.4', '1.9'].map((invitation) => ['1.0', '1.1', invitation, '1.1', '7.0', '1.2']),
    );
    for (const voters of [3, 4, 5, 9]) {
      for (const own of [0, 3])
        expect([voters, own, judged(forkTold(voters, fedTo(voters), baseAt(parent), own))]).toEqual([
          voters,
          own,
          'held',
        ]);
    }
  });

  it('holds cut anywhere: what it lacks it does not claim', () => {
    for (let count = 0; count <= fed.length; count += 1)
      expect(judged(forkTold(4, fed.slice(0, count)))).toBe('held');
  });

  it.each<[string, Answers, number]>([
    ['an invented value', [first, { ...second, value: { option: 'here' } }], 4],
    [
      'an invented failure',
      [{ ...first, value: null, failure: { code: 'lost', final: true, detail: null } }],
      2,
    ],
    ['another source', [{ ...first, source: 'synthetic' }], 2],
    ['another confidence', [{ ...first, confidence: 1 }], 2],
    ['another proposer', [{ ...first, proposer: 'somebody' }], 2],
    ['another time', [{ ...first, at_us: 1 }], 2],
    ['other costs', [first, { ...second, spent: {} }], 4],
    ['another origin', [first, { ...second, provenance: { a: 1 } }], 4],
    [
      'a head cited that was not',
      [{ ...first, cites: [{ run_id: 'x', count: 1, hash: makeHead(parent.run).hash }] }],
      2,
    ],
    ['one left out', [first, third], 4],
    ['two in another order', [first, third, second], 4],
    ['the first given to a higher request that asks the same', [{ ...first, request_id: '1.1' }], 2],
    ['given to what is not open', [{ ...first, request_id: '9.9' }], 2],
    ['one of its own in between', [first, { ...third, value: { note: 'own' } }, second], 4],
    ['one twice', [first, { ...first, request_id: '1.1' }], 4],
  ])('fails with %s', (_, answers, record) => {
    expect(judged(forkTold(4, answers))).toBe(failedAt(record));
    expect(judged(forkTold(4, answers), start({ run_id: 'another' }).records)).toBe('not_checked');
  });

  it('what lies behind the base is its own', () => {
    const early = baseAt(parent, 4);
    expect(fedTo(4, parent, early)).toHaveLength(1);
    expect(judged(forkTold(4, [first, { ...second, value: { option: 'here' } }], early))).toBe('held');
    expect(judged(forkTold(4, [{ ...first, value: { option: 'there' } }], early))).toBe(failedAt(2));
  });

  it('of a continuation is compared by the requests that were carried', () => {
    const taken = snapshot(tell(start({ run_id: 'first', policy: policyOf(4) })).run);
    if (taken === null) throw new Error('no snapshot here');
    const second = tell(start({ run_id: 'second', base: makeContinuation(taken) }), here, there, noted('a'));
    const answers = fedTo(4, second);
    expect(answers).toHaveLength(3);
    const base = baseAt(second);
    expect(judged(forkTold(4, answers, base, 1), second.records)).toBe('held');
    expect(judged(forkTold(4, answers.toReversed(), base), second.records)).toBe(failedAt(2));
  });

  it('is not checked from an erased record on, and fails before it', () => {
    const honest = forkTold(4, fed, baseAt(parent), 1);
    const wrong = forkTold(4, [first, { ...second, provenance: { a: 1 } }]);
    const at = (records: readonly EvidenceRecord[], kind: string): readonly number[] =>
      records.flatMap((record, index) => (record.kind === kind ? [index] : []));
    for (const kind of ['proposal', 'decision']) {
      const own = kind === 'proposal' ? -1 : -2;
      // In the parent: what comes behind it is hidden. In the fork: so is what is open there, as long as an
      // answer is due.
      for (const index of at(parent.records, kind))
        expect([kind, index, judged(honest, erase(parent.records, [index]))]).toEqual([
          kind,
          index,
          'not_checked',
        ]);
      for (const index of at(honest, kind).slice(0, own))
        expect([kind, index, judged(erase(honest, [index]))]).toEqual([kind, index, 'not_checked']);
      for (const index of at(honest, kind).slice(own))
        expect([kind, index, judged(erase(honest, [index]))]).toEqual([kind, index, 'held']);
      expect(judged(wrong, erase(parent.records, at(parent.records, kind).slice(-1)))).toBe(failedAt(4));
      expect(judged(erase(wrong, [5]))).toBe(failedAt(4));
    }
    for (const index of at(parent.records, 'rejection'))
      expect(judged(honest, erase(parent.records, [index]))).toBe('held');
  });
});
