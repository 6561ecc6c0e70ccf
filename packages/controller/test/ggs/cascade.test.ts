/**
 * The order of the cascade (dec-G12, dec-G18), the floors of D (dec-G4, dec-G5), and what each directive
 * forbids (dec-G15, dec-G16).
 */
import { describe, expect, it } from 'vitest';
import { admit, isOk } from '@assay/kernel';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import type { GgsInput } from '../../src/ggs/input.js';
import { defaultGgsPolicy } from '../../src/ggs/policy.js';
import { TOOLS } from '../../tools/arbitrary-ggs.ts';
import { criteria, failed, follow, passed, round } from '../../tools/ggs-rounds.js';

const say = (input: Partial<GgsInput>): readonly [string, string] => {
  const { directive, reason } = evaluateGgs(defaultGgsPolicy, round(input));
  return [directive, reason];
};
const met = criteria(3, 0, 0);
const late = { elapsed_us: 300_000_000 };
const find = { tool: 'find', class: 'search' };
const cat = { tool: 'cat', class: 'read' };

describe('the cascade', () => {
  it('accepts an OutcomeSummary with nothing unmet at any omega (dec-G18)', () => {
    expect(say({ criteria: met, all_matched: true, ...late })).toEqual(['accept', 'all_criteria_met']);
    expect(say({ criteria: met, ...late })).toEqual(['abandon', 'omega']);
    expect(say({ criteria: met })).toEqual(['success', 'converged']);
    expect(say({ criteria: criteria(10, 0, 1), all_matched: true })).toEqual(['success', 'converged']);
  });

  it('a stop from outside comes before all else', () => {
    expect(say({ criteria: met, all_matched: true, abandon_now: { code: 'planner_exhausted' } })).toEqual([
      'abandon',
      'planner_exhausted',
    ]);
    expect(say({ abandon_now: { code: 'perception_failed' } })).toEqual(['abandon', 'perception_failed']);
  });

  it('goes by omega, then D, then Law 2, then the guard, then action (dec-G12)', () => {
    const worse = follow(defaultGgsPolicy, [
      { criteria: criteria(10, 0, 4) },
      { criteria: criteria(10, 0, 7) },
    ]).at(-1)?.history;
    if (worse === undefined) throw new RangeError('no history');
    const guard = { code: 'repeated_triple' };
    const third = { criteria: criteria(10, 0, 10), history: worse, replan_count: 2, guard };
    expect(say({ ...third, ...late })).toEqual(['abandon', 'omega']);
    expect(say({ ...third, criteria: met })).toEqual(['success', 'converged']);
    expect(say(third)).toEqual(['abandon', 'law2']);
    expect(say({ criteria: criteria(10, 0, 10), guard })).toEqual(['abandon', 'repeated_triple']);
    expect(say({ criteria: criteria(10, 0, 10) })).toEqual(['change_path', 'stuck_environmental']);
  });

  it('an abandoned task still says what it has and lacks (dec-G17)', () => {
    const evaluation = evaluateGgs(
      defaultGgsPolicy,
      round({ criteria: criteria(10, 0, 1), replan_count: 3, elapsed_us: 187_500_000 }),
    );
    expect(evaluation).toMatchObject({
      directive: 'abandon',
      D: { exact: '1/10' },
      failed_criterion: { id: 'c000' },
      blocked_tools: [],
      blocked_targets: [],
    });
  });
});

