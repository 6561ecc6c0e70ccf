/**
 * Makes the FinalResult: what was reached, everything that is unmet, who answers for it, and what could be
 * done next. Source: 002 §R7 `FinalResult`, "Accountability Map"; 003 §9, Laws 0 and 2, §10; dec-G4, dec-G17.
 */
import { cutText } from '@assay/kernel';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { SUMMARY_MAX } from '../protocol/criteria.js';
import { accountableFor, endsUnanswered, NO_ANSWER } from './fan-in.js';
import type { SubTaskOutcome } from './events.js';
import type { FinalResult, NextMove, Unmet } from './final-result.js';
import type { ControllerState } from './state.js';

/** The result of a task that ends with this evaluation. */
export function finalResult(state: ControllerState, evaluation: GgsEvaluation): FinalResult {
  const { costs, merged, round } = state;
  const { directive, prev_directive, reason, D, P, Omega, L, grad_l } = evaluation;
  const unmet = listUnmet(state, evaluation);
  const kind = directive === 'accept' || directive === 'success' ? directive : 'abandon';
  const isUnheard = kind === 'abandon' && !STOP_MOVES.has(reason) && endsUnanswered(state);
  const why = state.given_up?.why ?? (isUnheard ? NO_ANSWER : null);
  return {
    format: 'assay/final-result/1',
    directive: kind,
    prev_directive,
    reason,
    why,
    summary: writeSummary(state, kind, { reason, why }, unmet),
    output: merged?.merged_output ?? null,
    // R4b that gave no verdict merged nothing: what the sub-tasks brought is all there is.
    partial: (merged?.verdicts ?? []).length > 0 ? [] : makePartial(state),
    loss: { D, P, Omega, L },
    grad_l,
    replans: round,
    unmet,
    // Neither other words nor more rounds make somebody answer.
    next_moves: kind === 'abandon' && !isUnheard ? nextMoves(state, reason, unmet) : [],
    accountable: kind === 'accept' ? [] : accountableFor(state, evaluation),
    costs: {
      calls: costs.calls,
      sequential_calls: costs.depth,
      tool_calls: costs.tool_calls,
      spent: costs.spent,
    },
  };
}

/** Every criterion that is not met, with what was seen of it: nothing unmet is left out (Law 0, dec-G4). */
function listUnmet(state: ControllerState, { unmet }: GgsEvaluation): readonly Unmet[] {
  const { plan, progress, merged } = state;
  const seen = new Map<string, Pick<Unmet, 'verdict' | 'failure_class' | 'evidence'>>();
  for (const { id } of plan?.subtasks ?? []) {
    for (const { criterion, verdict, failure_class, evidence } of progress.get(id)?.outcome?.verdicts ?? []) {
      if (verdict === 'fail') seen.set(criterion, { verdict, failure_class, evidence });
    }
  }
  for (const { criterion, verdict, failure_class, evidence } of merged?.verdicts ?? []) {
    if (verdict !== 'pass') seen.set(criterion, { verdict, failure_class, evidence });
  }
  return unmet.flatMap(({ id, text, hard }): readonly Unmet[] => {
    if (id === null) return [];
    const found = seen.get(id) ?? {
      verdict: hasRun(id, state) ? 'none' : 'not_run',
      failure_class: null,
      evidence: '',
    };
    return [{ criterion: id, text: text ?? '', hard, ...found }];
  });
}

/** Whether what a criterion speaks of was there to be judged: its sub-task, or the combined output. */
function hasRun(criterion: string, { plan, progress, merged }: ControllerState): boolean {
  const owner = plan?.subtasks.find(({ criteria }) => criteria.some(({ id }) => id === criterion));
  if (owner === undefined) return merged?.asked === true;
  return progress.get(owner.id)?.outcome !== undefined;
}

function makePartial({ plan, progress }: ControllerState): FinalResult['partial'] {
  return (plan?.subtasks ?? []).flatMap(({ id, intent }) => {
    const outcome = progress.get(id)?.outcome ?? null;
    return outcome === null || (outcome.status === 'failed' && outcome.output === '')
      ? []
      : [{ subtask: id, intent, status: outcome.status, output: outcome.output }];
  });
}

function writeSummary(
  state: ControllerState,
  directive: FinalResult['directive'],
  { reason, why }: Pick<FinalResult, 'reason' | 'why'>,
  unmet: readonly Unmet[],
): string {
  const { setup, merged, task, plan, progress } = state;
  const said = merged?.summary ?? '';
  const asked = reason === NO_ANSWER ? (setup?.input.text ?? '') : 'the request was not understood';
  const what = said === '' ? (task?.intent ?? asked) : said;
  if (directive === 'accept') return cutText(what, SUMMARY_MAX);
  const because = why === null ? reason : `${reason}, ${why}`;
  if (plan === null) return cutText(`not achieved (${because}): nothing was planned. ${what}`, SUMMARY_MAX);
  const done = plan.subtasks
    .flatMap(({ id }) => progress.get(id)?.calls ?? [])
    .flatMap(({ kind, status, tool, target }) =>
      kind === 'act' && status === 'ok' ? `${tool} ${target}` : [],
    );
  const before = cutText(done.join(', '), SUMMARY_MAX / 2) || 'nothing';
  const open =
    reason === 'not_confirmed'
      ? `${findRefused(state)} was not allowed; done before: ${before}`
      : unmet.length === 1
        ? '1 criterion is not met'
        : `${unmet.length} criteria are not met`;
  return cutText(
    directive === 'success'
      ? `close enough: ${open}. ${what}`
      : `not achieved (${because}): ${open}. ${what}`,
    SUMMARY_MAX,
  );
}

