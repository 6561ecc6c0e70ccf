/**
 * The screen of a plan: what it comes to in a sentence, its limits, what is changed, when its tasks are, and what is
 * open. The same for a plan that was checked and for a run.
 */
import type { Cell, Fact, Panel, Picture, Row, Text, Tone } from '@assay/kernel/view';
import { cycleIn, listLinks, schedule, type Link, type Schedule } from '../network/schedule.js';
import { TOTAL_MAX, type Approach, type Held } from '../plan/plan.js';
import { computeCap, isCap, isFit, type RollupLine, type Status } from '../rollup/rollup.js';
import { raisePanel } from './raise.js';
import { makeLevelling } from '../report/report.js';
import { repairPanel } from './repair.js';
import { listChanged, type PlanStory } from './story.js';
import {
  amountOf,
  coreText,
  dayAfter,
  fact,
  figure,
  grouped,
  limitText,
  NAMED_MAX,
  panel,
  renderMinutes,
  share,
  texts,
} from './words.js';

type Span = Extract<Panel['block'], { readonly t: 'lanes' }>['spans'][number];

const TONES: Readonly<Record<Status, Tone>> = { SAT: 'good', TIGHT: 'open', UNSAT: 'bad', UNKNOWN: 'open' };
/** So many limits are named in the sentence. */
const TOLD_MAX = 4;

/** What a plan comes to, and why. */
export function tellOutcome(story: PlanStory): Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'> {
  const { hours, now, repair } = story;
  const { length } = listChanged(story);
  const changes = length === 0 ? '' : ` with ${length} ${length === 1 ? 'change' : 'changes'}`;
  const verdicts: Readonly<Record<Status, string>> = {
    SAT: `Fits${changes}`,
    TIGHT: `Fits narrowly${changes}`,
    UNSAT: repair === null || repair.label === 'none' ? 'Does not fit' : 'Does not fit, and no fix was found',
    UNKNOWN: 'Not known',
  };
  const told = now.lines.filter(({ total }) => total !== null).slice(0, TOLD_MAX);
  return {
    tone: TONES[now.status],
    verdict: verdicts[now.status],
    subject: told.flatMap(({ id, total, held }, index) =>
      texts(
        `${index === 0 ? '' : ' · '}${id} `,
        figure(total?.[1] ?? 0, held, hours),
        ', ',
        limitText(held, hours),
      ),
    ),
    because: because(story, length > 0),
  };
}

function because({ hours, first, now, cores, missing, isDone }: PlanStory, isChanged: boolean): Text {
  const broken = cores.flatMap((core) => {
    const line = first.lines.find(({ id }) => id === core.constraints[0]);
    return line === undefined ? [] : [coreText(line, core.amounts, hours)];
  });
  if (broken.length > 0)
    return texts(
      isChanged ? 'as first planned, ' : '',
      ...broken.map((text, index) => texts(index === 0 ? '' : '; ', text)),
    );
  const [figureOf] = missing;
  if (first.status === 'UNKNOWN' && figureOf !== undefined)
    return `${figureOf.constraint} of ${figureOf.approaches.join(' with ')} is not stated`;
  const late = first.lines.find(({ kind, status }) => kind === 'deadline' && status === 'UNSAT');
  if (late !== undefined) return texts('levelled it takes ', figure(late.total?.[1] ?? 0, late.held, hours));
  if (first.lines.length === 0) return 'it has no limits and no deadline';
  const over = now.lines.filter(({ status }) => status === 'UNSAT');
  if (over.length > 0)
    return over.flatMap(({ id, slack, held }, index) =>
      texts(
        `${index === 0 ? '' : '; '}${id} is `,
        figure(Math.abs(slack ?? 0), held, hours),
        isCap(held.op) ? ' over' : ' short',
      ),
    );
  return isChanged || isDone.includes(true) ? '' : 'no change is needed';
}

/** The picture of a plan that was checked. Nothing of it stands in a ledger. */
export function planPicture(story: PlanStory): Picture {
  const { goal } = story.plan;
  return { ...tellOutcome(story), asked: goal === '' ? '' : [{ said: goal }], panels: planPanels(story) };
}