describe('the floors of D', () => {
  it(
    'c4: three of ten unmet are delta: success that lists the three; the same with a hard ' +
      'one is an action (dec-G4)',
    () => {
      const soft = evaluateGgs(defaultGgsPolicy, round({ criteria: criteria(10, 1, 2) }));
      expect(soft).toMatchObject({
        directive: 'success',
        D: { exact: '3/10' },
        distance_floor: null,
        cell: 9,
      });
      expect(soft.unmet.map(({ id }) => id)).toEqual(['c000', 'c001', 'c002']);
      const hard = criteria(10, 1, 2).map((one) =>
        one.id === 'c001' ? failed('c001', 'environmental', { hard: true }) : one,
      );
      expect(evaluateGgs(defaultGgsPolicy, round({ criteria: hard }))).toMatchObject({
        directive: 'change_path',
        distance_floor: 'hard_criterion',
        cell: 13,
        failed_criterion: { id: 'c001' },
      });
    },
  );

  it('c5: all matched and R4b refuses: an action at every D, never success (dec-G5)', () => {
    for (const unmet of [0, 1, 3])
      expect(say({ criteria: criteria(10, 0, unmet), r4b_rejected: true, all_matched: unmet === 0 })).toEqual(
        ['change_path', 'stuck_environmental'],
      );
  });

  it('a hard criterion that is met is no floor, and none is named where D is above delta anyway', () => {
    expect(evaluateGgs(defaultGgsPolicy, round({ criteria: [passed('a', { hard: true })] })).directive).toBe(
      'success',
    );
    expect(
      evaluateGgs(defaultGgsPolicy, round({ criteria: [failed('a', 'logical', { hard: true })] }))
        .distance_floor,
    ).toBeNull();
  });

  it('c12: omega 0.85 and D 0.1: abandon', () => {
    const policy = { ...defaultGgsPolicy, max_replans: 4 };
    expect(
      evaluateGgs(policy, round({ criteria: criteria(10, 0, 1), replan_count: 3, elapsed_us: 299_999_999 })),
    ).toMatchObject({ directive: 'abandon', reason: 'omega', omega_rule: 'sum', Omega: { ppm: 849_999 } });
  });

  it('c11: one more of ten criteria each round never meets Law 2 and ends within delta', () => {
    const rounds = follow(
      { ...defaultGgsPolicy, max_replans: 30 },
      Array.from({ length: 10 }, (_, index) => ({
        criteria: criteria(10, 0, 10 - index),
        elapsed_us: index * 20_000_000,
      })),
    );
    expect(rounds.map(({ directive }) => directive)).toEqual([
      'change_path',
      ...Array.from({ length: 6 }, () => 'refine'),
      'success',
    ]);
    expect(rounds.every(({ worsening_count }) => worsening_count === 0)).toBe(true);
  });
});

describe('what a directive forbids', () => {
  const literal = { ...defaultGgsPolicy, blocking_mode: 'literal' as const };
  const logical = criteria(10, 10, 0);
  const first = {
    criteria: logical,
    failing_tools: [cat],
    failing_targets: [{ tool: 'cat', target: '/a' }],
    tools: TOOLS,
  };

  it(
    'break_symmetry: the tools of failing sub-tasks in all rounds and every tool of their ' +
      'classes; no target (dec-G15)',
    () => {
      const rounds = follow(literal, [first, { ...first, failing_tools: [find] }]);
      expect(rounds.map(({ directive }) => directive)).toEqual(['break_symmetry', 'break_symmetry']);
      expect(rounds.map(({ blocked_tools }) => blocked_tools)).toEqual([['cat'], ['cat', 'find', 'grep']]);
      expect(rounds.map(({ blocked_classes }) => blocked_classes)).toEqual([['read'], ['read', 'search']]);
      expect(rounds.at(-1)?.history.blocked_targets).toEqual([]);
      expect(rounds.at(-1)?.blocked_targets_added).toEqual([]);
    },
  );

  it('break_symmetry: a tool without a class is forbidden alone', () => {
    const [only] = follow(literal, [{ ...first, failing_tools: [{ tool: 'shell', class: null }] }]);
    expect(only).toMatchObject({
      directive: 'break_symmetry',
      blocked_tools: ['shell'],
      blocked_classes: [],
    });
  });

  it('the ends forbid nothing', () => {
    for (const more of [
      { abandon_now: { code: 'planner_exhausted' } },
      { criteria: met },
      { criteria: met, all_matched: true },
    ]) {
      expect(evaluateGgs(literal, round({ ...first, ...more }))).toMatchObject({
        blocked_tools: [],
        blocked_classes: [],
        blocked_targets: [],
        blocked_targets_added: [],
      });
    }
  });

  it("change_approach: the tools of this round's failing sub-tasks only (dec-G15, dec-G16)", () => {
    const rounds = follow(literal, [
      first,
      { ...first, criteria: criteria(10, 8, 0), failing_tools: [find] },
    ]);
    expect(rounds.at(-1)).toMatchObject({
      directive: 'change_approach',
      blocked_tools: ['find'],
      blocked_classes: [],
    });
  });

  it(
    'change_path and refine: no tool, and every failed input so far; a logical round adds ' +
      'none and forgets none',
    () => {
      const env = criteria(10, 0, 10);
      const rounds = follow({ ...literal, max_replans: 9 }, [
        { ...first, criteria: env },
        { ...first, criteria: criteria(10, 0, 8), failing_targets: [{ tool: 'cat', target: '/b' }] },
        { ...first, failing_targets: [{ tool: 'cat', target: '/c' }] },
      ]);
      expect(rounds.map(({ directive }) => directive)).toEqual(['change_path', 'refine', 'change_approach']);
      expect(rounds.map(({ blocked_tools }) => blocked_tools)).toEqual([[], [], ['cat']]);
      expect(rounds.map(({ blocked_targets }) => blocked_targets.map(({ target }) => target))).toEqual([
        ['/a'],
        ['/a', '/b'],
        ['/a', '/b'],
      ]);
      expect(
        rounds.map(({ blocked_targets_added }) => blocked_targets_added.map(({ target }) => target)),
      ).toEqual([['/a'], ['/b'], []]);
    },
  );

  it('abandons where no tool would be left (dec-G16)', () => {
    const say = (more: Parameters<typeof round>[0]): readonly string[] => {
      const { directive, reason } = evaluateGgs(literal, round(more));
      return [directive, reason];
    };
    expect(say({ ...first, failing_tools: TOOLS })).toEqual(['abandon', 'no_tools_left']);
    expect(say({ ...first, tools: [cat, { tool: 'head', class: 'read' }] })).toEqual([
      'abandon',
      'no_tools_left',
    ]);
    expect(say({ ...first, tools: [] })).toEqual(['break_symmetry', 'stuck_logical']);
  });

  it('sparing: never all tools that read or all that write, and no class of them (calls/C7)', () => {
    const head = { tool: 'head', class: 'read' };
    const say = (failing_tools: typeof TOOLS, tools: typeof TOOLS): readonly unknown[] => {
      const { blocked_tools, blocked_classes } = evaluateGgs(
        defaultGgsPolicy,
        round({ ...first, failing_tools, tools }),
      );
      return [blocked_tools, blocked_classes];
    };
    expect(say([cat], TOOLS)).toEqual([[], []]);
    expect(say([cat], [...TOOLS, head])).toEqual([['cat'], []]);
    expect(say([cat, head], [...TOOLS, head])).toEqual([['head'], []]);
    expect(say([find], TOOLS)).toEqual([['find', 'grep'], ['search']]);
  });
});

