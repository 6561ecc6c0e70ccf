/** A policy over recorded calls: what impact says of each call is what the rules say of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeSha256 as sha256 } from '@assay/host';
import { advance, openRequests, openRun, orThrow, type EvidenceRecord, type Json } from '@assay/kernel';
import { encodeFile } from '@assay/verifier/attacks';
import { impact, NO_CHANGE, redecider, type RunImpact } from '@assay/verifier/impact';
import { viewable } from '@assay/kernel/view';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { completePolicy, gate } from '../src/machine/index.ts';
import { judge, type Called } from '../src/policy/judge.ts';
import { readPolicy, type PolicyFile } from '../src/policy/policy.ts';
import { calls, digest, policies } from '../tools/arbitraries.ts';
import { compareCalls, gateView } from '../src/view/index.ts';

const rest = { confidence: null, failure: null, spent: {}, cites: [], provenance: {} };
const view = viewable(gateView, gate, { sha256 });
const machines = [{ ...redecider(gate, { sha256 }, view), compare: compareCalls }];
const runs = lawRuns('gate impact');

/** Calls as an import records them: each was performed, and the gate only watched. */
function watch(
  called: readonly Called[],
  policy: PolicyFile = { gate: 1, mode: 'observe' },
): EvidenceRecord[] {
  const genesis = {
    ...{ run_id: 'r', ts_base: 't', input: { about: 'a', from: null }, base: null, engine: null },
    policy: completePolicy(policy),
  };
  const opened = orThrow(openRun(gate, genesis, { sha256 }));
  let { run } = opened;
  const records = [...opened.records];
  const answer = (kind: string, value: Json): void => {
    const { id } = openRequests(run).find((one) => one.kind === kind) ?? { id: '' };
    const given = { ...rest, request_id: id, source: 'synthetic', proposer: 'import', value, at_us: 0 };
    const step = orThrow(advance(run, given));
    ({ run } = step);
    records.push(...step.records);
  };
  for (const { tool, principal, input } of called) {
    answer('call', { principal, call_id: 'c', tool, input, digest: digest(input) });
    if (openRequests(run).some(({ kind }) => kind === 'perform'))
      answer('perform', { ok: true, digest: digest(null), bytes: 4, result: null });
  }
  answer('close', {});
  return records;
}

function tryOn(records: readonly EvidenceRecord[], policy: PolicyFile): RunImpact {
  const change = { ...NO_CHANGE, policy: policy as never };
  return orThrow(impact([encodeFile(records)], { machines, change, sha256 }));
}

/** The counts in their order: refused, asked, newly performed, cannot be judged. */
const count = ({ compared }: RunImpact): readonly number[] => compared?.counts.map((one) => one.count) ?? [];

const many = fc.array(calls, { maxLength: 6 });
/** Rules alone: no budget, no label, nobody who may not call. */
const stateless = policies.map(
  (policy): PolicyFile => ({
    ...policy,
    ...{ mode: 'enforce', budgets: [], principals: null, in_flight: 1_024 },
    ...Object.fromEntries(
      (['allow', 'ask', 'deny'] as const).map((effect) => [
        effect,
        (policy[effect] ?? []).filter((rule) => typeof rule === 'string' || rule.after === undefined),
      ]),
    ),
  }),
);

test('gate/impact-is-call-by-call', () => {
  fc.assert(
    fc.property(many, stateless, (called, policy) => {
      const read = orThrow(readPolicy(policy));
      const verdicts = called.map((call) => judge(read, call, []).verdict);
      const got = tryOn(watch(called), policy);
      const refused = verdicts.filter((verdict) => verdict === 'deny').length;
      expect(count(got)).toEqual([refused, verdicts.filter((verdict) => verdict === 'ask').length, 0, 0]);
      expect(got.class === 'flipped').toBe(verdicts.some((verdict) => verdict !== 'allow'));
    }),
    runs,
  );
});

test('gate/impact-of-its-own-policy-is-none', () => {
  fc.assert(
    fc.property(many, policies, (called, policy) => {
      const got = tryOn(watch(called, policy), policy);
      expect(count(got)).toEqual([0, 0, 0, 0]);
      expect(got.class).toBe('same');
    }),
    runs,
  );
});

const READ: Called = { principal: 'main', tool: 'read_file', input: { path: 'a/b.txt' } };

test('a call whose input is not recorded cannot be judged where a rule needs it, and is never the same', () => {
  const policy: PolicyFile = { gate: 1, allow: ['*'], deny: ['read_file(path: **/.env*)'] };
  const sealed = { path: { $sealed: digest('x') } };
  const got = tryOn(watch([READ, { ...READ, input: null }, { ...READ, input: sealed }]), policy);
  expect(count(got)).toEqual([0, 0, 0, 2]);
  expect(got.compared).toMatchObject({
    ...{ unit: 'call', run: 'session', total: 3 },
    groups: [{ what: 'read_file', count: 2, example: { at: 2, text: 'read_file null' } }],
  });
  expect(count(tryOn(watch([{ ...READ, input: null }]), { gate: 1, allow: ['*'] }))).toEqual([0, 0, 0, 0]);
});

test('a budget counts the calls before: a plain look at each call would not see it', () => {
  const policy: PolicyFile = { gate: 1, allow: ['*'], budgets: [{ max: 2 }] };
  const got = tryOn(watch([READ, READ, READ]), policy);
  expect(count(got)).toEqual([1, 0, 0, 0]);
  expect(got.compared?.groups).toMatchObject([{ why: 'over the budget 2 calls', example: { at: 3 } }]);
});

test('what a policy refused and another lets through is newly performed; a rule that is left out is gone', () => {
  const strict: PolicyFile = { gate: 1, allow: ['*'], deny: [{ tool: 'read_file', reason: 'secrets' }] };
  const records = watch([READ], strict);
  expect(count(tryOn(records, { gate: 1, allow: ['*'] }))).toEqual([0, 0, 1, 0]);
  expect(tryOn(watch([READ]), strict).compared?.groups).toMatchObject([
    { kind: 'would now be refused', why: 'deny read_file (secrets)' },
  ]);
});
