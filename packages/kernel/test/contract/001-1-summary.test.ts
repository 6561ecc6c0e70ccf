import { hashCanonical, orThrow, type EvidenceRecord, type Json } from '@assay/kernel';
import {
  defaultPolicy,
  intent,
  replay,
  runEngine,
  SeedText,
  type InterpretationProposer,
} from '@assay/kernel/intent';
import type { RunResult } from '../../src/intent/engine.js';
import { describe, expect, it } from 'vitest';

const SEED = 'Uploads must finish within 2 s. The door must stay shut.';
const words = (text: string): Json => ({
  ...new SeedText(SEED).quote(SEED.indexOf(text), SEED.indexOf(text) + text.length),
});
const scope = { actor: null, condition: null, exception: null };
const claim = (text: string): Json => ({
  kind: 'requirement',
  modality: 'must',
  quote: words(text),
  atom: { key: text.split(' ')[1] ?? '', op: '=', value: true, unit: null },
  scope,
});
const READINGS: Json = [
  {
    name: 'both',
    assumptions: ['the clock is right'],
    intent_summary: 'fast and shut',
    commits: [claim('Uploads must finish within 2 s'), claim('The door must stay shut')],
  },
  { name: 'shut-only', assumptions: [], intent_summary: 'shut', commits: [claim('The door must stay shut')] },
];
const proposer: InterpretationProposer = {
  proposer: 'fixture:contract',
  proposeInterpretations: () => ({ source: 'synthetic', value: READINGS }),
};
const run = (seedText: string = SEED, by: InterpretationProposer = proposer): RunResult =>
  orThrow(runEngine('contract', seedText, null, defaultPolicy as unknown as Json, by, 'base'));
const payloads = (
  records: readonly EvidenceRecord[],
  kind: string,
): readonly { readonly [key: string]: Json }[] =>
  records
    .filter((record) => record.kind === kind)
    .map(({ payload }) => payload as { readonly [key: string]: Json });

describe('001 §1 the kernel is a deterministic authority core', () => {
  it('001 §1.1 accepts SeedPack inputs: seed_text, pin, policy, run_id and ts_base are in the first record', () => {
    const [genesis] = payloads(run().records, 'genesis');
    expect(genesis).toMatchObject({
      run_id: 'contract',
      ts_base: 'base',
      policy: defaultPolicy,
      input: { seed_text: SEED, pin: null },
    });
  });

  it('001 §1.2 consumes only proposals: nothing else enters after the genesis', () => {
    const kinds = new Set(run().records.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['artifact', 'close', 'decision', 'genesis', 'proposal']);
    expect(payloads(run().records, 'proposal').map(({ source, value }) => [source, value])).toEqual([
      ['synthetic', READINGS],
    ]);
  });

  it('001 §1.3 commits an intent root and a context DAG, the same each time', () => {
    const [one, two] = [run(), run()];
    expect(one.dag.root()).toBe(two.dag.root());
    const committed = payloads(one.records, 'decision')
      .flatMap(({ events }) => events as readonly { readonly t: string; readonly root?: string }[])
      .find(({ t }) => t === 'committed');
    const root = one.dag.nodes().find(({ kind }) => kind === 'decision');
    expect(committed?.root).toBe(root?.id);
  });

  it('001 §1.4 emits BlueprintSpec and VerificationPack, or a RefusalReport', () => {
    expect(Object.keys(run().artifacts)).toEqual(['blueprint', 'verification_pack']);
    expect(Object.keys(run('   ').artifacts)).toEqual(['refusal_report']);
  });

  it('001 §1.5 records every step in a hash-chained ledger', () => {
    const { records } = run();
    records.forEach(({ parent, payload, payload_hash }, index) => {
      expect(parent).toBe(records[index - 1]?.record_hash ?? null);
      expect(payload_hash).toBe(orThrow(hashCanonical(payload)));
    });
    const events = payloads(records, 'decision').flatMap(({ events: list }) =>
      (list as readonly { readonly t: string }[]).map(({ t }) => t),
    );
    expect(events).toEqual(['seeded', 'asked', 'answered', 'scored', 'scored', 'chosen', 'committed']);
  });

  it('001 §1.6 replays from recorded evidence alone', () => {
    const { records, dag, artifacts, summary_hash } = run();
    const again = orThrow(replay(JSON.parse(JSON.stringify(records)) as readonly EvidenceRecord[]));
    expect([again.dag.root(), again.artifacts, again.summary_hash, again.outcome]).toEqual([
      dag.root(),
      artifacts,
      summary_hash,
      'success',
    ]);
  });

  it('001 §1 a proposer is asked once for each slot and speaks through its proposal only', () => {
    const asked: unknown[] = [];
    const spy: InterpretationProposer = {
      proposer: 'fixture:spy',
      proposeInterpretations: (...given) => {
        asked.push(given);
        return { source: 'synthetic', value: READINGS };
      },
    };
    run(SEED, spy);
    expect(asked).toEqual([
      [
        orThrow(hashCanonical(SEED)),
        defaultPolicy.max_interpretations,
        {
          slot: 'rules',
          seed_hash: orThrow(hashCanonical(SEED)),
          seed_text: SEED,
          n: defaultPolicy.max_interpretations,
          pin: [],
        },
      ],
    ]);
    expect(intent.name).toBe('intent');
  });

  it('001 §1 what cannot be recorded is recorded as a failure, and the slot may answer once more', () => {
    let calls = 0;
    const clumsy: InterpretationProposer = {
      proposer: 'fixture:clumsy',
      proposeInterpretations: () => {
        calls += 1;
        return { source: 'synthetic', value: calls === 1 ? Number.NaN : READINGS };
      },
    };
    const { records } = run(SEED, clumsy);
    expect(payloads(records, 'rejection')).toEqual([{ code: 'malformed', detail: null }]);
    expect(payloads(records, 'proposal')[0]).toMatchObject({
      value: null,
      failure: {
        code: 'malformed',
        final: false,
        detail: { code: 'inadmissible', path: '/value', text: '' },
      },
    });
    expect(payloads(records, 'close')).toMatchObject([{ status: 'success' }]);
  });
});