/** Everything that is said of a plan. */
export function planPanels(story: PlanStory): readonly Panel[] {
  return [
    ...(story.now.lines.length === 0 ? [] : [limitsPanel(story)]),
    ...(story.repair === null ? [] : [repairPanel(story.plan, story.repair, story.hours)]),
    ...raisePanel(story),
    schedulePanel(story),
    tasksPanel(story),
    ...openPanel(story),
  ];
}

/** Each limit: what it is, what the plan comes to, what is left and what could still go wrong. */
export function limitsPanel(story: PlanStory): Panel {
  const { hours, first, now } = story;
  const isChanged = listChanged(story).length > 0 || story.isDone.includes(true);
  const rows = now.lines.map((line, index): Row => {
    const before = first.lines[index];
    return {
      cells: [
        `${line.id}${line.held.isHard || line.held.bound === TOTAL_MAX ? '' : ' (soft)'}`,
        texts(limitText(line.held, hours), dateText(story, line, line.held.bound)),
        line.total === null ? 'not stated' : midOf(story, line, line.total[1]),
        left(line, hours),
        worstText(line, hours),
        ...(isChanged ? [before?.total ? figure(before.total[1], line.held, hours) : null] : []),
      ],
      tone: TONES[line.status],
      record: null,
    };
  });
  const columns = [
    '',
    'limit',
    isChanged ? 'now' : 'planned',
    'left',
    'at worst',
    ...(isChanged ? ['first'] : []),
  ];
  const says = isChanged ? 'as it stands, and as first planned' : 'on the likely estimate';
  return panel('limits', 'Limits', says, { t: 'table', columns, rows });
}

function midOf(story: PlanStory, line: RollupLine, mid: number): Cell {
  const cell = amountOf(mid, line.held, story.hours);
  if (cell === null || typeof cell !== 'object' || !('text' in cell)) return cell;
  return { ...cell, text: `${cell.text}${dateText(story, line, mid)}` };
}

/** The day on which a deadline falls; nothing of other limits, or without a first day. */
function dateText(story: PlanStory, { kind }: RollupLine, minutes: number): string {
  return kind === 'deadline' && story.plan.start !== null ? ` (${whenText(story, minutes, true)})` : '';
}

/** What is left of a limit, or by how much it is missed; and where that is within its margin. */
function left({ status, slack, held }: RollupLine, hours: number): Text | null {
  if (slack === null || held.bound === TOTAL_MAX) return null;
  const by = figure(Math.abs(slack), held, hours);
  if (status === 'UNSAT')
    return slack === 0 ? 'just reached' : texts(by, isCap(held.op) ? ' over' : ' short');
  return status === 'TIGHT' ? texts(by, ', narrow') : by;
}

/** What could still go wrong: the unfavourable end of the estimate, where it misses the limit. */
function worstText({ total, held, isExposed, isHopeless }: RollupLine, hours: number): Text | null {
  if (total === null || !isExposed) return null;
  const worst = total[isCap(held.op) ? 2 : 0];
  if (worst === total[1]) return isHopeless ? 'over even at its best' : null;
  const over = figure(Math.abs(worst - held.bound), held, hours);
  return texts(
    figure(worst, held, hours),
    ', ',
    over,
    isCap(held.op) ? ' over' : ' short',
    isHopeless ? '; over even at its best' : '',
  );
}

/** When tasks are, by the likely estimate, levelled where the plan is. Slack is what the links leave. */
function timesOf({ plan, taken }: PlanStory): Schedule {
  const minutes = taken.map(({ minutes: [, mid] }) => mid);
  const levelling = makeLevelling(plan, taken);
  if (levelling?.label !== 'feasible') return schedule(plan.tasks, minutes, null);
  const { starts } = levelling;
  const ends = starts.map((start, task) => start + (minutes[task] ?? 0));
  // Tasks that share a resource keep the order in which they were levelled.
  const isBefore = (a: number, b: number): boolean =>
    (starts[a] ?? 0) < (ends[a] ?? 0) &&
    (starts[b] ?? 0) < (ends[b] ?? 0) &&
    (ends[a] ?? 0) <= (starts[b] ?? 0) &&
    (taken[a]?.uses ?? []).some(([id]) => taken[b]?.uses.some(([other]) => other === id));
  const places = [...plan.tasks.keys()];
  const tasks = plan.tasks.map((task, at) => {
    const before = places.filter((other) => isBefore(other, at));
    const order = before.map((other): Link => ({ task: other, link: 'FS', lag: 0 }));
    return {
      ...task,
      after: [...new Set([...task.after, ...before])],
      links: [...listLinks(task), ...order],
    };
  });
  // A lead may let a task wait for one that comes later: its slack is then that of links alone.
  if (cycleIn(tasks) === null) return schedule(tasks, minutes, null);
  return { ...schedule(plan.tasks, minutes, null), earliestStart: starts, earliestFinish: ends };
}

