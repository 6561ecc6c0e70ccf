import { openRun, orThrow, type Json } from '@assay/kernel';
import { completePolicy, defaultPolicy, intent, runEngine, type Policy } from '@assay/kernel/intent';
import { describe, expect, it } from 'vitest';
import { amount, claimOn, eventsOf, played, policyWith, reading } from '../intent/tools.js';
import { parsePolicy } from '../../src/intent/policy.js';

const left = (field: string, rule: string): object => ({
  _tag: 'Left',
  left: { code: 'bad_policy', detail: { field, rule } },
});

describe('001 §2.3 policy', () => {
  it.each([
    ['max_interpretations', 1, 'integer_from_1'],
    ['max_nodes', 1, 'integer_from_1'],
    ['max_depth', 1, 'integer_from_1'],
    ['contradiction_budget', 0, 'integer_from_0'],
    ['max_steps', 1, 'integer_from_1'],
  ])('001 §2.3 %s >= %i', (field, min, rule) => {
    expect(parsePolicy(policyWith({ [field]: min }))._tag).toBe('Right');
    expect(parsePolicy(policyWith({ [field]: Number.MAX_SAFE_INTEGER }))._tag).toBe('Right');
    for (const bad of [min - 1, -1 - min, min + 0.5, '1', null, true, [], {}])
      expect(parsePolicy(policyWith({ [field]: bad }))).toEqual(left(field, rule));
  });

  it('001 §2.3 deterministic_tiebreak = "lexicographic"', () => {
    for (const bad of ['random', 'Lexicographic', '', null, true])
      expect(parsePolicy(policyWith({ deterministic_tiebreak: bad }))).toEqual(
        left('deterministic_tiebreak', 'lexicographic'),
      );
  });

  it(
    '001 §2.3 validates deterministically: the first bad field in a fixed order is named, ' +
      'whatever the order of keys',
    () => {
      const fields = Object.keys(defaultPolicy) as readonly (keyof Policy)[];
      for (const [index, field] of fields.entries()) {
        const bad = Object.fromEntries(
          fields.map((name, place): readonly [string, Json] => [
            name,
            place >= index ? false : (defaultPolicy[name] as Json),
          ]),
        );
        const reversed = Object.fromEntries(Object.entries(bad).reverse());
        expect(parsePolicy(bad)).toMatchObject({ left: { detail: { field } } });
        expect(parsePolicy(reversed)).toEqual(parsePolicy(bad));
      }
    },
  );

  it('001 §2.3 a policy of the six fields runs, and genesis records it whole', () => {
    const {
      max_interpretations,
      max_nodes,
      max_depth,
      contradiction_budget,
      max_steps,
      deterministic_tiebreak,
    } = defaultPolicy;
    const six = {
      max_interpretations,
      max_nodes,
      max_depth,
      contradiction_budget,
      max_steps,
      deterministic_tiebreak,
    };
    const silent = {
      proposer: 'x',
      proposeInterpretations: () => ({ source: 'synthetic', value: [] }) as const,
    };
    const { records } = orThrow(runEngine('r', 'Keep logs 30 days.', null, six, silent, 't'));
    expect(records[0]?.payload).toMatchObject({ policy: defaultPolicy });
    expect(completePolicy({ weights: { pin: 7 } })).toEqual({
      ...defaultPolicy,
      weights: { ...defaultPolicy.weights, pin: 7 },
    });
    for (const none of [null, 1, 'x', []]) expect(completePolicy(none)).toBe(none);
  });

  it('001 §2.3 a missing field is a bad one, and an unknown one is refused', () => {
    for (const field of Object.keys(defaultPolicy)) {
      const { [field as keyof Policy]: _, ...rest } = defaultPolicy;
      expect(parsePolicy(rest as unknown as Json)).toMatchObject({ left: { detail: { field } } });
    }
    expect(parsePolicy(policyWith({ max_cost: 1 } as never))).toEqual(left('policy', 'unknown_key'));
    for (const none of [null, 1, 'x', []]) expect(parsePolicy(none)).toEqual(left('policy', 'object'));
  });

  it.each([
    ['proposers', [], 'names_1_to_16'],
    ['proposers', ['a', 'a'], 'names_1_to_16'],
    ['proposers', ['no name'], 'names_1_to_16'],
    ['proposers', Array.from({ length: 17 }, (_, index) => `p${index}`), 'names_1_to_16'],
    ['min_proposals', 2, 'integer_1_to_1'],
    ['min_proposals', 0, 'integer_1_to_1'],
    ['min_score', 1_000_001, 'integer_0_to_1000000'],
    ['min_margin', -1, 'integer_0_to_1000000'],
    ['weights', {}, 'weights'],
    ['weights', { ...defaultPolicy.weights, extra: 1 }, 'weights'],
    ['weights', { ...defaultPolicy.weights, pin: 0.5 }, 'weights'],
    ['weights', Object.fromEntries(Object.keys(defaultPolicy.weights).map((name) => [name, 0])), 'all_zero'],
  ])('beyond the contract: %s %j', (field, value, rule) => {
    expect(parsePolicy(policyWith({ [field]: value }))).toEqual(left(field, rule));
  });

  it('001 §2.3 a run with a bad policy does not open, and nothing is recorded', () => {
    expect(
      openRun(intent, {
        run_id: 'r',
        ts_base: 't',
        policy: policyWith({ max_nodes: 0 }),
        input: { seed_text: 'x' },
      }),
    ).toEqual(left('max_nodes', 'integer_from_1'));
  });

  it('001 §2.3 implements a deterministic tie-break: equal totals go by name', () => {
    const seed = 'Uploads must finish within 2 s.';
    const claim = claimOn(seed, 'Uploads must finish within 2 s', { atom: amount('a', '<=', 2, 's') });
    const policy = policyWith({ proposers: ['one', 'two'] });
    const run = played(
      seed,
      { one: [reading('b', [claim])], two: [reading('a', [{ ...claim, atom: amount('b', '<=', 2, 's') }])] },
      policy,
    );
    expect(eventsOf(run, 'chosen')).toMatchObject([{ name: 'a', tie_break: 'name', margin: 0 }]);
  });

  it('the default policy is one', () => {
    expect(parsePolicy(defaultPolicy as unknown as Json)).toEqual({ _tag: 'Right', right: defaultPolicy });
  });
});
