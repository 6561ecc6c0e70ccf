import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admit,
  advance,
  encodeLine,
  makeHead,
  isIntegral,
  replayable,
  replayWith,
  tokenFault,
  utf8Bytes,
  validateRun,
  validateRunFile,
  type Proposal,
} from '@assay/kernel';
import {
  admittedJson,
  entropy,
  foldOpenTable,
  integralJson,
  openPoll,
  plainProposal,
  strangerProposal,
  tally,
  tallyLedger,
} from '@assay/testing';
import { native } from '../laws/native.js';
import { draws } from '../../../kernel/tools/laws.ts';

const runs = { numRuns: draws(1_000), seed: 1 };

describe('generators', () => {
  it('admittedJson: every value is admitted as it is, and survives its canonical text', () => {
    fc.assert(
      fc.property(admittedJson(), (value) => {
        const admitted = admit(value);
        return (
          admitted._tag === 'Right' &&
          admit(JSON.parse(admitted.right.text))._tag === 'Right' &&
          tokenFault(value) === null
        );
      }),
      runs,
    );
  });

  it('admittedJson: reaches __proto__, integer-like keys, astral text, tokens and fractions', () => {
    const texts = fc
      .sample(admittedJson(), { numRuns: draws(2_000), seed: 2 })
      .map((value) => JSON.stringify(value));
    for (const part of ['"__proto__":', '"10":', '\u{1f600}', '"$sealed":', '"$blob":', '0.', '\u2028'])
      expect(
        texts.some((text) => text.includes(part)),
        part,
      ).toBe(true);
  });

  it('integralJson: integers only', () => {
    fc.assert(fc.property(integralJson(), isIntegral), runs);
  });

  it('tallyLedger: integrity holds and the ledger replays to the run', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native }), ({ records, run }) => {
        const replayed = replayWith([replayable(tally, { sha256: native })], records);
        return (
          validateRun(records)._tag === 'Right' &&
          replayed._tag === 'Right' &&
          replayed.right.head.hash === makeHead(run).hash
        );
      }),
      { numRuns: draws(300), seed: 3 },
    );
  });

  it('tallyLedger: as a file it is canonical; closed ones end with close', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native, isClosed: true }), ({ records }) => {
        return (
          validateRunFile(utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join('')))._tag ===
            'Right' && records.at(-1)?.kind === 'close'
        );
      }),
      { numRuns: draws(100), seed: 4 },
    );
  });

  it('tallyLedger: reaches success, refusal and an open end, and every sort of rejection', () => {
    const ledgers = fc.sample(tallyLedger({ sha256: native }), { numRuns: 300, seed: 5 });
    expect(new Set(ledgers.map(({ run }) => run.outcome))).toEqual(new Set(['success', 'refused', null]));
    const codes = new Set(
      ledgers.flatMap(({ records }) =>
        records
          .filter(({ kind }) => kind === 'rejection')
          .map(({ payload }) => (payload as { readonly code: string }).code),
      ),
    );
    for (const code of ['not_open', 'source_not_accepted', 'timeout', 'unknown_option', 'duplicate_notice'])
      expect(codes).toContain(code);
  });

  it('inadmissibleProposal: always a Left inadmissible, and nothing is recorded', () => {
    const { run } = openPoll();
    fc.assert(
      fc.property(inadmissibleProposal('1.0'), (given) => {
        const step = advance(run, given);
        return step._tag === 'Left' && step.left.code === 'inadmissible';
      }),
      { numRuns: draws(200), seed: 6 },
    );
  });

  it('misshapenProposal: always a Left proposal_shape', () => {
    const { run } = openPoll();
    fc.assert(
      fc.property(misshapenProposal('1.0'), (given) => {
        const step = advance(run, given);
        return step._tag === 'Left' && step.left.code === 'proposal_shape';
      }),
      { numRuns: draws(500), seed: 7 },
    );
  });

  it('strangerProposal: null where every source is accepted', () => {
    const [, decision] = openPoll().records;
    const [ballot] = (
      decision?.payload as { readonly requests: readonly Parameters<typeof strangerProposal>[0][] }
    ).requests;
    expect(ballot).toBeDefined();
    if (ballot === undefined) return;
    expect(
      strangerProposal(
        {
          ...ballot,
          accepts: [
            'live_model',
            'recorded_model',
            'rule',
            'human',
            'tool',
            'retrieval',
            'clock',
            'synthetic',
            'run',
          ],
        },
        null,
      ),
    ).toBeNull();
    expect(strangerProposal(ballot, null)).not.toBeNull();
  });

  it('plainProposal: a failure goes with a null value', () => {
    const proposal: Proposal = plainProposal('1.0', { failure: { code: 'lost', final: true, detail: null } });
    expect(advance(openPoll().run, proposal)._tag).toBe('Right');
    expect(proposal.value).toBeNull();
  });

  it('entropy: the same seed draws the same values', () => {
    const draws = (): unknown[] =>
      fc
        .sample(fc.tuple(entropy(), fc.nat()), { numRuns: 5, seed: 8 })
        .map(([draw, n]) => [draw(fc.nat()), draw(fc.string()), n]);
    expect(draws()).toEqual(draws());
  });

  it('foldOpenTable: the open requests of a poll with an attempt used', () => {
    const { records, run } = openPoll({ voters: 2, quorum: 1 });
    const step = advance(
      run,
      plainProposal('1.0', { value: { option: 'milk' } }, { spent: { tokens: 3, ms: 0 } }),
    );
    if (step._tag === 'Left') throw new Error(step.left.code);
    const table = foldOpenTable([...records, ...step.right.records]);
    expect([...table.keys()]).toEqual(['1.0', '1.1', '1.2']);
    expect(table.get('1.0')).toMatchObject({ rejections: 1, spent: { tokens: 3, ms: 0 } });
  });
});

