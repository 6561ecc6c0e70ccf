/** The screen of a checked plan: which cap, by how much, why, what repairs it, and what else would. */
import type { Panel, Picture, Row, Text, Tone } from '@assay/kernel/view';
import type { Held, Plan } from '../plan/plan.js';
import type { PlanReport } from '../report/report.js';
import { type RollupLine, computeCap, type Status } from '../rollup/rollup.js';
import { repairPanel, sayWhat } from './repair.js';
import { changesText, coreText, fact, figure, grouped, NAMED_MAX, texts } from './words.js';

const TONES: Readonly<Record<Status, Tone>> = { SAT: 'good', TIGHT: 'open', UNSAT: 'bad', UNKNOWN: 'open' };
const VERDICTS: Readonly<Record<Status, string>> = {
  SAT: 'fits',
  TIGHT: 'fits, narrowly',
  UNSAT: 'does not fit',
  UNKNOWN: 'not known',
};
/** The picture of a report. Nothing of it stands in a ledger. */
export function planPicture(plan: Plan, report: PlanReport): Picture {
  const { status } = report.before;
  return {
    tone: TONES[status],
    verdict: VERDICTS[status],
    subject: plan.goal === '' ? `a plan of ${grouped(plan.tasks.length)} tasks` : [{ said: plan.goal }],
    because: because(plan, report),
    asked: '',
    panels: [
      constraintsPanel(report),
      ...(report.repair === null ? [] : [repairPanel(plan, sayWhat(report, report.repair))]),
      ...raisePanel(plan, report),
      schedulePanel(plan, report),
      ...openPanel(plan, report),
    ],
  };
}

function because(plan: Plan, { before, cores, missing }: PlanReport): Text {
  const broken = cores.flatMap((core) => {
    const line = before.lines.find(({ id }) => id === core.constraints[0]);
    return line === undefined ? [] : [coreText(line, core.amounts)];
  });
  if (broken.length > 0) return broken.flatMap((text, index) => texts(index === 0 ? '' : '; ', text));
  const [first] = missing;
  if (before.status === 'UNKNOWN' && first !== undefined)
    return `nobody has stated ${first.constraint} of ${first.approaches.join(' with ')}`;
  if (before.lines.length === 0) return 'nothing is held against it: it has no caps and no deadline';
  return `all ${grouped(plan.tasks.length)} tasks as they stand`;
}

function panel(id: string, title: string, says: string, block: Panel['block']): Panel {
  return { id, title, says, page: 'overview', block, left_out: 0 };
}

function constraintsPanel({ before, after }: PlanReport): Panel {
  const rows = before.lines.map((line, index): Row => {
    const later = after?.lines[index] ?? null;
    return {
      cells: [
        `${line.id}${line.held.isHard ? '' : ' (soft)'}`,
        line.total === null ? 'not stated' : figure(line.total[1], line.held),
        `${line.held.op} ${grouped(line.held.bound)}`,
        line.slack === null ? '' : grouped(line.slack),
        `${line.status}${listFlags(line)}`,
        ...(after === null ? [] : [later === null ? '' : afterText(later)]),
      ],
      tone: TONES[line.status],
      record: null,
    };
  });
  const columns = ['', 'is', 'asked', 'left', 'status', ...(after === null ? [] : ['repaired'])];
  return panel('constraints', 'Constraints', 'on the mid of each estimate', { t: 'table', columns, rows });
}

function listFlags({ isExposed, isHopeless, status }: RollupLine): string {
  if (isHopeless) return ', even at its best';
  return isExposed && status !== 'UNSAT' ? ', exposed' : '';
}

function afterText({ total, status, held }: RollupLine): Text {
  return total === null ? status : texts(figure(total[1], held), ` ${status}`);
}

