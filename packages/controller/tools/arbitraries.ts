/**
 * Random controller runs: policies, and answers of every role that mostly fit and sometimes do not.
 *
 * @module
 */
import type { GenesisInput, Json, Request } from '@assay/kernel';
import type { MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import {
  defaultPolicy,
  type ControllerState,
  type CriterionDraft,
  type JudgeBody,
  type MergeBody,
  type PlanBody,
  type Policy,
  type StepBody,
  type Tool,
} from '../src/index.js';
import { defaultGgsPolicy } from '../src/ggs/policy.js';
import type { Body } from '../src/protocol/requests.js';
import type { Criterion } from '../src/protocol/criteria.js';
import { madeCalls, steps } from './arbitrary-calls.js';

const SCHEMA: Json = {
  type: 'object',
  properties: { path: { type: 'string', maxLength: 9 } },
  required: ['path'],
};
/** Tools of a random run: hostile to whoever indexes an object by them. */
export const TOOLS: readonly Tool[] = [
  tool('find_files', 'search'),
  tool('constructor', 'read'),
  tool('write_file', 'write', { holds: true }),
  tool('remove_file', 'write', { reversible: false }),
  tool('shell', 'shell', { again: false }),
];

function tool(name: string, of: Tool['class'], more: Partial<Tool> = {}): Tool {
  return { name, class: of, reversible: true, holds: false, again: true, schema: SCHEMA, ...more };
}

const TEXTS: readonly string[] = [
  'the report is there',
  '__proto__',
  'ü\u2028\u{1f600}',
  'a',
  '<b>&',
  'x'.repeat(300),
];
const word = fc.constantFrom(...TEXTS);

/** Calls of a sub-task. */
const CALLS_MAX = 6;
/** A policy with few replans, so that runs end. */
export function policies(): fc.Arbitrary<Policy> {
  return fc
    .record({
      clock: fc.constantFrom('asked' as const, 'stamps' as const),
      memory: fc.boolean(),
      max_replans: fc.integer({ min: 1, max: 3 }),
      retries: fc.integer({ min: 0, max: 2 }),
      attempts: fc.integer({ min: 1, max: 2 }),
      basis: fc.constantFrom('task' as const, 'loss' as const),
      triples: fc.constantFrom(0, 3),
    })
    .map(({ clock, memory, max_replans, retries, attempts, basis, triples }) => ({
      ...defaultPolicy,
      clock,
      memory,
      tools: TOOLS,
      limits: {
        ...defaultPolicy.limits,
        subtasks: 4,
        criteria: 4,
        retries,
        attempts,
        plans: attempts,
        steps: attempts,
        calls: CALLS_MAX,
      },
      guard: { ...defaultPolicy.guard, triples },
      ggs: { ...defaultGgsPolicy, max_replans, gradient_basis: basis },
    }));
}

/** A run that opens. */
export function genesis(): fc.Arbitrary<GenesisInput> {
  return fc.record({ policy: policies(), text: word, turns: fc.nat(2) }).map(({ policy, text, turns }) => ({
    run_id: 'random',
    ts_base: 'T',
    policy: policy as unknown as Json,
    input: {
      text,
      session: Array.from({ length: turns }, (_, index) => ({ input: `turn ${index}`, summary: 'done' })),
      deadline_us: null,
    },
  }));
}

const drafts = fc.array(
  fc.record({
    text: word,
    mode: fc.constantFrom('verifiable' as const, 'plausible' as const),
    hard: fc.boolean(),
    check: fc.constantFrom<Json>(null, { a: 0.5 }),
  }) as fc.Arbitrary<CriterionDraft>,
  { minLength: 1, maxLength: 3 },
);
const used = fc.uniqueArray(
  fc.oneof(
    {
      weight: 19,
      arbitrary: fc.constantFrom('find_files', 'constructor', 'write_file', 'shell', 'remove_file'),
    },
    { weight: 1, arbitrary: fc.constantFrom('mdfind', 'unknown') },
  ),
  { minLength: 1, maxLength: 4 },
);
const plans = fc.record({
  follows: fc.constant([]),
  task_criteria: fc.oneof(drafts, fc.constant([])),
  subtasks: fc.array(
    fc.record({
      label: word,
      sequence: fc.integer({ min: 1, max: 3 }),
      intent: word,
      context: fc.constantFrom('', 'more'),
      success_criteria: drafts,
      tools: used,
      words: fc.nat(5).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const tasks = fc.record({
  label: fc.constantFrom('task', 'a_1'),
  intent: word,
  constraints: fc.record({
    scope: fc.constantFrom(null, 'here'),
    deadline_us: fc.constantFrom(null, 5_000_000),
  }),
  refers_to: fc.constantFrom(null, null, null, 0),
});
const tagged = {
  space: fc.constantFrom('tool:shell', 'tool:constructor', 'intent:x'),
  entity: fc.constantFrom('env:local', 'path:a.txt'),
};
const recalls = fc.record({
  at_us: fc.nat(9),
  tags: fc.array(
    fc.record({
      ...tagged,
      attention_nano: fc.constantFrom(0, 900_000_000),
      decision_nano: fc.constantFrom(-900_000_000, 0, 300_000_000),
      action: fc.constantFrom('ignore', 'exploit', 'avoid', 'caution'),
    }),
    { maxLength: 3 },
  ),
  rules: fc.array(
    fc.record({
      ...tagged,
      id: fc.constant('a'.repeat(64)),
      content: word,
      sigma_ppm: fc.constantFrom(1_000_000, -1_000_000),
    }),
    { maxLength: 2 },
  ),
  failures: fc.array(word, { maxLength: 1 }),
  left_out: fc.constant({ tags: 0, rules: 0 }),
});

function verdictsOn(
  criteria: readonly Criterion[],
  words: readonly string[],
  rests_on: readonly number[] | null,
): fc.Arbitrary<Json> {
  return fc
    .tuple(
      ...criteria.map(({ id }) =>
        fc
          .tuple(fc.constantFrom(...words), fc.constantFrom('logical', 'environmental'), word)
          .map(([verdict, failure_class, evidence]) => ({
            criterion: id,
            verdict,
            failure_class: verdict === 'pass' ? null : failure_class,
            evidence,
            ...(rests_on === null ? {} : { calls: rests_on }),
          })),
      ),
    )
    .map((list) => [...list]);
}

/** What a role may say to a request: mostly fit for it. */
export function answers(request: Request<Body>, state: ControllerState): fc.Arbitrary<Json> {
  const fit = fitting(request, state);
  return fc.oneof(
    { weight: 9, arbitrary: fit },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, {}, { t_us: -1 }, { verdicts: [] }, 0.5) },
  );
}

function fitting({ kind, body }: Request<Body>, state: ControllerState): fc.Arbitrary<Json> {
  switch (kind) {
    case 'clock':
      return fc.nat(400_000_000).map((t_us) => ({ t_us }));
    case 'perceive':
      return tasks as fc.Arbitrary<Json>;
    case 'recall':
      return recalls as fc.Arbitrary<Json>;
    case 'plan':
      return plans as unknown as fc.Arbitrary<Json>;
    case 'confirm':
      return fc.record({ approved: fc.boolean(), note: fc.constantFrom(null, 'go') });
    case 'step':
      return steps(body as StepBody, state);
    case 'call':
      return madeCalls as fc.Arbitrary<Json>;
    case 'judge': {
      const { criteria, rests_on } = body as JudgeBody;
      return verdictsOn(criteria, ['pass', 'pass', 'fail'], rests_on).map((verdicts) => ({
        verdicts,
        what_was_wrong: null,
        what_to_do: 'again',
      }));
    }
    case 'merge':
      return verdictsOn((body as MergeBody).criteria, ['pass', 'pass', 'fail', 'ambiguous'], null).map(
        (verdicts) => ({ merged_output: { all: 1 }, summary: 'done', verdicts }),
      );
    default:
      return fc.constant(null);
  }
}

/** Answers to bounded requests after which a run is closed at the latest, from its policy alone. */
export function boundOf({ policy }: GenesisInput): number {
  const { limits, ggs } = policy as unknown as Policy;
  // Rounds: the first, one more for each directive until Ω is 1, and one in literal mode (law-G6).
  const rounds = ggs.max_replans + 2;
  // A call: a move, the call, and up to three confirmations with the call after each. An attempt ends with a
  // move and a judgement.
  const perCall = limits.steps + 1 + 3 * 2;
  const perSubTask = limits.calls * perCall + (limits.retries + 1) * (limits.steps + limits.attempts);
  const perRound = limits.plans + limits.subtasks * perSubTask + limits.attempts + 2;
  return 2 + limits.attempts * 2 + rounds * perRound;
}

/** What `machineLaws` needs of the controller. */
export function controllerArbitraries(): MachineArbitraries<ControllerState, Body> {
  return { genesis: genesis(), answer: answers, stepsMax: 40, bound: boundOf };
}

const steadyTools = fc.uniqueArray(fc.constantFrom('find_files', 'constructor', 'write_file', 'shell'), {
  minLength: 1,
  maxLength: 3,
});
const steadyPlans = fc.record({
  follows: fc.constant([]),
  task_criteria: fc.array(
    fc.record({
      text: word,
      mode: fc.constantFrom('verifiable', 'plausible'),
      hard: fc.nat(9).map((n) => n === 0),
      check: fc.constant(null),
    }),
    { maxLength: 3 },
  ),
  subtasks: fc.array(
    fc.record({
      label: word,
      sequence: fc.integer({ min: 1, max: 2 }),
      intent: word,
      context: fc.constant(''),
      success_criteria: fc.array(
        fc.record({
          text: word,
          mode: fc.constantFrom('verifiable', 'plausible'),
          hard: fc.nat(9).map((n) => n === 0),
          check: fc.constant(null),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      tools: steadyTools,
      words: fc.constant(false),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/**
 * What keeps a run going: a plan keeps what it must, work does what its plan declared, and only verdicts are
 * left to chance.
 */
function steadyAnswers(request: Request<Body>, state: ControllerState): fc.Arbitrary<Json> {
  const { kind, body } = request;
  if (kind === 'plan') {
    const { keep, must_not } = body as PlanBody;
    const kept = keep.map(({ text }) => ({ text, mode: 'verifiable', hard: true, check: null }));
    const isFree = (name: string): boolean => !must_not.tools.includes(name);
    return steadyPlans.map(
      (plan) =>
        ({
          ...plan,
          task_criteria: [...kept, ...plan.task_criteria].slice(0, 4),
          subtasks: plan.subtasks.map((subtask) => ({
            ...subtask,
            tools: subtask.tools.some(isFree) ? subtask.tools.filter(isFree) : subtask.tools,
          })),
        }) as unknown as Json,
    );
  }
  if (kind === 'step') {
    const { subtask, seen } = body as StepBody;
    const names = state.plan?.subtasks.find(({ id }) => id === subtask)?.tools ?? [];
    const path = fc.constantFrom('a', 'b', 'c').map((file) => `${file}${seen.calls}`);
    const move = fc
      .constantFrom(...names)
      .chain((name) =>
        path.map((to): Json => ({ t: 'call', calls: [{ tool: name, input: { path: to } }], why: '' })),
      );
    return seen.calls === 0
      ? move
      : fc.oneof(move, fc.constant<Json>({ t: 'done', output: 'x', rests_on: [seen.calls - 1] }));
  }
  if (kind === 'call')
    return fc.constant({
      status: 'ok',
      code: null,
      why: null,
      output: 'done',
      output_bytes: 4,
      digest: null,
      target: 'a',
      irreversible: false,
      loses: null,
    });
  return kind === 'perceive'
    ? tasks.map(
        (task) =>
          ({ ...task, constraints: { scope: null, deadline_us: null }, refers_to: null }) as unknown as Json,
      )
    : fitting(request, state);
}

/** So long that no stamp of an answer uses it up. */
const STEADY_US = 1_000_000_000_000;

/** Runs that come far: several rounds, groups and corrections. */
export function steadyArbitraries(): MachineArbitraries<ControllerState, Body> {
  return {
    ...controllerArbitraries(),
    genesis: genesis().map((drawn) => ({
      ...drawn,
      policy: {
        ...(drawn.policy as unknown as Policy),
        ggs: { ...(drawn.policy as unknown as Policy).ggs, max_replans: 3, time_budget_us: STEADY_US },
      } as unknown as Json,
    })),
    answer: steadyAnswers,
  };
}
