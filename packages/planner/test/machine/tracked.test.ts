/** A plan that people carry out: what each task came to, and what follows. Source: dec-K80; specs D.8 E7. */
import { advance, openRequests, openRun, orThrow, type Json, type JsonObject } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { defaultPolicy, planner, type Bodies, type PlannerEvent } from '../../src/index.js';
import { parsePlan } from '../../src/schedule/index.js';
import { planAnswer, planGoal } from '../../src/shell/index.js';
import { agentPlan } from '../../tools/examples.js';

type Said = { readonly amounts?: readonly (readonly [string, number])[]; readonly minutes?: number };

/** Opens a plan, to be answered task by task. */
function track(file: JsonObject) {
  const { constraints, split } = planGoal(file, orThrow(parsePlan(file)));
  const policy = { ...defaultPolicy, mode: 'track', extract: false, survey: false } as unknown as Json;
  const input = { goal: 'a goal', modality: 'text', constraints, suggestions: [], strikes: [] };
  let step = orThrow(
    openRun(planner, { run_id: 'tracked', ts_base: 'T', policy, input: input as unknown as Json }),
  );
  const events: PlannerEvent[] = [];
  const give = (id: string, source: 'human' | 'rule' | 'live_model', value: Json): string | null => {
    const proposal = { source, proposer: source, confidence: null, failure: null, at_us: null, spent: {} };
    step = orThrow(advance(step.run, { ...proposal, request_id: id, value, cites: [], provenance: {} }));
    for (const { kind, payload } of step.records)
      if (kind === 'decision')
        events.push(...(payload as unknown as { readonly events: readonly PlannerEvent[] }).events);
    return step.rejection?.code ?? null;
  };
  const open = () => openRequests(step.run).filter(({ kind }) => kind === 'done');
  const [goal] = openRequests(step.run);
  give(goal?.id ?? '', 'rule', planAnswer('resolve', goal?.body ?? null, split));
  return {
    events,
    give,
    open,
    tasks: () => open().map(({ body }) => (body as Bodies['done']).task),
    state: () => step.run.state,
    ended: () => step.run.state.ending,
    say: (task: string, { amounts = [], minutes }: Said = {}, source: 'human' | 'live_model' = 'human') => {
      const request = open().find(({ body }) => (body as Bodies['done']).task === task);
      return give(request?.id ?? 'none', source, { amounts, minutes: minutes ?? null, note: '' } as Json);
    },
  };
}

const E1 = agentPlan() as JsonObject;
const tasksOf = (file: JsonObject) => file['tasks'] as readonly JsonObject[];
const changed = (id: string, change: (task: JsonObject) => JsonObject): JsonObject => ({
  ...E1,
  tasks: tasksOf(E1).map((task) => (task['id'] === id ? change(task) : task)),
});

/** E1 up to the second surprise: t4 came to 7,000, and t7 to 14,000. */
function surprised(file: JsonObject) {
  const run = track(file);
  for (const task of ['t1', 't2', 't3']) run.say(task);
  run.say('t4', { amounts: [['cost', 7_000]] });
  expect(run.state().replans).toBe(0);
  for (const task of ['t5', 't6']) run.say(task);
  run.say('t7', { amounts: [['cost', 14_000]], minutes: 200 });
  return run;
}

describe('a plan that people carry out', () => {
  it('E7: what is left is planned again once, and the run ends when all is done', () => {
    const run = surprised(E1);
    expect([run.state().replans, run.tasks()]).toEqual([1, ['t8']]);
    expect(run.events.filter(({ t }) => t === 'repaired').at(-1)).toMatchObject({ changes: [['t8', 'b']] });
    expect(run.open()[0]?.body).toMatchObject({
      approach: { id: 'b' },
      rows: [{ estimate: [9_000, 15_000, 26_000] }],
    });
    run.say('t8', { amounts: [['cost', 15_400]] });
    run.say('t9');
    expect(run.ended()).toEqual({ status: 'success', reasons: [] });
    const actuals = run
      .state()
      .plans.get('goal')
      ?.actuals.map((each) => [each?.amounts[0]?.[1], each?.done]);
    expect(actuals).toEqual(
      [500, 1_000, 1_500, 7_000, 6_000, 3_000, 14_000, 15_400, 500].map((n) => [n, true]),
    );
  });

  it('E7 without another way: told with the least raise, and refused once all is done', () => {
    const run = surprised(
      changed('t8', (task) => ({ ...task, alternatives: [(task['alternatives'] as Json[])[0] ?? null] })),
    );
    expect(run.state().judged?.['least_raise']).toMatchObject({ alone: [{ id: 'cost', by: 2_501 }] });
    expect([run.ended(), run.tasks()]).toEqual([null, ['t8']]);
    run.say('t8');
    run.say('t9');
    expect(run.ended()).toEqual({ status: 'refused', reasons: ['cap_unreachable'] });
  });

  it('a task is open once what it follows is done, is answered once, and only by a person', () => {
    const run = track(E1);
    expect(run.tasks()).toEqual(['t1', 't2']);
    for (const { accepts } of run.open()) expect(accepts).toEqual(['human']);
    expect(run.say('t1', {}, 'live_model')).toBe('source_not_accepted');
    expect(run.say('t1', { amounts: [['hosting', 1]] })).toBe('unknown_name');
    const [first] = run.open();
    expect(run.give(first?.id ?? '', 'human', { amounts: [['cost', -1]], minutes: null, note: '' })).toBe(
      'bad_done',
    );
    const done = { amounts: [], minutes: null, note: '' };
    const [, second] = run.open();
    expect(run.give(second?.id ?? '', 'human', done)).toBe(null);
    expect(run.give(second?.id ?? '', 'human', done)).toBe('not_open');
  });

  it('a task that is open and not done is planned otherwise, and asked anew', () => {
    const run = track({ ...E1, tasks: tasksOf(E1).map((task) => ({ ...task, after: [] })) });
    const ids = run.open().map(({ id }) => id);
    run.say('t5', { amounts: [['cost', 12_000]] });
    expect([run.state().replans, run.tasks().length]).toEqual([1, 8]);
    const anew = run.open().filter(({ id }) => !ids.includes(id));
    expect(anew.map(({ body }) => body)).toMatchObject([{ task: 't4', approach: { id: 'a' } }]);
  });

  it('two tasks of one person break a deadline that neither breaks alone', () => {
    const task = (id: string): JsonObject => ({ id, minutes: 60, confidence: 900_000, uses: { jo: 1 } });
    const run = track({
      plan: 1,
      renewable: { jo: 1 },
      deadline: { op: '<=', minutes: 150 },
      tasks: [task('a'), task('b')],
    });
    run.say('a', { minutes: 100 });
    expect(run.state().judged?.['least_raise']).toMatchObject({ alone: [{ id: 'deadline', by: 10 }] });
    run.say('b', { minutes: 50 });
    expect(run.ended()).toEqual({ status: 'success', reasons: [] });
  });
});
