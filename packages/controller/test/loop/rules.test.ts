/**
 * Rules of the loops that no golden run shows by itself: each was written because nothing failed when the
 * rule was taken out.
 */
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, type MergeBody, type PlanBody } from '../../src/index.js';
import type { Recall } from '../../src/memory/recall.js';
import {
  called,
  criterion,
  judging,
  merging,
  planOf,
  play,
  policyWith,
  replayed,
  TASK,
  did,
  willing,
  type Attempted,
  type Cast,
  type Played,
} from '../lib/playing.js';

const oneRound = policyWith({ ggs: { ...defaultPolicy.ggs, max_replans: 1 } });
const asked = (played: Played, kind: string, round = 0): number =>
  played.asked.filter(
    ({ body, kind: of }) =>
      of === kind && (body as unknown as { readonly subtask: string }).subtask.startsWith(`${round}.`),
  ).length;
const outcomes = (
  played: Played,
): readonly { readonly reason: string | null; readonly infrastructure: boolean }[] =>
  played.events.flatMap((event) =>
    event.t === 'message' && event.kind === 'SubTaskOutcome' ? [event.body] : [],
  );
const unmet = judging('logical');

describe('corrections', () => {
  it.each([0, 1, 2, 5])(
    'there are at most %i after the first attempt, whether the calls or the judge say no (dec-B7)',
    (retries) => {
      const policy = policyWith({
        limits: { ...defaultPolicy.limits, retries },
        ggs: { ...defaultPolicy.ggs, max_replans: 1 },
        guard: { triples: 0, oscillation: 0, same_rounds: 0 },
      });
      const judged = play(policy, { ...willing, judge: unmet });
      expect([asked(judged, 'call'), asked(judged, 'judge'), outcomes(judged)[0]?.reason]).toEqual([
        retries + 1,
        retries + 1,
        'criteria_unmet',
      ]);
      const claimed = play(policy, { ...willing, execute: () => did() });
      expect([asked(claimed, 'step'), asked(claimed, 'judge'), outcomes(claimed)[0]?.reason]).toEqual([
        retries + 1,
        0,
        'nothing_was_done',
      ]);
      replayed(judged);
      replayed(claimed);
    },
  );
});

describe('what must not be used', () => {
  const recalled = (action: 'avoid' | 'exploit'): Recall => ({
    at_us: 1,
    tags: [
      {
        space: 'tool:write_file',
        entity: 'env:local',
        attention_nano: 2_000_000_000,
        decision_nano: action === 'avoid' ? -2_000_000_000 : 2_000_000_000,
        action,
      },
    ],
    rules: [],
    failures: [],
    left_out: { tags: 0, rules: 0 },
  });

  it('a plan with a tool that memory avoids is turned away, and one that it recommends is not (dec-M6)', () => {
    const policy = { ...oneRound, memory: true };
    const avoiding = play(policy, {
      ...willing,
      recall: () => ({ value: recalled('avoid') as unknown as Json }),
    });
    expect([avoiding.rejections, avoiding.result?.why]).toEqual([
      ['blocked_tool', 'blocked_tool'],
      'blocked_tool',
    ]);
    const exploiting = play(policy, {
      ...willing,
      recall: () => ({ value: recalled('exploit') as unknown as Json }),
    });
    expect([exploiting.rejections, exploiting.result?.directive]).toEqual([[], 'accept']);
  });
});

