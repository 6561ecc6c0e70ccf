import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, parsePolicy, type PlanBody } from '../../src/index.js';
import { planOf, criterion, play, policyWith, replayed, willing } from '../lib/playing.js';

const parsed = (change: object): unknown => {
  const policy = parsePolicy({ ...defaultPolicy, ...change } as unknown as Json);
  return policy._tag === 'Left' ? policy.left : 'taken';
};

describe('the policy of a controller run', () => {
  it('refuses an R4b that ranks below R2 (002 Key Invariants)', () => {
    const roles = { R1: null, R2: 'strong', R3: null, R4a: null, R4b: 'weak' };
    const ranks = [
      { proposer: 'strong', rank: 2 },
      { proposer: 'weak', rank: 1 },
    ];
    expect(parsed({ roles, ranks })).toEqual({
      code: 'bad_policy',
      detail: { path: '/roles/R4b', rule: 'weaker_than_planner' },
    });
    expect(parsed({ roles: { ...roles, R4b: 'strong' }, ranks })).toBe('taken');
    expect(parsed({ roles: { ...roles, R4b: null }, ranks })).toMatchObject({ code: 'bad_policy' });
  });

  it.each([
    ['weights that do not add up', { ggs: { ...defaultPolicy.ggs, w1: 1 } }],
    ['a negative weight', { ggs: { ...defaultPolicy.ggs, alpha: -1 } }],
    ['a threshold of a whole', { ggs: { ...defaultPolicy.ggs, delta: 1_000_000 } }],
    ['an epsilon of nothing', { ggs: { ...defaultPolicy.ggs, epsilon: 0 } }],
    ['a fraction', { ggs: { ...defaultPolicy.ggs, epsilon: 0.5 } }],
    ['no plans', { limits: { ...defaultPolicy.limits, plans: 0 } }],
    [
      'a tool that stands there twice',
      {
        tools: [
          { name: 'a', class: 'read', reversible: true, available: true },
          { name: 'a', class: 'read', reversible: true, available: true },
        ],
      },
    ],
    [
      'a proposer that is ranked twice',
      {
        ranks: [
          { proposer: 'a', rank: 1 },
          { proposer: 'a', rank: 2 },
        ],
      },
    ],
    ['a clock that is none', { clock: 'sundial' }],
  ])('refuses %s with code and path (dec-G23)', (_what, change) => {
    expect(parsed(change)).toMatchObject({
      code: 'bad_policy',
      detail: { path: expect.stringMatching(/^\//) as string },
    });
  });

  it('lets nobody but the proposer of the policy play a role', () => {
    const played = play(
      policyWith({ roles: { R1: null, R2: 'somebody', R3: null, R4a: null, R4b: 'somebody' } }),
      { ...willing, plan: (_: PlanBody) => ({ value: planOf([{ criteria: [criterion('a')] }]) }) },
    );
    expect(played.rejections).toEqual(['wrong_proposer', 'wrong_proposer']);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'planner_gave_up',
      why: 'wrong_proposer',
    });
    replayed(played);
  });

  it('turns a clock back in no way: the reading is rejected, and the loop goes on', () => {
    const played = play(policyWith({ clock: 'asked' }), {
      ...willing,
      clock: (_: never, turn: number) => ({ value: { t_us: turn === 0 ? 9 : 1 } }),
    });
    expect(played.rejections).toEqual(['clock_backwards']);
    expect(played.result?.directive).toBe('accept');
    replayed(played);
  });
});