function raisePanel(plan: Plan, report: PlanReport): readonly Panel[] {
  const caps = raisedCaps(plan, report);
  if (caps.length === 0) return [];
  const { raise } = report;
  const rows = caps.map(({ held, to }) =>
    fact(held.id, texts(`${held.op} `, figure(to, held), `, ${grouped(to - held.bound)} more`)),
  );
  const with_ =
    raise === null
      ? []
      : raise.named.filter(
          ([id, approach]) => plan.tasks.find((task) => task.id === id)?.approaches[0]?.id !== approach,
        );
  const says =
    raise === null
      ? 'under which it fits without a change'
      : raise.isProven
        ? `the least, proven: ${grouped(raise.total)} in all`
        : `the least found: ${grouped(raise.total)} in all; at least ${grouped(raise.bound)}`;
  const changed =
    with_.length === 0
      ? []
      : [fact('with', with_.length > NAMED_MAX ? `${with_.length} changes` : changesText(with_))];
  return [
    panel('raise', raise === null ? 'Other caps' : 'Least raise', says, {
      t: 'facts',
      rows: [...rows, ...changed],
    }),
  ];
}

function schedulePanel(
  plan: Plan,
  { schedule: { length, critical, zeroSlack, barrier }, before }: PlanReport,
): Panel {
  const { deadline } = plan;
  const [low, , high] = before.length;
  const names = critical.map((task) => plan.tasks[task]?.id ?? '');
  const path =
    names.length <= 2 * NAMED_MAX
      ? names.join(' > ')
      : `${names.slice(0, NAMED_MAX).join(' > ')} > … > ${names.slice(-NAMED_MAX).join(' > ')}`;
  return panel('schedule', 'Schedule', `${grouped(length)} minutes, ${grouped(low)} to ${grouped(high)}`, {
    t: 'facts',
    rows: [
      fact('critical path', path),
      fact('no slack', `${grouped(zeroSlack.length)} of ${grouped(plan.tasks.length)} tasks`),
      fact('level by level', `${grouped(barrier)} minutes`),
      ...(deadline === null
        ? []
        : [fact('to spare', spare(deadline, length), length > computeCap(deadline) ? 'bad' : 'plain')]),
    ],
  });
}

function spare(deadline: Held, length: number): string {
  const left = computeCap(deadline) - length;
  return left < 0 ? `none: ${grouped(-left)} minutes must go` : `${grouped(left)} minutes`;
}

/** What a person should look at though nothing forces it. */
function openPanel(plan: Plan, { exits, missing, survey }: PlanReport): readonly Panel[] {
  const [first] = missing;
  const rows = [
    ...(survey.length === 0 ? [] : [fact('look for other ways', survey.slice(0, 2 * NAMED_MAX).join(', '))]),
    ...(exits.length === 0 ? [] : [fact('several last tasks', exits.slice(0, 2 * NAMED_MAX).join(', '))]),
    ...(first === undefined
      ? []
      : [
          fact(
            'not stated',
            `${first.constraint} of ${first.approaches.join(' with ')}${missing.length === 1 ? '' : ` and ${missing.length - 1} more`}`,
            'open',
          ),
        ]),
    ...(plan.renewable.length === 0
      ? []
      : [
          fact(
            'not held',
            `${plan.renewable.map(([id, most]) => `${id} ${grouped(most)}`).join(', ')}: renewable resources are kept, not held`,
          ),
        ]),
  ];
  return rows.length === 0 ? [] : [panel('open', 'Worth a look', 'nothing forces it', { t: 'facts', rows })];
}

/** A constraint, and the bound that it needs. */
export type RaisedCap = { readonly held: Held; readonly to: number };

/**
 * What the caps would have to be: those of the least raise where there is one, else those under which the plan
 * fits without a change. Empty where it fits, or where no cap helps.
 */
export function raisedCaps(
  { rows, deadline }: Plan,
  { before, repair, raise }: PlanReport,
): readonly RaisedCap[] {
  const caps = [...rows, ...(deadline === null ? [] : [deadline])];
  if (raise !== null)
    return raise.by.flatMap(([id, by]) => {
      const held = caps.find((cap) => cap.id === id);
      return held === undefined ? [] : [{ held, to: held.bound + by }];
    });
  const broken = before.lines.filter(
    ({ held, status }) => held.isHard && status !== 'SAT' && status !== 'TIGHT',
  );
  if (repair === null || broken.some(({ kind }) => kind === 'metric' || kind === 'coupling')) return [];
  return broken.map(({ held, slack }) => ({
    held,
    to: held.bound - (slack ?? 0) + (held.op === '<' ? 1 : 0),
  }));
}