/** What `advance` must answer with a Left `inadmissible`: no JSON, or a token out of form. */
function inadmissibleProposal(request_id: string): fc.Arbitrary<unknown> {
  const values: readonly (() => unknown)[] = [
    () => undefined,
    () => Number.NaN,
    () => Number.POSITIVE_INFINITY,
    () => Number.MAX_SAFE_INTEGER + 1,
    () => 1n,
    () => Symbol('s'),
    () => () => 0,
    () => new Map(),
    () => [1, , 2],
    () => '\ud800',
    () => ({ $sealed: 'short' }),
    () => ({ $sealed: '0'.repeat(64), more: 1 }),
    () => ({ $blob: { bytes: -1, media: '', sha256: '0'.repeat(64) } }),
    () => Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }),
    () => ({ toJSON: () => 1 }),
  ];
  return fc
    .constantFrom(...values)
    .map((make) => ({ ...plainProposal(request_id, { value: null }), value: make() }));
}

/** What `advance` must answer with a Left `proposal_shape`: JSON, and no proposal. */
function misshapenProposal(request_id: string): fc.Arbitrary<unknown> {
  const good: { readonly [key: string]: unknown } = plainProposal(request_id, { value: 1 });
  const changes: readonly { readonly [key: string]: unknown }[] = [
    { request_id: '1' },
    { request_id: '01.0' },
    { source: 'model' },
    { proposer: '' },
    { proposer: 'é' },
    { confidence: 2 },
    { confidence: '1' },
    { at_us: 1 / 2 },
    { at_us: -1 },
    { spent: { tokens: -1 } },
    { spent: { Tokens: 1 } },
    { spent: [] },
    { cites: [{}] },
    { cites: {} },
    { provenance: [] },
    { failure: {} },
    { failure: { code: 'lost', final: true, detail: null } },
    { failure: { code: 'broken', final: true, detail: null }, value: null },
    { failure: { code: 'lost', final: 1, detail: null }, value: null },
    { failure: { code: 'lost', final: true, detail: 1 / 2 }, value: null },
    { extra: 1 },
  ];
  const changed = fc.constantFrom(...changes).map((change) => ({ ...good, ...change }));
  const cut = fc
    .constantFrom(...Object.keys(good))
    .map((key) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key)));
  return fc.oneof(changed, cut, fc.constantFrom<unknown>(null, 1, 'text', [], {}));
}
