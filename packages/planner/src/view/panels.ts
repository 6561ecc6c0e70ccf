/**
 * The panels of a planner's run. Names of tasks, rows and approaches come from evidence and are quoted. Source:
 * explorer/X5.
 */
import { isArray, isObject, type Json } from '@assay/kernel';
import { listObjects, readField } from '@assay/kernel/shape';
import type { Block, Fact, Panel, Piece, Row, Text, Tone } from '@assay/kernel/view';
import { remaining } from '../machine/node.js';
import { standing } from '../machine/planning.js';
import type { PlannerState } from '../machine/state.js';
import { repairPanel } from '../picture/repair.js';
import { fact, figure, grouped, texts } from '../picture/words.js';
import type { Held } from '../plan/plan.js';
import { rollup, makeSchedule } from '../rollup/rollup.js';
import type { PlannerFold } from './fold.js';
import { raisedIn, repairSaid } from './said.js';

type Span = Extract<Block, { readonly t: 'lanes' }>['spans'][number];

const LINES_TOLD = 4;
const TONES: Readonly<Record<string, Tone>> = { SAT: 'good', TIGHT: 'open', UNKNOWN: 'open', UNSAT: 'bad' };

/** Text of evidence. */
export function quoted(text: string): Text {
  return [{ said: text }];
}

/** A number of what a row or the clock counts. */
function count(n: number): { readonly n: number; readonly unit: 'count'; readonly exact: null } {
  return { n, unit: 'count', exact: null };
}

/** The tasks in time, and the critical path. */
export function ganttPanel(state: PlannerState): readonly Panel[] {
  if (!state.plans.has(state.root)) return [];
  const plan = standing(state, state.root);
  const times = makeSchedule(plan, null);
  const critical = new Set(times.critical);
  const spans = plan.tasks.map(({ id, approaches }, at): Span => {
    const label: readonly Piece[] = [{ said: `${id}.${approaches[0]?.id ?? ''}` }];
    return {
      record: null,
      lane: at,
      from: times.earliestStart[at] ?? 0,
      to: times.earliestFinish[at] ?? 0,
      label,
      tone: critical.has(at) ? 'open' : 'plain',
    };
  });
  return [
    {
      id: 'gantt',
      title: 'Tasks in time',
      says: `${times.length} minutes. Tasks of the critical path stand out. Waiting for whole levels takes ${times.barrier}.`,
      page: 'overview',
      left_out: 0,
      block: {
        t: 'lanes',
        axis: { label: 'minutes', unit: 'count' },
        lanes: plan.tasks.map(({ title }, at) => ({
          name: quoted(title),
          note: `slack ${times.totalSlack[at] ?? 0}`,
        })),
        spans,
        arrows: [],
      },
    },
  ];
}

/** Money of the run: spent, held for open requests, left. */
export function budgetPanel(state: PlannerState): readonly Panel[] {
  if (state.units.length === 0) return [];
  const sums = state.units.map(() => ({ spent: 0, reserved: 0, left: 0 }));
  for (const [, { account }] of state.nodes)
    for (const [unit, left] of remaining(account).entries()) {
      const sum = sums[unit];
      if (sum === undefined) continue;
      sum.spent += account.spent[unit] ?? 0;
      sum.reserved += account.reserved[unit] ?? 0;
      sum.left += left;
    }
  return [
    {
      id: 'budget',
      title: 'Budget of this run',
      says: 'What was granted is spent, reserved or left.',
      page: 'overview',
      left_out: 0,
      block: {
        t: 'stack',
        unit: 'count',
        parts: ['spent', 'reserved', 'left'],
        limits: [],
        rows: state.units.map((unit, at) => {
          const { spent = 0, reserved = 0, left = 0 } = sums[at] ?? {};
          return {
            record: null,
            label: quoted(unit),
            values: [spent, reserved, Math.max(0, left)],
            total: spent + reserved + left,
            tag: '',
            tone: left < 0 ? ('bad' as const) : ('plain' as const),
            note: left < 0 ? 'overdrawn' : '',
          };
        }),
      },
    },
  ];
}

/** What the plan comes to against its first caps, in a sentence. */
export function describeStanding(state: PlannerState): Text {
  if (!state.plans.has(state.root)) return '';
  const plan = standing(state, state.root);
  const lines = rollup(plan).lines.filter(({ total }) => total !== null);
  return lines
    .slice(0, LINES_TOLD)
    .flatMap(({ id, total, held }, index): readonly Piece[] => [
      index === 0 ? '' : ' · ',
      { said: id },
      ` ${total?.[1] ?? 0} ${held.op} ${held.bound} `,
      { said: held.unit },
    ]);
}

/** Every constraint of the root's plan: where it stands, by how much. */
export function linesPanel(state: PlannerState): readonly Panel[] {
  if (!state.plans.has(state.root)) return [];
  const plan = standing(state, state.root);
  const before = at(state.judged, 'before');
  const rows = rollup(plan).lines.map(({ id, status, total, slack, held }): Row => {
    const first = isArray(before) ? before.find((line) => isObject(line) && line['id'] === id) : undefined;
    const was = at(first ?? null, 'status');
    return {
      record: null,
      cells: [
        quoted(id),
        typeof was === 'string' && was in TONES ? was : null,
        status,
        total === null ? null : count(total[1]),
        [`${held.op} ${held.bound} `, { said: held.unit }],
        slack === null ? null : count(slack),
      ],
      tone: TONES[status] ?? 'plain',
    };
  });
  return [
    {
      id: 'lines',
      title: 'Caps, figures and the deadline',
      says: 'As first planned, and as it stands. Slack below zero is the cut that is needed.',
      page: 'decision',
      left_out: 0,
      block: { t: 'table', columns: ['constraint', 'first', 'now', 'mid', 'bound', 'slack'], rows },
    },
  ];
}

