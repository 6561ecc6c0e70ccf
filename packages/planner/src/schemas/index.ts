/**
 * Schemas of plan files and of what `assay check` prints: shapes, published as JSON Schema.
 *
 * @packageDocumentation
 */
import {
  anyOf,
  closed,
  flag,
  integer,
  lazy,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  sized,
  table,
  text,
  type Shape,
} from '@assay/kernel/shape';
import type { Published } from '@assay/kernel/schemas';
import { LINK_KINDS } from '../network/schedule.js';
import { DAY_HOURS, MILLION, planLimits, TOTAL_MAX } from '../plan/plan.js';

// Pairs and triples are lists of one length: validators of older drafts know no tuples.
const times = <T>(count: number, item: Shape<T>): Shape<readonly T[]> =>
  list(item, ({ length }) => length === count, { min: count, max: count });
const upTo = <T>(max: number, item: Shape<T>, min = 0): Shape<readonly T[]> =>
  list(item, ({ length }) => length >= min && length <= max, min > 0 ? { min, max } : { max });
const any = text();
const caps = oneOf(['<', '<=']);
const operators = oneOf(['<', '<=', '>', '>=']);

const name = matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const prose = sized(0, 4_000);
const amount = integer(0, TOTAL_MAX);
/** `20,000 EUR`, `2 weeks`, `80%`, `2027-03-01`. */
const quantity = sized(1, 100);
const bound = anyOf(amount, quantity);
const figure = anyOf(number(0, TOTAL_MAX), quantity);
const estimate = anyOf(figure, times(3, figure));
const amounts = table(() => true, estimate);
const held = { unit: prose, margin: integer(0, MILLION), hard: flag };
const counts = table(() => true, integer(1, TOTAL_MAX));
const people = anyOf(sized(1, 64), list(sized(1, 64)), counts);
const way = {
  minutes: anyOf(amount, times(3, amount)),
  duration: anyOf(quantity, times(3, quantity)),
  confidence: anyOf(number(0, MILLION), quantity),
  method: prose,
  amounts,
  metrics: amounts,
  people,
  uses: table(() => true, amount),
};
const lag = anyOf(integer(-TOTAL_MAX, TOTAL_MAX), quantity);

/** A plan file, as a person or a program writes it. Source: dec-K87; format: docs/formats/plan.md. */
const planSchema: Shape = open(
  {
    plan: oneOf([1]),
    tasks: upTo(
      planLimits.tasks,
      open(
        { id: name },
        {
          title: prose,
          kind: name,
          after: anyOf(
            name,
            upTo(planLimits.tasks, anyOf(name, open({ task: name }, { link: oneOf(LINK_KINDS), lag }))),
          ),
          approach: name,
          ...way,
          alternatives: upTo(planLimits.alternatives, open({ id: name }, way)),
        },
      ),
      1,
    ),
  },
  {
    goal: prose,
    start: sized(1, 100),
    hours_per_day: integer(1, DAY_HOURS),
    people,
    rows: upTo(planLimits.rows, open({ id: name }, { cap: bound, op: caps, default: figure, ...held })),
    metrics: upTo(planLimits.metrics, open({ id: name, task: name, bound }, { op: operators, ...held })),
    couplings: upTo(
      planLimits.couplings,
      open(
        {
          id: name,
          tasks: times(2, name),
          bound,
          values: list(times(3, anyOf(name, figure))),
        },
        { op: operators, ...held },
      ),
    ),
    deadline: nullable(
      anyOf(quantity, open({ minutes: bound }, { op: caps, margin: held.margin, hard: flag })),
    ),
    cost: name,
    renewable: table(() => true, amount),
  },
);

const whole = integer(Number.MIN_SAFE_INTEGER);
const ids = list(any);
const status = oneOf(['SAT', 'TIGHT', 'UNSAT', 'UNKNOWN']);
const span = times(3, whole);
const choice = list(times(2, any));
const figures = list(times(2, anyOf(any, whole)));
const standing = { status, total: nullable(span), slack: nullable(whole) };
const key = { changes: choice, confidence: whole, cost: whole, effort: whole };

