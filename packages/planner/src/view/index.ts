/**
 * What the planner shows of a run.
 *
 * @packageDocumentation
 */
import { err, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, NextMove, Picture, Text, View } from '@assay/kernel/view';
import type { PlannerEvent } from '../machine/events.js';
import type { PlannerState } from '../machine/state.js';
import { coursePanels, goalsPanel } from './course.js';
import { fold, start, type PlannerFold } from './fold.js';
import {
  budgetPanel,
  corePanel,
  ganttPanel,
  linesPanel,
  repairPanels,
  resultPanel,
  describeStanding,
  tasksPanel,
} from './panels.js';
import { coreWords, raisedIn, type Raised } from './said.js';

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
      : [{ name: 'plan.json', json: plan.content, blocks: listBlocks(tasksPanel(state)) }]),
    ...(report === null
      ? []
      : [{ name: 'report.json', json: report.content, blocks: listBlocks(linesPanel(state)) }]),
  ],
  next: ({ status }, { judged }) =>
    status === null
      ? []
      : [{ command: 'verify', args: ['{ledger}'] }, ...(status === 'success' ? [] : tried(raisedIn(judged)))],
};

/** The least raise, tried on the recorded answers. */
function tried(raised: readonly Raised[]): readonly NextMove[] {
  const set = raised.flatMap(({ id, to }) => ['--set', `cap.${id}=${to}`]);
  return raised.length === 0 ? [] : [{ command: 'whatif', args: ['{ledger}', ...set] }];
}

function listBlocks(
  panels: readonly Picture['panels'][number][],
): readonly Picture['panels'][number]['block'][] {
  return panels.map(({ block }) => block);
}

function show(seen: PlannerFold, state: PlannerState): Picture {
  const { goal, status, reasons } = seen;
  const head: Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'> =
    status === null && state.policy?.mode === 'track' && state.plans.has(state.root)
      ? { tone: 'open', verdict: 'Under way', subject: describeStanding(state), because: sayDone(state) }
      : status === null
        ? {
            tone: 'open',
            verdict: 'Still open',
            subject: `${state.waiting.size} ${state.waiting.size === 1 ? 'answer is' : 'answers are'} awaited`,
            because: '',
          }
        : {
            tone: status === 'refused' ? 'bad' : 'good',
            verdict: judgeVerdict(status, state),
            subject:
              status === 'refused'
                ? reasons.map((code) => code.replaceAll('_', ' ')).join(', ')
                : describeStanding(state),
            because: sayBecause(state),
          };
  return {
    ...head,
    asked: goal === null ? '' : [{ said: goal }],
    panels: [
      ...ganttPanel(state),
      ...budgetPanel(state),
      ...linesPanel(state),
      ...corePanel(state, seen),
      ...repairPanels(state),
      ...tasksPanel(state),
      ...goalsPanel(state),
      ...coursePanels(seen),
      resultPanel(state, seen),
    ],
  };
}

/** How many tasks people have done, and which they may do now. */
function sayDone({ nodes, waiting }: PlannerState): Text {
  const tasks = [...nodes].flatMap(([, { parent, status }]) =>
    parent === null || status === 'superseded' ? [] : [status],
  );
  const done = tasks.filter((status) => status === 'resolved').length;
  const open = waiting.sorted().flatMap(([, { node }]) => nodes.get(node)?.task ?? []);
  return [`${done} of ${tasks.length} tasks are done; open: `, { said: open.join(', ') }];
}

function judgeVerdict(status: string, { policy }: PlannerState): string {
  if (status === 'refused') return 'Refused';
  return { plan: 'It fits', solve: 'Solved', track: 'Carried out' }[policy?.mode ?? 'plan'];
}

/** Which constraints broke, by how much, and by which tasks. */
function sayBecause({ judged }: PlannerState): Text {
  if (judged === null) return '';
  const core = coreWords(judged);
  return core.length === 0 ? 'no change was needed' : core;
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
