/**
 * What the planner shows of a run.
 *
 * @packageDocumentation
 */
import { err, field, isObject, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, Picture, View } from '@assay/kernel/view';
import type { PlannerEvent } from '../machine/events.js';
import type { PlannerState } from '../machine/state.js';
import { coursePanels, goalsPanel } from './course.js';
import { fold, start, type PlannerFold } from './fold.js';
import { raisedCaps } from '../picture/raise.js';
import { typeAmount } from '../picture/words.js';
import { ganttPanel, limitsPanel, planPanels, tasksPanel, tellOutcome } from '../picture/screen.js';
import { budgetPanel, resultPanel } from './panels.js';
import type { PlanStory } from '../picture/story.js';
import { tellRun } from './said.js';

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
  files: ({ plan, report }, state) => {
    const story = tellRun(state);
    const blocks = story === null ? [] : [tasksPanel(story).block];
    const limits = story === null ? [] : [limitsPanel(story).block];
    return [
      ...(plan === null ? [] : [{ name: 'plan.json', json: plan.content, blocks }]),
      ...(report === null ? [] : [{ name: 'report.json', json: report.content, blocks: limits }]),
    ];
  },
  next: ({ status }, state) => {
    if (status === null) return [];
    const story = status === 'success' ? null : tellRun(state);
    // The least raise, tried on the recorded answers.
    const set = (story === null ? [] : raisedCaps(story)).flatMap(({ held, to }) => [
      '--set',
      `cap.${held.id}=${typeAmount(to, held.unit, story?.hours ?? 24)}`,
    ]);
    const tried = set.length === 0 ? [] : [{ command: 'whatif', args: ['{ledger}', ...set] }];
    return [{ command: 'verify', args: ['{ledger}'] }, ...tried];
  },
};

function show(seen: PlannerFold, state: PlannerState): Picture {
  const { goal, status, reasons } = seen;
  const story = tellRun(state);
  const told = story === null ? null : tellOutcome(story);
  const ended = status === 'success' ? ENDED[state.policy?.mode ?? 'plan'] : undefined;
  const head: Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'> =
    status === null
      ? {
          tone: 'open',
          ...(story !== null && state.policy?.mode === 'track'
            ? {
                verdict: told?.tone === 'bad' ? 'Under way, and over a limit' : 'Under way',
                subject: told?.subject ?? '',
                because: sayDone(story, state),
              }
            : {
                verdict: 'Still open',
                subject: `${state.waiting.size} ${state.waiting.size === 1 ? 'answer is' : 'answers are'} awaited`,
                because: told?.subject ?? '',
              }),
        }
      : told !== null && (status === 'success' || reasons.every((code) => UNFIT.includes(code)))
        ? { ...told, ...(ended === undefined ? {} : { verdict: ended }) }
        : {
            tone: 'bad',
            verdict: 'Refused',
            subject: reasons.map((code) => code.replaceAll('_', ' ')).join(', '),
            because: told?.because ?? '',
          };
  return {
    ...head,
    asked: goal === null ? '' : [{ said: goal }],
    panels: [
      ...(story === null ? [] : [ganttPanel(story)]),
      ...budgetPanel(state),
      ...(story === null ? [] : planPanels(story)),
      ...(state.policy?.mode === 'solve' ? goalsPanel(state) : []),
      ...coursePanels(seen),
      ...resultPanel(state, seen),
    ],
  };
}

/** What a success is called where more was done than planning. */
const ENDED: Readonly<Record<string, string>> = { solve: 'Solved', track: 'Carried out' };
/** Why a plan was refused that does not fit. */
const UNFIT: readonly string[] = ['cap_unreachable', 'search_limit'];

/** How many tasks people have done, and which they may do now. */
function sayDone({ isDone }: PlanStory, { nodes, waiting }: PlannerState): string {
  const open = waiting.sorted().flatMap(([, { node }]) => nodes.get(node)?.task ?? []);
  return `${isDone.filter(Boolean).length} of ${isDone.length} tasks are done; open: ${open.join(', ')}`;
}

function describe(record: DerivedRecord, { goal, asked }: PlannerFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: ['goal: ', { said: goal ?? '' }], tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source, failure, value } = record.payload;
      const note = isObject(value) ? field(value, 'note') : undefined;
      const what =
        `${failure === null ? 'answer' : `failure ${failure.code}`} to ` +
        `${asked.get(request_id) ?? 'a request'} ${request_id} by `;
      const why = typeof note === 'string' && note !== '' ? [': ', { said: note }] : [];
      const text = [what, { said: proposer }, ` (${source})`, ...why];
      return { text, tone: failure === null ? 'plain' : 'bad' };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = record.payload.events as unknown as readonly PlannerEvent[];
      const names = events
        .map(({ t }) => t)
        .filter((t, place, all) => !QUIET.includes(t) && all.indexOf(t) === place);
      const said = events.flatMap(sayEvent);
      const told = said.length > 0 ? said : names.map((name) => WORDS[name] ?? name.replaceAll('_', ' '));
      return { text: told.length === 0 ? 'continues' : told.slice(0, 12).join(', '), tone: 'plain' };
    }
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close': {
      const { status, reasons } = record.payload;
      return { text: [status, ...reasons].join(', '), tone: status === 'success' ? 'good' : 'bad' };
    }
  }
}

const QUIET: readonly string[] = [
  ...['settled', 'asked', 'ready', 'taken', 'moved', 'held'],
  ...['eligible', 'selected', 'routed', 'attempt', 'ending'],
];
/** Events whose names a reader would not understand. */
const WORDS: { readonly [event: string]: string } = {
  constraint: 'constraints read',
  rolled_up: 'costs and times added up',
  core: 'what does not fit was found',
  gap: 'a tool is missing',
};

/** What people are told of an event: what came to its end, and what is done otherwise now. */
function sayEvent(event: PlannerEvent): readonly string[] {
  if (event.t === 'estimated') return event.done ? [`${event.task} is done`] : [];
  return event.t === 'repaired' ? event.changes.map(([task, to]) => `${task} becomes ${to}`) : [];
}