/**
 * What could be done next, from templates: by the reason first, then by what stood in the way. Source: 003 §9
 * Law 2.
 */
function nextMoves(state: ControllerState, reason: string, unmet: readonly Unmet[]): readonly NextMove[] {
  const { plan, progress } = state;
  const reasons = new Set(
    (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome?.reason ?? []),
  );
  const moves = [
    stopMove(state, reason) ?? askForLess(state),
    // Where a plan was carried out and no other is made, what was not met says what to do.
    reason === 'planner_gave_up' && plan !== null ? undefined : REASON_MOVES.get(reason),
    ...OUTCOME_MOVES.filter(([why]) => reasons.has(why)).map(([, move]) => move),
  ];
  const named = unmet.slice(0, reason === 'not_confirmed' ? 0 : MOVES_MAX).map(({ text }) => ({
    code: 'see_to',
    text: cutText(`see to this by hand or say it differently: ${text}`, SUMMARY_MAX),
  }));
  return [...moves.flatMap((move) => move ?? []), ...named];
}

/** Where one call ended the task: what it was about, first of all. Source: calls/C7, calls/C8. */
function stopMove(state: ControllerState, reason: string): NextMove | undefined {
  const say = STOP_MOVES.get(reason);
  if (reason === 'not_confirmed') return say?.(findRefused(state));
  const [call] = findOutcomes(state, reason).flatMap(({ calls }) => calls);
  return say?.(call === undefined ? '' : cutText(`${call.tool} ${call.target}`, SAID_MAX));
}

/** The call that was not allowed, as its sub-task's last attempt names it. */
function findRefused(state: ControllerState): string {
  return findOutcomes(state, 'not_confirmed')[0]?.trajectory.at(-1)?.why ?? '';
}

function findOutcomes({ plan, progress }: ControllerState, reason: string): readonly SubTaskOutcome[] {
  return (plan?.subtasks ?? [])
    .flatMap(({ id }) => progress.get(id)?.outcome ?? [])
    .filter((outcome) => outcome.reason === reason);
}

/**
 * Where the work of a sub-task that failed ended at a call that a bound of its tool cut short: no other words
 * help, where as much is asked.
 */
function askForLess({ plan, progress }: ControllerState): NextMove | undefined {
  for (const { id } of plan?.subtasks ?? []) {
    const { outcome, calls } = progress.get(id) ?? { outcome: null, calls: [] };
    const last = calls.at(-1);
    if (outcome?.status !== 'failed' || last?.status !== 'truncated') continue;
    const said = ` (${cutText(`${last.tool} ${last.target}`, SAID_MAX)})`;
    return {
      code: 'ask_for_less',
      text:
        `no whole answer came of a tool${said}: ask for less at a time, such as one folder, or ` +
        'give the tool more room',
    };
  }
  return undefined;
}

const MOVES_MAX = 3;
const SAID_MAX = 160;
const STOP_MOVES: ReadonlyMap<string, (call: string) => NextMove> = new Map([
  [
    'law1_breach',
    (call) => ({
      code: 'look',
      text: `${call} changed what cannot be brought back, and nobody had confirmed it: look what was changed`,
    }),
  ],
  [
    'not_confirmed',
    (call) => ({
      code: 'confirm',
      text: `confirm what cannot be undone, or ask for a way without it: ${call}`,
    }),
  ],
  ['input_missing', (call) => ({ code: 'input_missing', text: `${call} is not there: name what is` })],
]);
const REASON_MOVES: ReadonlyMap<string, NextMove> = new Map([
  [
    'omega',
    { code: 'more_budget', text: 'give more replans or more time, where the last rounds came closer' },
  ],
  [
    'law2',
    { code: 'other_goal', text: 'the last rounds made it worse: split the task, or change what is asked' },
  ],
  ['no_tools_left', { code: 'more_tools', text: 'every tool is blocked: allow another tool' }],
  [
    'planner_gave_up',
    {
      code: 'other_planner',
      text: 'no plan was acceptable: allow another tool, use another planner, or relax what forbids its plans',
    },
  ],
  ['perceiver_gave_up', { code: 'say_again', text: 'say the request in other words' }],
  ['no_op_loop', { code: 'break_loop', text: 'every round did the same: change the request or the tools' }],
]);
const OUTCOME_MOVES: readonly (readonly [reason: string, move: NextMove])[] = [
  [
    'loop',
    { code: 'break_loop', text: 'the same calls gave the same results: change the request or the tools' },
  ],
  ['no_calls_left', { code: 'more_calls', text: 'allow more calls, or ask for less at a time' }],
];
