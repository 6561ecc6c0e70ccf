/** What a decision of the controller says, in people's words: a row for each kind of message. */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import type { Text } from '@assay/kernel/view';
import type { ControllerEvent } from '../loop/events.js';
import { words } from './panels.js';

/** Kind of message → its words, and the field of its body that is quoted behind them. */
const MESSAGES: { readonly [kind: string]: readonly [says: string, quoted: string | null] } = {
  UserInput: ['asked', 'text'],
  TaskSpec: ['understood', 'intent'],
  PerceptionFailure: ['not understood', 'why'],
  MemoryQuery: ['memory is asked', null],
  MemoryRecall: ['memory answered', null],
  PlanFailure: ['no plan', 'why'],
  NegativeFeedback: ['the plan is sent back', 'why'],
  ConfirmationRequest: ['waits for a person', 'target'],
  Confirmation: ['a person decided', 'approved'],
  ExecutionResult: ['result', 'output'],
  CorrectionSignal: ['to be done again', 'what_was_wrong'],
  SubTaskOutcome: ['judged', 'status'],
  ReplanRequest: ['a new plan is needed', 'gap_summary'],
  OutcomeSummary: ['outcome', 'summary'],
  FinalResult: ['decided', 'directive'],
};

/** What the events of a decision come to. */
export function sayEvents(events: readonly ControllerEvent[]): Text {
  const said = events.flatMap((event) => {
    const pieces = sayEvent(event);
    return pieces.length === 0 ? [] : [pieces];
  });
  const asked = events.flatMap((event) => (event.t === 'asked' ? [event.kind] : []));
  if (said.length > 0) return said.flatMap((pieces, at) => (at === 0 ? pieces : ['; ', ...pieces]));
  return asked.length === 0 ? 'recorded' : `allowed; next: ${asked.join(', ')}`;
}

type Pieces = Exclude<Text, string>;

function sayEvent(event: ControllerEvent): Pieces {
  if (event.t === 'called') {
    const { tool, target, status } = event.call;
    return [{ said: target === null ? tool : `${tool} ${target}` }, `: ${words(status)}`];
  }
  if (event.t !== 'message') return [];
  const body = event.body as Json;
  const of = (key: string): Json => (isObject(body) ? (field(body, key) ?? null) : null);
  if (event.kind === 'DispatchManifest') {
    const subtasks = of('subtasks');
    const labels = isArray(subtasks) ? subtasks.map((one) => (isObject(one) ? field(one, 'label') : '')) : [];
    return ['plan: ', { said: labels.map(String).join(', ') }];
  }
  if (event.kind === 'PlanDirective') {
    const evaluation = of('evaluation');
    const directive = isObject(evaluation) ? field(evaluation, 'directive') : null;
    return typeof directive === 'string' ? [`decided: ${words(directive)}`] : [];
  }
  const [says, quoted] = MESSAGES[event.kind] ?? ['', null];
  const value = quoted === null ? null : of(quoted);
  if (says === '' || value === null || value === '') return says === '' ? [] : [says];
  return [
    `${says}: `,
    typeof value === 'string' && !/^[a-z_]+$/.test(value)
      ? { said: value }
      : words(typeof value === 'object' ? '' : String(value)),
  ];
}
