/**
 * Stopping rules over a trace (traces.mjs). Each gives { round, calls, completed, end } for the place where
 * it stops, or null where it lets the trace run out. `round`: rounds begun, from 1; `calls`: calls made;
 * `completed`: rounds that were finished; `end`: `gave_up`, or `delivered` where the rule hands over what
 * there is as good enough.
 *
 * @module
 */
import { createHash } from 'node:crypto';

/** Stops before the call after the `limit`-th: counts, and looks at nothing. */
export function maxTurns(limit) {
  return (trace) => atCall(trace, (calls) => calls.length > limit);
}

/**
 * The repeat rules of OpenHands as B.1 states them: the last four action and observation pairs alike; the
 * last three actions alike and each an error; three equal messages with nothing between; A-B-A-B over the
 * last six pairs.
 */
export function repeatRules(trace) {
  return atCall(trace, (calls) => {
    const pair = (back) => `${actionOf(calls.at(-back))} ${calls.at(-back)?.output}`;
    const same = (count, of) =>
      calls.length >= count &&
      Array.from({ length: count - 1 }, (_, index) => of(index + 2)).every((one) => one === of(1));
    const action = (back) => actionOf(calls.at(-back));
    if (same(4, pair)) return true;
    if (same(3, action) && calls.slice(-3).every(({ error }) => error)) return true;
    if (same(3, pair) && calls.slice(-3).every(({ tool }) => tool === 'message')) return true;
    return (
      calls.length >= 6 &&
      pair(1) !== pair(2) &&
      [1, 2].every((back) => pair(back) === pair(back + 2) && pair(back) === pair(back + 4))
    );
  });
}

/**
 * Gives up after `limit` rounds in a row in which the number of unmet criteria did not fall: a judge that is
 * never wrong.
 */
export function stall(limit) {
  return (trace) => {
    let stalls = 0;
    let best = Infinity;
    let calls = 0;
    for (const [index, round] of trace.rounds.entries()) {
      calls += round.calls.length;
      stalls = round.unmet.length < best ? 0 : stalls + 1;
      best = Math.min(best, round.unmet.length);
      if (round.unmet.length > 0 && stalls >= limit)
        return { round: index + 1, calls, completed: index + 1, end: 'gave_up' };
    }
    return null;
  };
}

/**
 * The goal gradient under a policy, evaluated after each round as the controller does it, its loop guards
 * included. `controller`: its parts (loop-parts.mjs).
 */
export function goalGradient(controller, policy, guardPolicy) {
  const { evaluateGgs, initialGgsHistory, isNoOpLoop, isTerminal, NO_ROUNDS, patternIn, roundEnded } =
    controller;
  return (trace) => {
    let [history, acts, rounds, calls, elapsed] = [initialGgsHistory, [], NO_ROUNDS, 0, 0];
    for (const [index, round] of trace.rounds.entries()) {
      calls += round.calls.length;
      elapsed += round.calls.reduce((sum, { seconds }) => sum + seconds, 0);
      const made = round.calls.flatMap((call) =>
        call.kind === 'look' ? [] : [digest(`${actionOf(call)} ${call.output}`)],
      );
      // A trace is one sub-task: its patterns are looked for in all of its calls.
      acts = [...acts, ...made];
      rounds = roundEnded(rounds, made, (digests) => digest(digests.join(' ')));
      const code = patternIn(acts, guardPolicy) ?? (isNoOpLoop(rounds, guardPolicy) ? 'no_op_loop' : null);
      const evaluation = evaluateGgs(
        policy,
        roundInput(round, {
          history,
          replan_count: index,
          elapsed_us: elapsed * 1_000_000,
          guard: code === null ? null : { code },
        }),
      );
      if (isTerminal(evaluation.directive)) {
        const stop = {
          round: index + 1,
          calls,
          completed: index + 1,
          end: evaluation.directive === 'abandon' ? 'gave_up' : 'delivered',
          reason: evaluation.reason,
        };
        return index === trace.rounds.length - 1 && evaluation.directive === 'accept' ? null : stop;
      }
      history = evaluation.history;
      // As the controller: a round that came closer starts the count of equal calls anew.
      if (evaluation.gap_trend === 'improving') [acts, rounds] = [[], { ...rounds, same_rounds: 0 }];
    }
    return null;
  };
}

const TOOLS = ['edit', 'read', 'search', 'shell', 'write'].map((tool) => ({ tool, class: tool }));
const CRITERIA = 10;

function roundInput({ calls, unmet }, more) {
  const base = { scope: 'subtask', subtask: 's1', mode: 'verifiable', hard: false, attempts: 1, text: '' };
  const failing = unmet.map(({ id, failure_class }) => ({
    ...base,
    id,
    failed_attempts: 1,
    verdict: 'fail',
    failure_class,
  }));
  const met = Array.from({ length: Math.max(0, CRITERIA - unmet.length) }, (_, index) => ({
    ...base,
    id: `met${index}`,
    failed_attempts: 0,
    verdict: 'pass',
    failure_class: null,
  }));
  return {
    criteria: [...failing, ...met],
    failed_subtasks: unmet.length === 0 ? [] : ['s1'],
    r4b_rejected: false,
    all_matched: unmet.length === 0,
    deadline_us: null,
    failing_tools: unmet.length === 0 ? [] : calls.map(({ tool }) => ({ tool, class: tool })),
    failing_targets: unmet.length === 0 ? [] : calls.map(({ tool, input }) => ({ tool, target: input })),
    tools: TOOLS,
    abandon_now: null,
    ...more,
  };
}

/**
 * Where a rule over the calls so far first says stop; the last call it was shown is not made where it only
 * counts.
 */
function atCall(trace, isStop) {
  const calls = [];
  for (const [index, round] of trace.rounds.entries()) {
    for (const call of round.calls) {
      calls.push(call);
      if (isStop(calls)) return { round: index + 1, calls: calls.length, completed: index, end: 'gave_up' };
    }
  }
  return null;
}

function actionOf(call) {
  return `${call?.tool} ${call?.input}`;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}