const certificate: Shape = lazy(() =>
  anyOf(
    closed({ weights: figures, unit: integer(0) }),
    closed({ coupling: any, tasks: times(2, any) }),
    closed({ task: any, parts: list(times(2, anyOf(ids, certificate))) }),
  ),
);

const claim = closed({
  about: any,
  objective: nullable(oneOf(['substitutions', 'cost', 'effort'])),
  bounds: open({}, { substitutions: whole, confidence: whole, cost: whole, effort: whole }),
  part: nullable(closed({ constraints: ids, tasks: ids, current: flag })),
  claim: anyOf(closed({ kind: oneOf(['unsat']) }), closed({ kind: oneOf(['at_least']), value: whole })),
  certificate,
});

const grown = { id: any, to: whole, by: whole, share: nullable(times(2, whole)) };
const alone = closed({
  ...grown,
  to: nullable(whole),
  by: nullable(whole),
  changes: choice,
  proven: flag,
  certificate: nullable(certificate),
});
const joint = nullable(
  closed({
    caps: list(closed(grown)),
    changes: choice,
    proven: flag,
    largest: nullable(certificate),
    steps: list(anyOf(oneOf(['sum']), closed({ cap: any, at: whole }), certificate)),
  }),
);

/**
 * What `assay check --json` prints, and the tool `plan_check` answers. `next`: the command, as words, that tries
 * the caps it needs.
 */
const planCheckFields = {
  plan: any,
  said: closed({ verdict: any, subject: any, because: any }),
  status,
  tasks: whole,
  combinations: matching(/^[1-9][0-9]*$/),
  constraints: list(
    closed({
      id: any,
      kind: oneOf(['row', 'work', 'metric', 'coupling', 'deadline']),
      unit: any,
      op: operators,
      bound: whole,
      hard: flag,
      ...standing,
      exposed: flag,
      hopeless: flag,
      repaired: nullable(closed(standing)),
    }),
  ),
  schedule: closed({ length: span, barrier: whole, critical: ids, zero_slack: ids }),
  cores: list(closed({ constraint: any, tasks: figures })),
  survey: ids,
  exits: ids,
  missing: list(closed({ constraint: any, approaches: ids })),
  repair: nullable(
    anyOf(
      closed({
        label: oneOf(['exact', 'optimal', 'bounded']),
        ...key,
        unfinished: nullable(any),
        bound: nullable(whole),
      }),
      closed({ label: oneOf(['none', 'open']) }),
    ),
  ),
  next_repairs: list(closed(key)),
  next_complete: flag,
  raise: nullable(closed({ alone: list(alone), joint })),
  core_best: nullable(closed({ constraints: ids, tasks: ids, minimal: flag })),
  needed: list(closed({ id: any, op: caps, bound: whole })),
  proofs: list(claim),
  next: list(ids),
};
const levelling = anyOf(
  closed({ label: oneOf(['not_held']) }),
  closed({ label: oneOf(['feasible']), length: whole, gap: whole, starts: figures }),
);
const planCheckSchema: Shape = open(planCheckFields, { levelling });

/** The published schemas of the planner by the name of their file. */
export const PLANNER_PUBLISHED: readonly Published[] = [
  [
    'plan',
    'Plan file',
    planSchema,
    [
      'a task and an alternative have either minutes or duration',
      'metrics and couplings have an op, or one within the text of their bound: at least 80 seats',
      'low is at most mid, mid at most high',
      'ids differ, and what is named is there; docs/formats/plan.md lists the codes',
      'tasks do not wait for each other in a circle',
    ],
  ],
  [
    'plan-check',
    'What assay check --json prints',
    planCheckSchema,
    ['each certificate proves its claim: docs/formats/plan.md'],
  ],
];