describe('what R4b has not passed is no success, however near it is', () => {
  /**
   * Nine criteria of a sub-task are met and one of the task is not, none of them hard: D = 1/10, well within
   * delta.
   */
  const near: Cast = {
    ...willing,
    plan: () => ({
      value: planOf(
        [{ criteria: Array.from({ length: 9 }, (_, index) => criterion(`part ${index}`)) }],
        [criterion('it says what was asked')],
      ),
    }),
    execute: ({ subtask }: Attempted) => did(called('write_file', `report-${subtask.split('.')[0]}`)),
  };
  const rejecting = merging('environmental');

  it.each([
    ['a rejection', rejecting],
    [
      'no verdict, since R4b ran out of time',
      () => ({ failure: { code: 'timeout' as const, final: true, detail: null } }),
    ],
    ['no verdict, since R4b said nothing that can be read', () => ({ value: 'fine' })],
  ])('%s: the task goes on, and ends as abandoned', (_, merge) => {
    const played = play(oneRound, { ...near, merge });
    const evaluations = played.events.flatMap((event) =>
      event.t === 'message' && event.kind === 'PlanDirective' ? [event.body.evaluation] : [],
    );
    expect(evaluations).toMatchObject([
      { D: { exact: '1/10' }, distance_floor: 'r4b_rejected', directive: 'change_path' },
    ]);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'omega',
      loss: { D: { exact: '1/10' } },
      unmet: [{ text: 'it says what was asked' }],
    });
    replayed(played);
  });

  it('and it is told to R7 alone, never to the planner (002 "Key Invariants")', () => {
    const said = [willing, { ...near, merge: rejecting }, { ...willing, judge: unmet }].flatMap((cast) =>
      play(oneRound, cast).events.flatMap((event) =>
        event.t === 'message' && event.from === 'R4b' ? [`${event.to} ${event.kind}`] : [],
      ),
    );
    expect([...new Set(said)].toSorted()).toEqual(['R7 OutcomeSummary', 'R7 ReplanRequest']);
  });

  it('what it is asked are the criteria of the task, as the plan names them', () => {
    const [body] = play(oneRound, near)
      .asked.filter(({ kind }) => kind === 'merge')
      .map((request) => request.body as unknown as MergeBody);
    expect(body?.criteria).toEqual([{ id: '0.t.0', ...criterion('it says what was asked') }]);
  });
});

describe('a planner that plans anew', () => {
  const hard = (text: string): ReturnType<typeof criterion> => criterion(text, { hard: true });
  const first = [hard('it says what was asked'), criterion('it is short'), hard('it is signed')];
  const keeping = (given: (body: PlanBody) => Json): Cast => ({
    ...willing,
    plan: (body: PlanBody) => ({ value: given(body) }),
    judge: unmet,
  });
  const plan = (round: number, task: readonly ReturnType<typeof criterion>[]): Json =>
    planOf(
      [{ criteria: [criterion('it is there')], tools: ['write_file', 'find_files'].slice(0, round + 1) }],
      task,
    );
  const kept = (played: Played): readonly (readonly string[])[] =>
    played.asked
      .filter(({ kind }) => kind === 'plan')
      .map(({ body }) => (body as unknown as PlanBody).keep.map(({ id, text }) => `${id} ${text}`));

  it(
    'is told the hard criteria that it named, by the ids of the plan before, and nothing in ' +
      'the first round (Law 0)',
    () => {
      const played = play(
        policyWith({
          limits: { ...defaultPolicy.limits, retries: 0 },
          ggs: { ...defaultPolicy.ggs, max_replans: 2 },
        }),
        keeping(({ round, keep }) =>
          plan(round, round === 0 ? first : keep.map(({ text }) => hard(text)).toReversed()),
        ),
      );
      expect([kept(played), played.rejections]).toEqual([
        [
          [],
          ['0.t.0 it says what was asked', '0.t.2 it is signed'],
          ['1.t.0 it is signed', '1.t.1 it says what was asked'],
        ],
        [],
      ]);
      replayed(played);
    },
  );

  it('is told them in the third round by what the second kept, with what it added', () => {
    const policy = policyWith({
      limits: { ...defaultPolicy.limits, retries: 0 },
      ggs: { ...defaultPolicy.ggs, max_replans: 3 },
      guard: { triples: 0, oscillation: 0, same_rounds: 0 },
    });
    const played = play(policy, {
      ...keeping(({ round, keep }) =>
        planOf(
          [{ criteria: [criterion('it is there')], tools: ['write_file'] }],
          round === 0 ? [hard('a')] : [hard(`new ${round}`), ...keep.map(({ text }) => hard(text))],
        ),
      ),
      judge: judging('environmental'),
    });
    expect(kept(played).slice(0, 3)).toEqual([[], ['0.t.0 a'], ['1.t.0 new 1', '1.t.1 a']]);
  });

  it('what it is told is what is held against it: one that it leaves out turns the plan away', () => {
    const played = play(
      policyWith({ limits: { ...defaultPolicy.limits, retries: 0, plans: 1 } }),
      keeping(({ round, keep }) =>
        plan(round, round === 0 ? first : keep.slice(1).map(({ text }) => hard(text))),
      ),
    );
    expect([played.rejections, played.result?.why]).toEqual([[], 'criterion_dropped']);
  });
});