/** Places of tasks in order of time: by start, then by end, then by id. */
function inTime({ plan }: PlanStory, { earliestStart, earliestFinish }: Schedule): readonly number[] {
  return [...plan.tasks.keys()].toSorted(
    (a, b) =>
      (earliestStart[a] ?? 0) - (earliestStart[b] ?? 0) ||
      (earliestFinish[a] ?? 0) - (earliestFinish[b] ?? 0) ||
      a - b,
  );
}

/** The day or the time at which something begins, or at its end where `isEnd`. */
function whenText(
  { plan: { start, hoursPerDay }, hours }: PlanStory,
  minutes: number,
  isEnd: boolean,
): string {
  if (start === null) return renderMinutes(minutes, hours);
  const day = minutes / (60 * hoursPerDay);
  return dayAfter(start, isEnd ? Math.max(0, Math.ceil(day) - 1) : Math.floor(day));
}

function schedulePanel(story: PlanStory): Panel {
  const { hours, now } = story;
  const { deadline, tasks, start } = story.plan;
  const times = timesOf(story);
  const [low, mid, high] = now.length;
  const critical = new Set(times.zeroSlack);
  const names = inTime(story, times)
    .filter((task) => critical.has(task))
    .map((task) => tasks[task]?.id ?? '');
  const shown =
    names.length <= 2 * NAMED_MAX
      ? names.join(', ')
      : `${names.slice(0, NAMED_MAX).join(', ')} … ${names.slice(-NAMED_MAX).join(', ')}`;
  const range = low === high ? '' : `, ${renderMinutes(low, hours)} to ${renderMinutes(high, hours)}`;
  return panel('schedule', 'Schedule', `${renderMinutes(mid, hours)}${range}`, {
    t: 'facts',
    rows: [
      ...(start === null ? [] : [fact('from', `${dayAfter(start, 0)} to ${whenText(story, mid, true)}`)]),
      fact('critical', `${shown} (${grouped(names.length)} of ${grouped(tasks.length)} tasks have no slack)`),
      ...levellingFacts(story),
      ...(deadline === null ? [] : [spareFact(deadline, mid, hours)]),
    ],
  });
}

function levellingFacts({ plan, taken, hours }: PlanStory): readonly Fact[] {
  const levelling = makeLevelling(plan, taken);
  if (levelling === null) return [];
  if (levelling.label === 'not_held')
    return [fact('shared', 'not_held: with more than 200 tasks only sums of shared work are held', 'open')];
  const gap = levelling.gap === 0 ? 'as long as' : `${renderMinutes(levelling.gap, hours)} longer than`;
  return [fact('levelled', `feasible, not proven best; ${gap} without shared resources`)];
}

function spareFact(deadline: Held, length: number, hours: number): Fact {
  const spare = computeCap(deadline) - length;
  return spare < 0
    ? fact('to spare', `none: ${renderMinutes(-spare, hours)} too long`, 'bad')
    : fact('to spare', renderMinutes(spare, hours));
}

