/**
 * The screen of a checked plan: which cap, by how much, why, what repairs it, and what else would.
 *
 * @module
 */
import type { Fact, Panel, Picture, Row, Text, Tone } from '@assay/kernel/view';
import type { Core } from '../cores/core.js';
import type { CoreNow } from '../cores/now.js';
import type { Held, Plan } from '../plan/plan.js';
import type { RepairKey } from '../repair/key.js';
import type { Repair } from '../repair/repair.js';
import type { PlanReport } from '../report/report.js';
import type { RollupLine } from '../rollup/rollup.js';
import { capOf, type Status } from '../rollup/status.js';
import { raisedCaps } from './raised.js';
import { changesText, combinationsOf, figure, grouped, share, texts } from './words.js';

const TONES: Readonly<Record<Status, Tone>> = { SAT: 'good', TIGHT: 'open', UNSAT: 'bad', UNKNOWN: 'open' };
const VERDICTS: Readonly<Record<Status, string>> = {
  SAT: 'fits',
  TIGHT: 'fits, narrowly',
  UNSAT: 'does not fit',
  UNKNOWN: 'not known',
};
/** So many tasks of a core or of a path are named one by one. */
const NAMED_MAX = 8;

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
      ...(report.repair === null ? [] : [repairPanel(plan, report, report.repair)]),
      ...raisePanel(plan, report),
      schedulePanel(plan, report),
      ...openPanel(plan, report),
    ],
  };
}

function because(plan: Plan, { before, cores, missing }: PlanReport): Text {
  const broken = cores.flatMap((core) => {
    const line = before.lines.find(({ id }) => id === core.constraints[0]);
    return line === undefined ? [] : [coreText(line, core)];
  });
  if (broken.length > 0) return broken.flatMap((text, index) => texts(index === 0 ? '' : '; ', text));
  const [first] = missing;
  if (before.status === 'UNKNOWN' && first !== undefined)
    return `nobody has stated ${first.constraint} of ${first.approaches.join(' with ')}`;
  if (before.lines.length === 0) return 'nothing is held against it: it has no caps and no deadline';
  return `all ${grouped(plan.tasks.length)} tasks as they stand`;
}

/** `cost is 58,500 cents, 8,500 over: t8 33,000 + t7 9,000 pass 50,000`. */
function coreText({ held, kind, total, slack }: RollupLine, { amounts }: CoreNow): Text {
  const mid = total?.[1] ?? 0;
  if (kind === 'metric' || kind === 'coupling')
    return texts(
      `${held.id} of ${amounts.map(([task]) => task).join(' and ')} is `,
      figure(mid, held),
      `, asked: ${held.op} `,
      figure(held.bound, held),
    );
  const named = amounts.slice(0, NAMED_MAX).map(([task, amount]) => `${task} ${grouped(amount)}`);
  const rest = amounts.slice(NAMED_MAX).reduce((sum, [, amount]) => sum + amount, 0);
  const more = rest === 0 ? '' : ` + ${amounts.length - NAMED_MAX} more ${grouped(rest)}`;
  const over = -(slack ?? 0);
  return texts(
    `${held.id} is `,
    figure(mid, held),
    over === 0 ? `, just at what it must stay under: ` : `, ${grouped(over)} over: `,
    `${named.join(' + ')}${more} ${over === 0 ? 'reach' : 'pass'}${amounts.length === 1 ? 'es' : ''} ${grouped(held.bound)}`,
  );
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
        `${line.status}${flagsOf(line)}`,
        ...(after === null ? [] : [later === null ? '' : afterText(later)]),
      ],
      tone: TONES[line.status],
      record: null,
    };
  });
  const columns = ['', 'is', 'asked', 'left', 'status', ...(after === null ? [] : ['repaired'])];
  return panel('constraints', 'Constraints', 'on the mid of each estimate', { t: 'table', columns, rows });
}

function flagsOf({ isExposed, isHopeless, status }: RollupLine): string {
  if (isHopeless) return ', even at its best';
  return isExposed && status !== 'UNSAT' ? ', exposed' : '';
}

function afterText({ total, status, held }: RollupLine): Text {
  return total === null ? status : texts(figure(total[1], held), ` ${status}`);
}

