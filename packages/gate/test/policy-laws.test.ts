import fc from 'fast-check';
import { isObject, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { judge } from '../src/policy/judge.js';
import { readPolicy, type Effect, type PolicyFile } from '../src/policy/policy.js';
import { calls, labels, policies, rules } from '../tools/arbitraries.js';

const runs = lawRuns('gate policy');
const STRICT: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };
const read = (policy: PolicyFile) => orThrow(readPolicy(policy));
const check = <T>(property: fc.IProperty<T>): void => fc.assert(property, runs);

describe('the rules of a gate', () => {
  it('gate/order-of-rules-never-matters', () => {
    check(
      fc.property(policies, calls, labels, (policy, call, known) => {
        const turned = {
          ...policy,
          allow: policy.allow?.toReversed(),
          ask: policy.ask?.toReversed(),
          deny: policy.deny?.toReversed(),
        } as PolicyFile;
        const { verdict, why } = judge(read(policy), call, known);
        expect(judge(read(turned), call, known)).toMatchObject({ verdict, why });
      }),
    );
  });

  it('gate/one-more-deny-rule-never-allows', () => {
    check(
      fc.property(policies, rules, calls, labels, (policy, rule, call, known) => {
        const before = judge(read(policy), call, known).verdict;
        const after = judge(read({ ...policy, deny: [...(policy.deny ?? []), rule] }), call, known).verdict;
        expect(STRICT[after]).toBeGreaterThanOrEqual(STRICT[before]);
      }),
    );
  });

  it('gate/one-more-allow-rule-never-denies', () => {
    check(
      fc.property(policies, rules, calls, labels, (policy, rule, call, known) => {
        const before = judge(read(policy), call, known).verdict;
        const after = judge(read({ ...policy, allow: [...(policy.allow ?? []), rule] }), call, known).verdict;
        if (before !== 'deny') expect(after).not.toBe('deny');
      }),
    );
  });

  it('gate/an-unreadable-field-never-loosens', () => {
    check(
      fc.property(policies, calls, labels, (policy, call, known) => {
        const before = judge(read(policy), call, known).verdict;
        const { input } = call;
        for (const key of isObject(input) ? Object.keys(input) : []) {
          const sealed = { ...(input as object), [key]: { $sealed: 'x' } } as Json;
          const after = judge(read(policy), { ...call, input: sealed }, known).verdict;
          // `unjudged: ask` hands to a person what a rule might have denied.
          const least = policy.unjudged === 'ask' ? Math.min(STRICT[before], STRICT.ask) : STRICT[before];
          expect(STRICT[after]).toBeGreaterThanOrEqual(least);
        }
      }),
    );
  });
});
