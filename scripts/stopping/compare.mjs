/**
 * The comparison: every rule on every trace of every family, and what is counted.
 *
 * @module
 */
import { FAMILIES, FIRST_SEED, traceOf } from './traces.mjs';
import { goalGradient, maxTurns, repeatRules, stall } from './rules.mjs';

/** The rules by name, in the order they are shown. `controller`: its parts (loop-parts.mjs). */
export function rulesOf(controller) {
  const { defaultGgsPolicy, defaultGuardPolicy, literalGgsPolicy } = controller;
  const wide = { ...defaultGgsPolicy, max_replans: 25, time_budget_us: 3_600_000_000 };
  return {
    'goal gradient, default': goalGradient(controller, defaultGgsPolicy, defaultGuardPolicy),
    'goal gradient, 25 replans and an hour': goalGradient(controller, wide, defaultGuardPolicy),
    'goal gradient, literal': goalGradient(controller, literalGgsPolicy, defaultGuardPolicy),
    '25 turns': maxTurns(25),
    'repeat rules': repeatRules,
    'stall 3': stall(3),
  };
}

/**
 * What became of a trace under a rule. `finished`: it ran to its good end. `false_stop`: given up while more
 * would have come of it. `delivered_early`: handed over as good enough while more would have come of it.
 * `stopped`: given up or handed over when nothing more would have come. `never`: it ran to the horizon.
 */
export function fateOf(trace, stop) {
  if (stop === null) return trace.healthy ? 'finished' : 'never';
  const isOver = !trace.healthy && stop.completed >= trace.onset;
  if (isOver) return 'stopped';
  return stop.end === 'delivered' ? 'delivered_early' : 'false_stop';
}

/** Calls made after the last round of which something came; 0 for a healthy trace. */
function wastedCalls(trace, stop) {
  if (trace.healthy) return 0;
  const useful = trace.rounds.slice(0, trace.onset).reduce((sum, { calls }) => sum + calls.length, 0);
  const made = stop === null ? trace.rounds.reduce((sum, { calls }) => sum + calls.length, 0) : stop.calls;
  return Math.max(0, made - useful);
}

/** One row for each family and rule, over `seeds` traces. Shares are parts of 1,000. */
export function compare(controller, seeds) {
  const rows = [];
  for (const family of Object.keys(FAMILIES)) {
    const traces = Array.from({ length: seeds }, (_, index) => traceOf(family, FIRST_SEED + index));
    for (const [rule, stopOf] of Object.entries(rulesOf(controller)))
      rows.push(rowOf(family, rule, traces, stopOf));
  }
  return rows;
}

function rowOf(family, rule, traces, stopOf) {
  const found = traces.map((trace) => {
    const stop = stopOf(trace);
    return {
      fate: fateOf(trace, stop),
      rounds: stop?.round ?? trace.rounds.length,
      wasted: wastedCalls(trace, stop),
      isDelivered: stop?.end === 'delivered',
    };
  });
  const share = (isIt) => Math.round((1_000 * found.filter(isIt).length) / found.length);
  const rounds = found.map((one) => one.rounds).toSorted((a, b) => a - b);
  const wasted = found.map((one) => one.wasted).toSorted((a, b) => a - b);
  return {
    family,
    rule,
    traces: found.length,
    rounds_median: rounds[Math.floor(rounds.length / 2)],
    rounds_most: rounds.at(-1),
    wasted_calls_median: wasted[Math.floor(wasted.length / 2)],
    finished: share(({ fate }) => fate === 'finished'),
    false_stop: share(({ fate }) => fate === 'false_stop'),
    delivered_early: share(({ fate }) => fate === 'delivered_early'),
    stopped: share(({ fate }) => fate === 'stopped'),
    delivered: share(({ isDelivered }) => isDelivered),
    never: share(({ fate }) => fate === 'never'),
  };
}
