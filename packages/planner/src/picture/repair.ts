/**
 * What is said of a repair: what changes, why not the cheaper one, what else would do; or that there is none.
 */
import type { Fact, Panel, Piece } from '@assay/kernel/view';
import type { Core } from '../cores/core.js';
import type { Plan } from '../plan/plan.js';
import type { RepairKey } from '../repair/next.js';
import type { Repair } from '../repair/repair.js';
import type { PlanReport } from '../report/report.js';
import {
  changesText,
  countCombinations,
  fact,
  figure,
  grouped,
  NAMED_MAX,
  panel,
  share,
  texts,
} from './words.js';

/** What is said of a repair. `isFirst`: nothing was changed before it. */
export type RepairSaid = {
  readonly label: Repair['label'];
  readonly key: RepairKey | null;
  readonly unfinished: string | null;
  readonly bound: number | null;
  readonly next: readonly RepairKey[];
  readonly isNextComplete: boolean;
  readonly coreBest: Pick<Core, 'constraints' | 'tasks' | 'isMinimal'> | null;
  readonly isFirst: boolean;
};

/** A plan, as far as a repair of it is spoken of. */
type RepairPlan = Pick<Plan, 'tasks' | 'rows' | 'cost'>;

/** What a report says of its repair. */
export function sayWhat({ next, isNextComplete, coreBest }: PlanReport, repair: Repair): RepairSaid {
  const found = 'key' in repair ? repair : { key: null, unfinished: null, bound: null };
  return {
    label: repair.label,
    key: found.key,
    unfinished: found.unfinished,
    bound: found.bound,
    next: next.map(({ key }) => key),
    isNextComplete,
    coreBest,
    isFirst: true,
  };
}

const LABELS = {
  exact: 'Best fix, proven: fewest changes, then highest confidence, then cost, then effort.',
  optimal: 'Best fix, proven; others may be as good.',
  bounded: 'A fix; the search ended early, so it may not be the best.',
  none: 'Proven: no fix exists.',
  open: 'No fix found; the search ended early, so one may exist.',
} as const;

/** The repair that is taken, why not a cheaper one, what comes next; or that there is none. */
export function repairPanel(plan: RepairPlan, said: RepairSaid, hours: number): Panel {
  const rows = said.key === null ? missingFacts(plan, said) : takenFacts(plan, said, said.key, hours);
  const title = said.key === null ? 'No fix' : 'Changes';
  return panel('repair', title, LABELS[said.label], { t: 'facts', rows });
}

function takenFacts(plan: RepairPlan, said: RepairSaid, key: RepairKey, hours: number): readonly Fact[] {
  const { next, isNextComplete, unfinished, bound } = said;
  const changes = key.changes.slice(0, NAMED_MAX).map(([id, to]): Fact => {
    const approaches = plan.tasks.find((task) => task.id === id)?.approaches ?? [];
    const [from, other] = [approaches[0], approaches.find((approach) => approach.id === to)];
    return fact(
      id,
      texts(
        `${said.isFirst ? `${from?.id ?? ''} ` : ''}becomes ${to}`,
        other === undefined || other.method === null ? '' : texts(': ', [{ said: other.method }]),
      ),
      'good',
    );
  });
  const cheaper = next.find(({ cost }) => plan.cost !== null && cost < key.cost);
  return [
    ...changes,
    ...(key.changes.length > NAMED_MAX
      ? [fact('and', `${key.changes.length - NAMED_MAX} more changes`, 'good')]
      : []),
    fact('confidence', `${share(key.confidence)} at least, of what changes`),
    ...(plan.cost === null ? [] : [fact('cost', costText(plan, key, hours))]),
    ...(unfinished === null
      ? []
      : [fact('not proven', `${unfinished}${bound === null ? '' : `; at best ${grouped(bound)}`}`, 'open')]),
    ...(cheaper === undefined
      ? []
      : [
          fact(
            'why not',
            texts(
              `${changesText(cheaper.changes)} for `,
              costText(plan, cheaper, hours),
              `: ${whyNot(cheaper, key)}`,
            ),
          ),
        ]),
    ...next
      .filter((each) => each !== cheaper)
      .slice(0, 3)
      .map((each) =>
        fact(
          'or',
          texts(
            `${changesText(each.changes)}: confidence ${share(each.confidence)}`,
            ...(plan.cost === null ? [] : [', cost ', costText(plan, each, hours)]),
          ),
          'faint',
        ),
      ),
    ...(isNextComplete ? [] : [fact('or', 'there may be more: not all were tried', 'faint')]),
  ];
}

function costText({ rows, cost }: RepairPlan, key: RepairKey, hours: number): readonly Piece[] {
  return figure(key.cost, rows[cost ?? 0] ?? { id: '', unit: '' }, hours);
}

function whyNot(other: RepairKey, taken: RepairKey): string {
  if (other.changes.length > taken.changes.length)
    return `${other.changes.length} changes instead of ${taken.changes.length}`;
  return `its confidence is ${share(other.confidence)}, not ${share(taken.confidence)}`;
}

function missingFacts(plan: RepairPlan, { coreBest, label }: RepairSaid): readonly Fact[] {
  const among = `${grouped(countCombinations(plan))} recorded combinations`;
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
function bestText({ constraints, tasks, isMinimal }: NonNullable<RepairSaid['coreBest']>): string {
  if (tasks.length === 0) return `${constraints.join(' and ')}, whatever is chosen`;
  const shown = tasks.slice(0, NAMED_MAX).join(', ');
  const more = tasks.length > NAMED_MAX ? ` and ${tasks.length - NAMED_MAX} more` : '';
  const together = `${constraints.join(' and ')} with ${shown}${more}, each at its best`;
  return isMinimal ? `${together}; none of them can be left out` : together;
}
