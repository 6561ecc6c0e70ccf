import { hashCanonical, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  amount,
  answered,
  artifactOf,
  claimOn,
  opened,
  played,
  policyWith,
  reading,
} from '../intent/tools.js';

const SEED = 'Uploads must finish within 2 s. The door should stay shut.';
const FAST = claimOn(SEED, 'Uploads must finish within 2 s', { atom: amount('uploads.time', '<=', 2, 's') });
const SHUT = claimOn(SEED, 'The door should stay shut', { modality: 'should' });
const ALL = reading('all', [FAST, SHUT]);

describe('001 §3 mandatory outcomes', () => {
  it('001 §3 success: BlueprintSpec + VerificationPack', () => {
    const run = played(SEED, { a: [ALL] });
    const blueprint = artifactOf(run, 'blueprint');
    const pack = artifactOf(run, 'verification_pack');
    expect(run.step.run.outcome).toBe('success');
    expect((blueprint?.['claims'] as readonly Json[]).length).toBe(2);
    expect(pack).toMatchObject({
      blueprint_hash: orThrow(hashCanonical(blueprint)),
      checks: [
        { method: 'test', threshold: FAST.atom },
        { method: 'inspection', threshold: null },
      ],
    });
    expect(artifactOf(run, 'refusal_report')).toBeUndefined();
  });

  it('001 §3 every claim of the blueprint has exactly one check, and every check a claim', () => {
    const run = played(SEED, { a: [ALL] }, policyWith({ proposers: ['a'] }), { no_glass: true });
    const claims = (artifactOf(run, 'blueprint')?.['claims'] as readonly { readonly id: string }[]).map(
      ({ id }) => id,
    );
    const checks = (
      artifactOf(run, 'verification_pack')?.['checks'] as readonly { readonly claim: string }[]
    ).map(({ claim }) => claim);
    expect(checks).toEqual(claims);
    expect(claims).toHaveLength(3);
  });

  it('001 §3 refusal: RefusalReport and nothing else', () => {
    const run = played(SEED, { a: [] });
    expect([
      run.step.run.outcome,
      artifactOf(run, 'blueprint'),
      artifactOf(run, 'verification_pack'),
    ]).toEqual(['refused', undefined, undefined]);
  });

  it(
    '001 §3 RefusalReport: run_id, seed_hash, reason_codes, evidence_record_hashes, ' +
      'policy_suggestions, status "refused"',
    () => {
      const run = played(SEED, { a: [ALL] }, policyWith({ proposers: ['a'], max_nodes: 4 }));
      const report = artifactOf(run, 'refusal_report');
      expect(report).toMatchObject({
        run_id: 'run',
        seed_hash: orThrow(hashCanonical(SEED)),
        reason_codes: ['max_nodes'],
        status: 'refused',
      });
      expect(report?.['evidence_record_hashes']).toEqual([run.records[0]?.record_hash]);
      expect(report?.['policy_suggestions']).toEqual([
        'max_nodes is 4; this run needs 7. Raise max_nodes, or split the request.',
      ]);
    },
  );

  it('001 §3 the report cites each answer by the proposal_hash its record carries', () => {
    const run = played(SEED, { a: [ALL] }, policyWith({ proposers: ['a'], max_nodes: 4 }));
    const recorded = run.records.find(({ kind }) => kind === 'proposal')?.payload as {
      readonly proposal_hash: string;
    };
    expect(artifactOf(run, 'refusal_report')?.['answers']).toEqual([
      { slot: 'a', proposal_hash: recorded.proposal_hash, readings: 1, failure: null, why: null },
    ]);
  });

  it('001 §3 a suggestion that is followed is enough', () => {
    const policy = { proposers: ['a'], max_nodes: 4 };
    const report = artifactOf(played(SEED, { a: [ALL] }, policyWith(policy)), 'refusal_report');
    const [needed] = (report?.['reasons'] as readonly { readonly needed: number }[]).map(
      (reason) => reason.needed,
    );
    expect(
      played(SEED, { a: [ALL] }, policyWith({ ...policy, max_nodes: needed ?? 0 })).step.run.outcome,
    ).toBe('success');
    expect(
      played(SEED, { a: [ALL] }, policyWith({ ...policy, max_nodes: (needed ?? 0) - 1 })).step.run.outcome,
    ).toBe('refused');
  });

  it('001 §3 the close says the same as the report', () => {
    const run = answered(opened(SEED, policyWith({ proposers: ['a'] })), 'a', null, {
      failure: { code: 'denied', final: true, detail: { code: 'not_english' } },
    });
    const close = run.records.at(-1)?.payload as {
      readonly status: string;
      readonly reasons: readonly string[];
    };
    expect(close.status).toBe('refused');
    expect(close.reasons).toEqual(artifactOf(run, 'refusal_report')?.['reason_codes']);
  });
});
