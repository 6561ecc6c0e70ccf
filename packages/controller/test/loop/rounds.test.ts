import { describe, expect, it } from 'vitest';
import type { MergeBody, PlanBody } from '../../src/index.js';
import {
  called,
  criterion,
  did,
  judging,
  merging,
  planOf,
  play,
  policyWith,
  replayed,
  willing,
  type Attempted,
  type Found,
  type Played,
} from '../lib/playing.js';

describe('what a round is judged by', () => {
  it(
    'counts criteria of sub-tasks that never ran: half a plan is no success, and it is not ' +
      'the approach that failed',
    () => {
      const played = play(policyWith({ limits: { ...policyWith().limits, retries: 0 } }), {
        ...willing,
        plan: () => ({
          value: planOf([
            { criteria: Array.from({ length: 9 }, (_, index) => criterion(`first ${index}`)) },
            { criteria: Array.from({ length: 9 }, (_, index) => criterion(`second ${index}`)), sequence: 2 },
          ]),
        }),
        judge: judging((index) => (index === 0 ? 'logical' : 'pass')),
      });
      const directives = played.events.flatMap((event) =>
        event.t === 'message' && event.kind === 'PlanDirective' ? [event.body.evaluation] : [],
      );
      // 1 of 9 failed and 9 were not run: D = 10/18, not 1/9; P speaks of what failed alone.
      expect(directives[0]).toMatchObject({
        D: { exact: '5/9' },
        P: { exact: '1/1' },
        directive: 'break_symmetry',
      });
      replayed(played);
    },
  );

  it('turns away a plan that uses a blocked tool, and gives up where nothing else comes (law-G11)', () => {
    const plans: PlanBody[] = [];
    const played = play(policyWith({ limits: { ...policyWith().limits, retries: 0, plans: 2 } }), {
      ...willing,
      plan: (body: PlanBody) => {
        plans.push(body);
        return { value: planOf([{ criteria: [criterion('it is done')], tools: ['find_files'] }]) };
      },
      execute: () => did(called('find_files', 'x')),
      judge: judging('logical'),
    });
    expect(plans[1]?.must_not.tools).toEqual(['find_files']);
    expect(played.rejections).toEqual(['blocked_tool']);
    expect(played.result).toMatchObject({ directive: 'abandon', reason: 'planner_gave_up', replans: 1 });
    replayed(played);
  });

  it(
    'a plan that names no criterion of the task is judged by its intent: R4b has something ' +
      'to reject, and what it rejects is named (003 §R4b)',
    () => {
      const merged = (found: Found): Played =>
        play(policyWith({ ggs: { ...policyWith().ggs, max_replans: 1 } }), {
          ...willing,
          plan: () => ({ value: planOf([{ criteria: [criterion('it is done')] }]) }),
          merge: merging(found, 'ambiguous'),
        });
      const accepted = merged('pass');
      expect(
        accepted.asked
          .filter(({ kind }) => kind === 'merge')
          .map(({ body }) => (body as unknown as MergeBody).criteria),
      ).toEqual([[{ id: '0.t.0', text: 'write the report', mode: 'verifiable', hard: true, check: null }]]);
      expect(accepted.result).toMatchObject({ directive: 'accept', unmet: [] });
      const rejected = merged('logical');
      expect(rejected.result).toMatchObject({
        directive: 'abandon',
        unmet: [{ text: 'write the report', verdict: 'ambiguous', hard: true }],
      });
      replayed(rejected);
    },
  );

  it.each([
    ['truncated', ['ask_for_less', 'see_to']],
    ['error', ['see_to']],
  ] as const)('says what would help where the last call of failed work was %s', (status, codes) => {
    const played = play(policyWith({ ggs: { ...policyWith().ggs, max_replans: 1 } }), {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('it is found')], tools: ['find_files'] }]) }),
      execute: ({ subtask }: Attempted) => ({
        value: {
          status: 'failed',
          output: 'entry_limit',
          tool_calls: [called('find_files', subtask, 'a\n', { status })],
        } as never,
      }),
    });
    expect(played.result?.directive).toBe('abandon');
    expect(
      played.result?.next_moves.map(({ code }) => code).filter((code) => code !== 'more_budget'),
    ).toEqual(codes);
    expect(played.result?.next_moves.some(({ text }) => text.includes('(find_files '))).toBe(
      status === 'truncated',
    );
    replayed(played);
  });
});

describe('a hard criterion of the task', () => {
  it('stays one in every later plan: a plan that leaves it out is turned away (Law 0, law-G4)', () => {
    const played = play(policyWith(), {
      ...willing,
      plan: (body: PlanBody) => ({
        value: planOf(
          [{ criteria: [criterion('easy')], tools: [body.round === 0 ? 'write_file' : 'shell'] }],
          body.round === 0 ? [criterion('must hold', { hard: true })] : [],
        ),
      }),
      merge: merging('logical'),
    });
    expect(played.rejections).toEqual(['criterion_dropped', 'criterion_dropped']);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      why: 'criterion_dropped',
      unmet: [{ text: 'must hold', hard: true }],
    });
  });
});
