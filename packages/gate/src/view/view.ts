/**
 * What a gate shows of a run: what the model said, what the policy decided and by which rule, what the tool did.
 *
 * @module
 */
import { err, ok, type DerivedRecord, type Json, type Rejection, type Result } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { Described, Knob, Page, Picture, Piece, Turned, View } from '@assay/kernel/view';
import type { GateEvent } from '../machine/events.js';
import type { GateState } from '../machine/state.js';
import { completePolicy, readPolicy, type PolicyFile } from '../policy/policy.js';
import { fold, renderInput, start, type GateFold } from './fold.js';
import {
  budgetsPanel,
  coursePanel,
  countsPanel,
  refusedPanel,
  renderReason,
  transcriptPanel,
  findUnit,
  VERDICTS,
  waitingPanel,
} from './panels.js';

/** What a gate shows: who waits for a person, the transcript, what was refused and why, budgets, time. */
export const gateView: View<GateState, GateFold> = {
  machine: 'gate',
  versions: [1],
  // It counts verdicts, of a gate that watches too, and what they cost: what was done is in the requests to tools.
  account: { summary: [''] },
  completePolicy: (file, isRecorded) =>
    completePolicy({ ...(file as unknown as PolicyFile), ...(isRecorded ? { mode: 'enforce' } : {}) }),
  start,
  fold,
  describe,
  show,
  knobs: (_, { policy }) => listKnobs(policy.budgets),
  turn,
  files: () => [],
  next: ({ isClosed }) => (isClosed ? [{ command: 'verify', args: ['{ledger}'] }] : []),
};

const KNOBS_MAX = 12;

function listKnobs(budgets: GateState['policy']['budgets']): readonly Knob[] {
  return budgets.slice(0, KNOBS_MAX).map(({ id, unit, max }) => ({
    id,
    label: id,
    unit: findUnit(unit),
    at: max,
    min: 0,
    max: Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, max * 2)),
    step: Math.max(1, Math.floor(max / 20)),
  }));
}

/** The policy with budgets at other maxima. Left: `unknown_knob` {id}, or the policy's fault. */
function turn(policy: Json, changes: readonly Turned[]): Result<Rejection, Json> {
  const read = readPolicy(policy);
  if (read._tag === 'Left') return read;
  const { given, budgets } = read.right;
  const ids = budgets.slice(0, KNOBS_MAX).map(({ id }) => id);
  const unknown = changes.find(({ id }) => !ids.includes(id));
  if (unknown !== undefined) return err({ code: 'unknown_knob', detail: { id: unknown.id } });
  const to = new Map(changes.map((change) => [change.id, change.to]));
  return ok({
    ...given,
    budgets: (given['budgets'] as readonly object[]).map((budget, at) => {
      const id = budgets[at]?.id ?? '';
      return to.has(id) ? { ...budget, id, max: to.get(id) } : budget;
    }) as unknown as Json,
  });
}

function describe(record: DerivedRecord, seen: GateFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: ['a gate opens for ', { said: seen.about }], tone: 'plain' };
    case 'proposal':
      return describeAnswer(record.payload);
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision':
      return describeDecision(record.payload.events as unknown as readonly GateEvent[]);
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close':
      return { text: 'the gate is closed', tone: 'good' };
  }
}

type Proposal = Extract<DerivedRecord, { readonly kind: 'proposal' }>['payload'];

function describeAnswer({ value, failure, proposer }: Proposal): Described {
  const by: Piece = { said: proposer };
  if (failure !== null) return { text: [by, ` answers: ${failure.code}`], tone: 'bad' };
  if (readField(value, 'tool') !== null) {
    const call = `${readText(value, 'tool')} ${renderInput(readField(value, 'input'))}`;
    return { text: [{ said: readText(value, 'principal') }, ' calls ', { said: call }], tone: 'plain' };
  }
  const approved = readField(value, 'approved');
  if (approved !== null)
    return {
      text: [by, approved === true ? ' approves' : ' declines'],
      tone: approved === true ? 'good' : 'bad',
    };
  const isDone = readField(value, 'ok');
  if (isDone === null) return { text: [by, ' closes the gate'], tone: 'plain' };
  const result: Piece = { said: renderInput(readField(value, 'result')) };
  return {
    text: [by, isDone === true ? ' answers ' : ' fails ', result],
    tone: isDone === true ? 'plain' : 'bad',
  };
}

function describeDecision(events: readonly GateEvent[]): Described {
  const [event] = events;
  switch (event?.t) {
    case 'allowed':
    case 'asked':
    case 'denied':
    case 'watched': {
      const { word, tone } = VERDICTS[event.t === 'watched' ? event.would : event.t];
      const is = event.t === 'watched' ? 'would be' : 'is';
      return { text: [`call ${event.n} ${is} ${word}, `, ...renderReason(event)], tone };
    }
    case 'approved':
      return { text: `call ${event.n} is approved`, tone: 'good' };
    case 'declined':
      return { text: `call ${event.n} is declined`, tone: 'bad' };
    case 'settled':
      return {
        text: `call ${event.n} ${event.ok ? 'is done' : `failed${event.why === '' ? '' : `: ${event.why}`}`}`,
        tone: event.ok ? 'plain' : 'bad',
      };
    case 'closing':
      return { text: 'the gate closes', tone: 'plain' };
    case 'unread':
      return { text: `an answer to ${event.kind} is a failure: ${event.why}`, tone: 'bad' };
    default:
      return { text: 'the gate opens', tone: 'plain' };
  }
}

function show(seen: GateFold, state: GateState, pages: readonly Page[]): Picture {
  const { isClosed, count } = seen;
  const { counts, policy, open } = state;
  // An imported session is only watched.
  const hasRules = !policy.isObserving || policy.rules.length > 0;
  const waiting = open.sorted().filter(([, { approve }]) => approve !== null).length;
  const parts = [
    `${counts.done} of ${state.n} ${state.n === 1 ? 'call' : 'calls'} performed`,
    ...(hasRules && counts.denied > 0
      ? [`${counts.denied} ${policy.isObserving ? 'that would be refused' : 'refused'}`]
      : []),
    ...(counts.declined > 0 ? [`${counts.declined} declined`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed or lost`] : []),
    ...(open.size > 0 ? [`${open.size} under way`] : []),
  ];
  return {
    tone: !isClosed ? 'open' : counts.denied + counts.failed > 0 ? 'plain' : 'good',
    verdict: isClosed
      ? parts.join(', ')
      : waiting > 0
        ? `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for a person`
        : 'Open',
    subject: [{ said: seen.about }],
    because: [
      ...(isClosed ? [] : [`${parts.join(', ')}.`]),
      ...(policy.isObserving
        ? [`The gate only watched: its policy ${hasRules ? 'refuses nothing' : 'has no rules'}.`]
        : []),
    ].join(' '),
    asked: '',
    panels: [
      ...waitingPanel(seen),
      transcriptPanel(seen, count, hasRules),
      ...(hasRules ? refusedPanel(seen, state) : []),
      countsPanel(state, hasRules),
      ...budgetsPanel(state),
      ...(pages.includes('course') ? coursePanel(seen) : []),
    ],
  };
}