/** The tasks of the plan: approach, estimate, slack, waterfall of the cost row. */
export function tasksPanel(state: PlannerState): readonly Panel[] {
  const found = state.plans.get(state.root);
  if (found === undefined) return [];
  const plan = standing(state, state.root);
  const times = makeSchedule(plan, plan.deadline);
  const { cost } = plan;
  let used = 0;
  const rows = plan.tasks.map(({ id, approaches }, place): Row => {
    const [now] = approaches;
    const first = found.plan.tasks[place]?.approaches[0];
    const amount = cost === null ? null : (now?.amounts[cost]?.[1] ?? 0);
    used += amount ?? 0;
    return {
      record: null,
      cells: [
        quoted(id),
        quoted(now?.id ?? ''),
        amount === null ? null : count(amount),
        amount === null ? null : count(used),
        cost === null ? null : count(first?.amounts[cost]?.[1] ?? 0),
        count(times.earliestStart[place] ?? 0),
        count(now?.minutes[1] ?? 0),
        count(times.totalSlack[place] ?? 0),
        count(times.freeSlack[place] ?? 0),
        { n: now?.confidence ?? 0, unit: 'ppm', exact: null },
      ],
      tone: (found.actuals[place] ?? null) !== null ? 'faint' : 'plain',
    };
  });
  return [
    {
      id: 'tasks',
      title: 'Tasks',
      says: 'Cost and minutes by mid estimate, or by what they came to; total runs down the list.',
      page: 'decision',
      left_out: 0,
      block: {
        t: 'table',
        columns: ['task', 'approach', 'cost', 'total', 'first', 'start', 'minutes', 'slack', 'free', 'sure'],
        rows,
      },
    },
  ];
}

/** The value under keys and places of JSON; null where there is none. */
export function at(value: Json, ...path: readonly (string | number)[]): Json {
  return path.reduce<Json>((here, key) => {
    if (typeof key === 'number') return isArray(here) ? (here[key] ?? null) : null;
    return readField(here, key);
  }, value);
}

function textIn(value: Json): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The minimal core of each broken constraint, in words. */
export function corePanel({ judged }: PlannerState, { report }: PlannerFold): readonly Panel[] {
  const cores = listObjects(at(judged, 'cores'));
  const best = at(judged, 'core_best');
  if (cores.length === 0 && best === null) return [];
  const names = (value: Json): string => (isArray(value) ? value.map(textIn).join(', ') : '');
  const rows = cores.map(
    (core): Row => ({
      record: report?.record ?? null,
      cells: [
        quoted(names(at(core, 'constraints'))),
        quoted(objectsOrPairs(at(core, 'amounts'))),
        'as it was planned',
      ],
      tone: 'bad',
    }),
  );
  const rest: readonly Row[] =
    best === null
      ? []
      : [
          {
            record: report?.record ?? null,
            cells: [
              quoted(names(at(best, 'constraints'))),
              quoted(names(at(best, 'tasks'))),
              'with the best approaches',
            ],
            tone: 'bad',
          },
        ];
  return [
    {
      id: 'core',
      title: 'Why it does not fit',
      says: 'The fewest tasks that break a constraint; leave one out and it holds.',
      page: 'decision',
      left_out: 0,
      block: { t: 'table', columns: ['constraint', 'tasks', 'which'], rows: [...rows, ...rest] },
    },
  ];
}

function objectsOrPairs(value: Json): string {
  return isArray(value)
    ? value.map((pair) => (isArray(pair) ? pair.map((part) => textIn(part)).join(' ') : '')).join(' + ')
    : '';
}

/** The repair that is taken, why not a cheaper one, or by how much the caps must grow. */
export function repairPanels(state: PlannerState): readonly Panel[] {
  const said = repairSaid(state);
  const plan = state.plans.get(state.root)?.plan;
  if (said === null || plan === undefined) return [];
  const raised = raisedIn(state.judged);
  const proven = at(state.judged, 'least_raise', 'proven') === true;
  const line = (id: string): Pick<Held, 'id' | 'unit'> =>
    plan.rows.find((row) => row.id === id) ?? { id, unit: 'minutes' };
  const rows = raised.map(({ id, to, by }) =>
    fact(id, texts(figure(to, line(id)), `, ${grouped(by)} more`), 'open'),
  );
  return [
    { ...repairPanel(plan, said), page: 'decision' },
    ...(rows.length === 0
      ? []
      : [
          {
            id: 'raise',
            title: 'Least raise',
            says: proven ? 'the least, proven' : 'the least that was found',
            page: 'decision' as const,
            left_out: 0,
            block: { t: 'facts' as const, rows },
          },
        ]),
  ];
}

/** Open questions and what nobody checks. */
export function resultPanel(state: PlannerState, { report }: PlannerFold): Panel {
  const record = report?.record ?? null;
  const plan = state.plans.get(state.root);
  const rows: readonly Fact[] = [
    { record, name: 'goals', value: count(state.made), tone: 'plain' },
    { record, name: 'planned again', value: count(state.replans), tone: 'plain' },
    { record, name: 'calls over their bound', value: count(state.overruns), tone: 'plain' },
    ...(plan?.unchecked ?? []).map(
      (id): Fact => ({
        record,
        name: 'not checked',
        value: quoted(id),
        tone: 'open',
      }),
    ),
    ...state.questions.map((text): Fact => ({ record, name: 'question', value: quoted(text), tone: 'open' })),
  ];
  return {
    id: 'result',
    title: 'What is open, and how often',
    says: 'Questions, constraints that nothing checks, and counts.',
    page: 'result',
    left_out: 0,
    block: { t: 'facts', rows },
  };
}
