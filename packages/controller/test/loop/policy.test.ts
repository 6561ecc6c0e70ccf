import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, parsePolicy, type PlanBody } from '../../src/index.js';
import { criterion, planOf, play, policyWith, replayed, toolOf, willing } from '../lib/playing.js';

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

  const read = toolOf('a', 'read');
  const large = { description: 'x'.repeat(4_000) };
  it.each([
    ['that stands there twice', [read, read], '/tools'],
    ['under the name of an end', [{ ...read, name: 'done' }], '/tools/0/name'],
    ['with a dot in its name', [{ ...read, name: 'a.b' }], '/tools/0/name'],
    ['of a longer name', [{ ...read, name: 'a'.repeat(65) }], '/tools/0/name'],
    ['of no class', [{ ...read, class: 'none' }], '/tools/0/class'],
    [
      'with a schema of more than 4 KiB',
      [read, { ...read, name: 'b', schema: { description: 'x'.repeat(4_096) } }],
      '/tools/1/schema',
    ],
    ['beyond the 64th', Array.from({ length: 65 }, (_, at) => ({ ...read, name: `t${at}` })), '/tools'],
    [
      'beyond 64 KiB of schemas',
      Array.from({ length: 17 }, (_, at) => ({ ...read, name: `t${at}`, schema: large })),
      '/tools',
    ],
  ])('refuses a tool %s, with the field (calls/C15)', (_, tools, path) => {
    expect(parsed({ tools: [read] })).toBe('taken');
    expect(parsed({ tools })).toEqual({ code: 'bad_policy', detail: { path, rule: 'shape' } });
  });

  it('without tools lets nothing be planned but words, and ends', () => {
    const played = play(policyWith({ tools: [] }), willing);
    expect(played.rejections).toEqual(['unknown_tool', 'unknown_tool']);
    expect(played.result).toMatchObject({ directive: 'abandon', reason: 'planner_gave_up' });
    replayed(played);
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