function fact(name: string, value: Text, tone: Tone = 'plain'): Fact {
  return { name, value, tone, record: null };
}

const LABELS = {
  exact: 'proven to be the first in order: fewest changes, surest, cheapest, least effort',
  optimal: 'proven to have the best values; others may have the same',
  bounded: 'the search ended early',
  none: 'proven',
  open: 'the search ended early: none was found, none is ruled out',
} as const;

function repairPanel(plan: Plan, report: PlanReport, repair: Repair): Panel {
  const rows = 'key' in repair ? takenFacts(plan, report, repair) : missingFacts(plan, report, repair);
  return panel('repair', 'Repair', LABELS[repair.label], { t: 'facts', rows });
}

function takenFacts(
  plan: Plan,
  { next, isNextComplete }: PlanReport,
  repair: Extract<Repair, { readonly key: RepairKey }>,
): readonly Fact[] {
  const { key, unfinished, bound } = repair;
  const changes = key.changes.slice(0, NAMED_MAX).map(([id, to]): Fact => {
    const approaches = plan.tasks.find((task) => task.id === id)?.approaches ?? [];
    const [from, other] = [approaches[0], approaches.find((approach) => approach.id === to)];
    return fact(
      id,
      texts(
        `${from?.id ?? ''} becomes ${to}`,
        other === undefined || other.method === null ? '' : texts(': ', [{ said: other.method }]),
      ),
      'good',
    );
  });
  const cheaper = next.find(({ key: { cost } }) => plan.cost !== null && cost < key.cost);
  return [
    ...changes,
    ...(key.changes.length > NAMED_MAX
      ? [fact('and', `${key.changes.length - NAMED_MAX} more changes`, 'good')]
      : []),
    fact('confidence', `${share(key.confidence)} at least`),
    ...(plan.cost === null
      ? []
      : [fact('cost', figure(key.cost, plan.rows[plan.cost] ?? { id: '', unit: '' }))]),
    ...(unfinished === null
      ? []
      : [fact('not proven', `${unfinished}${bound === null ? '' : `; at best ${grouped(bound)}`}`, 'open')]),
    ...(cheaper === undefined
      ? []
      : [
          fact(
            'why not',
            `${changesText(cheaper.key.changes)} for ${grouped(cheaper.key.cost)}: ${whyNot(cheaper.key, key)}`,
          ),
        ]),
    ...next
      .filter((each) => each !== cheaper)
      .slice(0, 3)
      .map((each) =>
        fact(
          'or',
          `${changesText(each.key.changes)}: confidence ${share(each.key.confidence)}${plan.cost === null ? '' : `, cost ${grouped(each.key.cost)}`}`,
          'faint',
        ),
      ),
    ...(isNextComplete ? [] : [fact('or', 'there may be more: not all were tried', 'faint')]),
  ];
}

function whyNot(other: RepairKey, taken: RepairKey): string {
  if (other.changes.length > taken.changes.length)
    return `${other.changes.length} changes instead of ${taken.changes.length}`;
  return `its confidence is ${share(other.confidence)}, not ${share(taken.confidence)}`;
}

function missingFacts(plan: Plan, { coreBest }: PlanReport, { label }: Repair): readonly Fact[] {
  const among = `${grouped(combinationsOf(plan))} recorded combinations`;
  return [
    fact(
      'repair',
      label === 'none' ? `none among ${among}` : `none found among ${among}`,
      label === 'none' ? 'bad' : 'open',
    ),
    ...(coreBest === null ? [] : [fact('core', bestText(coreBest))]),
  ];
}

/** What cannot be had together, each task at its best. */
function bestText({ constraints, tasks, isMinimal }: Core): string {
  const shown = tasks.slice(0, NAMED_MAX).join(', ');
  const more = tasks.length > NAMED_MAX ? ` and ${tasks.length - NAMED_MAX} more` : '';
  const together = `${constraints.join(' and ')} with ${shown}${more}, each at its best`;
  return isMinimal ? `${together}; none of them can be left out` : together;
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
        : [fact('to spare', spare(deadline, length), length > capOf(deadline) ? 'bad' : 'plain')]),
    ],
  });
}

function spare(deadline: Held, length: number): string {
  const left = capOf(deadline) - length;
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