/** The tasks in order of time: how each is done, what it costs, when it is. */
export function tasksPanel(story: PlanStory): Panel {
  const { plan, hours, taken, estimated, isDone } = story;
  const { cost } = plan;
  const row = cost === null ? null : (plan.rows[cost] ?? null);
  const times = timesOf(story);
  const changed = new Set(listChanged(story));
  const isTracked = isDone.includes(true);
  const hasTitles = plan.tasks.some(({ id, title }) => title !== id);
  let used = 0;
  const rows = inTime(story, times).map((place): Row => {
    const { id = '', title = '', approaches = [] } = plan.tasks[place] ?? {};
    const [now, before] = [taken[place], estimated[place]];
    const amount = now?.amounts[cost ?? 0]?.[1] ?? 0;
    used += amount;
    const how =
      approaches.length < 2
        ? null
        : `${now?.id ?? ''}${changed.has(place) ? ` (was ${approaches[0]?.id ?? ''})` : ''}`;
    const money = (n: number): readonly Cell[] => (row === null ? [] : [amountOf(n, row, hours)]);
    return {
      record: null,
      cells: [
        id,
        ...(hasTitles ? [title === id ? null : [{ said: title }]] : []),
        how,
        ...money(amount),
        ...(isTracked ? money(before?.amounts[cost ?? 0]?.[1] ?? 0) : []),
        ...money(used),
        whenOf(story, times.earliestStart[place] ?? 0),
        minutesOf(now?.minutes[1] ?? 0, hours),
        minutesOf(times.totalSlack[place] ?? 0, hours),
        isDone[place] === true ? 'done' : sureOf(now),
      ],
      tone: isDone[place] === true ? 'faint' : 'plain',
    };
  });
  const money = row === null ? [] : [row.id, ...(isTracked ? ['estimated'] : []), 'so far'];
  return panel('tasks', 'Tasks', 'in order of time', {
    t: 'table',
    columns: [
      'task',
      ...(hasTitles ? ['title'] : []),
      'how',
      ...money,
      'starts',
      'takes',
      'slack',
      'confidence',
    ],
    rows,
  });
}

function whenOf(story: PlanStory, minutes: number): Cell {
  return { n: minutes, unit: 'count', exact: null, text: whenText(story, minutes, false) };
}

function sureOf(approach: Approach | undefined): Cell {
  const { confidence = 0, isConfidenceStated = true } = approach ?? {};
  const text = `${share(confidence)}${isConfidenceStated ? '' : ' assumed'}`;
  return { n: confidence, unit: 'ppm', exact: null, text };
}

function minutesOf(minutes: number, hours: number): Cell {
  return amountOf(minutes, { id: '', unit: 'minutes' }, hours);
}

/** The tasks as bars in order of time; those without slack stand out. */
export function ganttPanel(story: PlanStory): Panel {
  const { plan, taken, isDone } = story;
  const times = timesOf(story);
  const critical = new Set(times.zeroSlack);
  const order = inTime(story, times);
  const [, mid] = story.now.length;
  const labelOf = (place: number): string => {
    const { id = '', approaches = [] } = plan.tasks[place] ?? {};
    return approaches.length < 2 ? id : `${id}: ${taken[place]?.id ?? ''}`;
  };
  const spans = order.map(
    (place, lane): Span => ({
      record: null,
      lane,
      from: times.earliestStart[place] ?? 0,
      to: times.earliestFinish[place] ?? 0,
      label: labelOf(place),
      tone: isDone[place] === true ? 'good' : critical.has(place) ? 'open' : 'plain',
    }),
  );
  const note = (place: number): string => {
    const [from, to] = [times.earliestStart[place] ?? 0, times.earliestFinish[place] ?? 0];
    const when = `${whenText(story, from, false)} – ${whenText(story, to, true)}`;
    const slack = times.totalSlack[place] ?? 0;
    return slack === 0 ? when : `${when}, ${renderMinutes(slack, story.hours)} slack`;
  };
  return {
    ...panel('gantt', 'Tasks in time', 'Tasks without slack stand out: what delays one delays the end.', {
      t: 'lanes',
      axis: { label: '', unit: 'count', ends: [whenText(story, 0, false), whenText(story, mid, true)] },
      lanes: order.map((place) => ({ name: [{ said: plan.tasks[place]?.title ?? '' }], note: note(place) })),
      spans,
      arrows: [],
    }),
    page: 'overview',
  };
}

/** What a person should look at though nothing forces it. */
function openPanel({ exits, missing, survey, now }: PlanStory): readonly Panel[] {
  const [first] = missing;
  const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  const rows = [
    ...(survey.length === 0 || isFit(now)
      ? []
      : [fact('look for other ways', survey.slice(0, 2 * NAMED_MAX).join(', '))]),
    ...(exits.length === 0 ? [] : [fact('several last tasks', exits.slice(0, 2 * NAMED_MAX).join(', '))]),
    ...(first === undefined
      ? []
      : [fact('not stated', `${first.constraint} of ${first.approaches.join(' with ')}${others}`, 'open')]),
  ];
  return rows.length === 0 ? [] : [panel('open', 'Worth a look', 'nothing forces it', { t: 'facts', rows })];
}