describe('what an evaluation shows', () => {
  it('is admissible as an event, with the steps of the cascade in words', () => {
    const evaluation = evaluateGgs(
      defaultGgsPolicy,
      round({ criteria: criteria(10, 1, 2), r4b_rejected: true }),
    );
    expect(isOk(admit(evaluation))).toBe(true);
    expect(evaluation.rationale).toBe(
      'round 1; omega 0 is below theta 800000; D 300000 (3 of 10 unmet) is within delta ' +
        '300000, held above by r4b_rejected; task gradient 0 at epsilon 30000: plateau, 0 ' +
        'worsening in a row; P 333333 is within rho 500000; cell 13: change_path ' +
        '(stuck_environmental)',
    );
    expect(evaluateGgs(defaultGgsPolicy, round({ criteria: criteria(3, 3, 0) })).rationale).toContain(
      'D 1000000 (3 of 3 unmet) is above delta 300000; ',
    );
  });

  it('sums up the failures: logical, environmental, mixed, none', () => {
    const of = (logical: number, environmental: number): string =>
      evaluateGgs(defaultGgsPolicy, round({ criteria: criteria(4, logical, environmental) })).failure_class;
    expect([of(1, 0), of(0, 1), of(1, 1), of(0, 0)]).toEqual(['logical', 'environmental', 'mixed', 'none']);
  });

  it('reports urgency and pressure and decides nothing on them (dec-G22)', () => {
    const rounds = follow(
      { ...defaultGgsPolicy, max_replans: 9 },
      [5, 7, 4, 4].map((unmet) => ({ criteria: criteria(10, 0, unmet), elapsed_us: 75_000_000 })),
    );
    expect(rounds.map(({ urgency }) => urgency)).toEqual(['normal', 'high', 'low', 'normal']);
    expect(rounds.map(({ gap_trend }) => gap_trend)).toEqual(['stable', 'worsening', 'improving', 'stable']);
    expect(rounds.map(({ budget_pressure }) => budget_pressure.exact)).toEqual([
      '1/10',
      '1/6',
      '7/30',
      '3/10',
    ]);
    expect(rounds.map(({ first_round }) => first_round)).toEqual([true, false, false, false]);
  });
});
