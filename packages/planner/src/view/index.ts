/**
 * What the planner shows of a run.
 *
 * @packageDocumentation
 */
import { err, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, Picture, Text, View } from '@assay/kernel/view';
import type { PlannerEvent } from '../machine/events.js';
import type { PlannerState } from '../machine/state.js';
import { coursePanels, goalsPanel } from './course.js';
import { fold, start, type PlannerFold } from './fold.js';
import {
  at,
  budgetPanel,
  corePanel,
  ganttPanel,
  linesPanel,
  pairsIn,
  repairPanel,
  resultPanel,
  standingOf,
  tasksPanel,
} from './panels.js';

/** What the planner shows: tasks in time, money, core, repair, goals, and what is open. */
export const plannerView: View<PlannerState, PlannerFold> = {
  machine: 'planner',
  versions: [1],
  start,
  fold,
  describe,
  show,
  knobs: () => [],
  // Caps are constraints of the input: another cap is another question, and `whatif --set` asks it.
  turn: (policy, [change]) =>
    change === undefined ? ok(policy) : err({ code: 'unknown_knob', detail: { id: change.id } }),
  files: ({ plan, report }, state) => [
    ...(plan === null
      ? []
      : [{ name: 'plan.json', json: plan.content, blocks: blocksOf(tasksPanel(state)) }]),
    ...(report === null
      ? []
      : [{ name: 'report.json', json: report.content, blocks: blocksOf(linesPanel(state)) }]),
  ],
  next: ({ status }) => (status === null ? [] : [{ command: 'verify', args: ['{ledger}'] }]),
};

function blocksOf(
  panels: readonly Picture['panels'][number][],
): readonly Picture['panels'][number]['block'][] {
  return panels.map(({ block }) => block);
}

function show(seen: PlannerFold, state: PlannerState): Picture {
  const { goal, status, reasons } = seen;
  const head: Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'> =
    status === null
      ? {
          tone: 'open',
          verdict: 'Still open',
          subject: `${state.waiting.size} ${state.waiting.size === 1 ? 'answer is' : 'answers are'} awaited`,
          because: '',
        }
      : {
          tone: status === 'refused' ? 'bad' : 'good',
          verdict: verdictOf(status, state),
          subject:
            status === 'refused'
              ? reasons.map((code) => code.replaceAll('_', ' ')).join(', ')
              : standingOf(state),
          because: becauseOf(state),
        };
  return {
    ...head,
    asked: goal === null ? '' : [{ said: goal }],
    panels: [
      ...ganttPanel(state),
      ...budgetPanel(state),
      ...linesPanel(state),
      ...corePanel(state, seen),
      ...repairPanel(state, seen),
      ...tasksPanel(state),
      ...goalsPanel(state),
      ...coursePanels(seen),
      resultPanel(state, seen),
    ],
  };
}

function verdictOf(status: string, { policy }: PlannerState): string {
  if (status === 'refused') return 'Refused';
  return policy?.mode === 'solve' ? 'Solved' : 'It fits';
}

/** What was changed so that it fits, and how well that is known. */
function becauseOf({ judged }: PlannerState): Text {
  const label = at(judged, 'repair', 'label');
  if (typeof label !== 'string') return judged === null ? '' : 'no change was needed';
  if (label === 'none') return 'no choice of approaches fits, proven';
  return ['made to fit by ', { said: pairsIn(at(judged, 'repair', 'changes')) }, ` (proof: ${label})`];
}

function describe(record: DerivedRecord, { goal, asked }: PlannerFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: ['goal: ', { said: goal ?? '' }], tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const what =
        `${failure === null ? 'answer' : `failure ${failure.code}`} to ` +
        `${asked.get(request_id) ?? 'a request'} ${request_id} by `;
      return { text: [what, { said: proposer }, ` (${source})`], tone: failure === null ? 'plain' : 'bad' };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = (record.payload.events as unknown as readonly PlannerEvent[])
        .map(({ t }) => t)
        .filter((t, place, all) => !QUIET.includes(t) && all.indexOf(t) === place);
      return {
        text: events.length === 0 ? 'goes on' : events.slice(0, 12).join(', ').replaceAll('_', ' '),
        tone: 'plain',
      };
    }
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close': {
      const { status, reasons } = record.payload;
      return { text: [status, ...reasons].join(', '), tone: status === 'success' ? 'good' : 'bad' };
    }
  }
}

const QUIET: readonly string[] = ['settled', 'asked', 'ready', 'taken', 'moved', 'held'];