describe('a task', () => {
  it(
    'carries no criteria: a perceiver that names some is turned away, and the planner ' +
      'derives them all (002 "Key Invariants")',
    () => {
      const played = play(policyWith(), {
        ...willing,
        perceive: (_: unknown, turn: number) => ({
          value: turn === 0 ? ({ ...(TASK as object), success_criteria: ['it is there'] } as Json) : TASK,
        }),
      });
      expect([played.rejections, played.result?.directive]).toEqual([['bad_task'], 'accept']);
      expect(
        played.asked
          .filter(({ kind }) => kind === 'plan')
          .map(({ body }) => Object.keys((body as unknown as PlanBody).task).toSorted()),
      ).toEqual([['constraints', 'intent', 'label']]);
    },
  );
});

describe('what R7 tells memory', () => {
  it('of three inputs that failed in one round it tells each by itself (002 "Key Invariants")', () => {
    const files = ['a', 'b', 'c'];
    const played = play(
      { ...oneRound, limits: { ...defaultPolicy.limits, retries: 0 } },
      {
        ...willing,
        execute: () => did(...files.map((file) => called('write_file', file, '', { status: 'error' }))),
      },
    );
    const told = played.events.flatMap((event) =>
      event.t === 'message' && event.kind === 'Megram' ? event.body.megrams : [],
    );
    expect(
      told.filter(({ state }) => state === 'change_path').map(({ space, entity }) => `${space} ${entity}`),
    ).toEqual(['tool:write_file path:a', 'tool:write_file path:b', 'tool:write_file path:c']);
  });
});

describe('loops', () => {
  /**
   * Two sub-tasks in each round: one does the same and is met, the other fails for its surroundings, where
   * `isCloser` at one criterion less each time.
   */
  const closer = (isCloser: boolean): Cast => ({
    ...willing,
    plan: () => ({
      value: planOf([
        { criteria: [criterion('it moved')], tools: ['shell'] },
        { criteria: ['a', 'b', 'c', 'd', 'e'].map((text) => criterion(text)) },
      ]),
    }),
    execute: ({ subtask }: Attempted) =>
      did(subtask.endsWith('.0') ? called('shell', 'mv a b') : called('write_file', 'try')),
    judge: judging((index, { subtask }) =>
      subtask.endsWith('.0') || (isCloser && index <= Number(subtask.split('.')[0]))
        ? 'pass'
        : 'environmental',
    ),
  });
  const patient = policyWith({
    limits: { ...defaultPolicy.limits, retries: 0 },
    ggs: { ...defaultPolicy.ggs, max_replans: 20, delta: 0 },
  });

  it('rounds that do the same, with the same results, are stopped, and not where the policy says never', () => {
    const standing: Cast = {
      ...closer(false),
      execute: ({ subtask }: Attempted) =>
        subtask.endsWith('.0')
          ? did(called('shell', 'mv a b'))
          : { failure: { code: 'unavailable', final: true, detail: null } },
    };
    const guarded = (same_rounds: number): Played =>
      play(
        {
          ...patient,
          guard: { triples: 0, oscillation: 0, same_rounds },
          ggs: { ...patient.ggs, max_replans: 6 },
        },
        standing,
      );
    expect([guarded(2).result, guarded(0).result]).toMatchObject([
      { directive: 'abandon', reason: 'no_op_loop', replans: 2 },
      { directive: 'abandon', reason: 'omega' },
    ]);
  });

  it('what repeats is stopped, and not where each round came closer (B.3 item 2: progress, not counts)', () => {
    expect(play(patient, closer(false)).result).toMatchObject({
      directive: 'abandon',
      reason: 'no_op_loop',
    });
    expect(play(patient, closer(true)).result).toMatchObject({
      directive: 'accept',
      reason: 'all_criteria_met',
    });
  });
});
