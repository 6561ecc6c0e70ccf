/**
 * Traces of agents at work, drawn from seeds: six families of planner-controller B.3 item 5. A trace is what
 * happened round by round whether or not anybody stops it: it does not react to a directive.
 *
 * A round is { calls: [{ tool, kind, input, output, error, seconds }], unmet: [{ id, failure_class }] }: what
 * tools did, and which of ten criteria are unmet at its end. `healthy`: left alone, the task ends with
 * everything met in its last round. `onset`: of a trace that is not healthy, the number of rounds after which
 * nothing more comes of it.
 *
 * Written, and its seeds chosen, before any rule was run on it.
 *
 * @module
 */

/** Seeds of the whole comparison: so many from this one on, the same for every family. */
export const FIRST_SEED = 20_260_101;
export const SEEDS = 200;

/** Criteria of every task. */
export const CRITERIA = 10;
/** Rounds of a trace in which nothing more happens: enough for any rule that ever stops. */
export const HORIZON = 60;

/** Numbers from a seed: a 32-bit xorshift after one multiplication, the same on every engine. */
function numbers(seed) {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  for (let warm = 0; warm < 8; warm += 1) next();
  return {
    between: (low, high) => low + (next() % (high - low + 1)),
    oneOf: (items) => items[next() % items.length],
    half: () => next() % 2 === 0,
  };
}

const call = (draw, tool, kind, input, output, error = false) => ({
  tool,
  kind,
  input,
  output,
  error,
  seconds: draw.between(2, 8),
});
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Criteria number `from` to the last, unmet for one reason. */
function unmetFrom(from, failure_class) {
  return times(Math.max(0, CRITERIA - from), (index) => ({ id: `c${from + index}`, failure_class }));
}

/** Rounds of honest work: each call is another one, and one more criterion is met at the end of each. */
function progress(draw, rounds, failure_class) {
  return times(rounds, (round) => ({
    calls: times(draw.between(2, 4), (index) =>
      call(
        draw,
        draw.oneOf(['edit', 'search', 'shell']),
        'act',
        `step ${round}.${index}`,
        `done ${round}.${index}`,
      ),
    ),
    unmet: unmetFrom(round + 1, failure_class),
  }));
}

/** Good rounds first, then `stuck(round)` up to the horizon with the same criteria unmet. */
function stuckAfter(draw, stuck) {
  const failure_class = draw.oneOf(['logical', 'environmental']);
  const onset = draw.between(0, 3);
  const unmet = unmetFrom(onset, failure_class);
  const rounds = [
    ...progress(draw, onset, failure_class),
    ...times(HORIZON - onset, (round) => ({ calls: stuck(round), unmet })),
  ];
  return { healthy: false, onset, rounds };
}

/** The same call, the same answer, one to four times a round. */
function identicalRepeat(draw) {
  const isError = draw.half();
  const tool = draw.oneOf(['shell', 'search', 'write']);
  return stuckAfter(draw, () =>
    times(draw.between(1, 4), () =>
      call(draw, tool, 'act', 'make the report', isError ? 'no such file: report' : 'nothing to do', isError),
    ),
  );
}

/** The same attempt in other words each time: another flag, another path, another answer. */
function nearRepeat(draw) {
  const isError = draw.half();
  let attempt = 0;
  return stuckAfter(draw, () =>
    times(draw.between(1, 4), () => {
      attempt += 1;
      return call(draw, 'search', 'act', `report --try ${attempt}`, `not found (${attempt})`, isError);
    }),
  );
}

/**
 * Adds a line, removes it again; both succeed. In half of the traces the tool says how often it has done so.
 */
function successfulOscillation(draw) {
  const counts = draw.half();
  let turn = 0;
  return stuckAfter(draw, () =>
    times(draw.between(1, 3), () => {
      turn += 1;
      const verb = turn % 2 === 1 ? 'add' : 'remove';
      return call(draw, 'edit', 'act', `${verb} the line`, counts ? `ok, edit ${turn}` : 'ok');
    }),
  );
}

/**
 * One criterion of ten a round; in half of the traces each round ends with the same routine call and the same
 * answer.
 */
function slowProgress(draw) {
  const routine = draw.half();
  const rounds = progress(draw, CRITERIA, draw.oneOf(['logical', 'environmental']));
  const kind = draw.oneOf(['look', 'act']);
  return {
    healthy: true,
    onset: null,
    rounds: rounds.map((round) =>
      routine
        ? { ...round, calls: [...round.calls, call(draw, 'shell', kind, 'lint', 'no findings')] }
        : round,
    ),
  };
}

/**
 * Starts a job and asks for its state until it is done; eight calls make a round. In half of the traces the
 * state is one word.
 */
function polling(draw) {
  const counts = draw.half();
  const kind = draw.oneOf(['look', 'act']);
  const checks = draw.between(6, 24);
  const waiting = unmetFrom(draw.between(2, 6), 'environmental');
  const calls = [
    call(draw, 'shell', 'act', 'start the job', 'started'),
    ...times(checks, (index) =>
      call(
        draw,
        'shell',
        kind,
        'job status',
        index === checks - 1
          ? 'done'
          : counts
            ? `running, ${Math.floor((100 * (index + 1)) / checks)} %`
            : 'running',
      ),
    ),
  ];
  const rounds = times(Math.ceil(calls.length / 8), (round) => ({
    calls: calls.slice(8 * round, 8 * round + 8),
    unmet: waiting,
  }));
  return {
    healthy: true,
    onset: null,
    rounds: rounds.map((round, index) => (index === rounds.length - 1 ? { ...round, unmet: [] } : round)),
  };
}

/** The work is done; each review of it finds something new and mends it, ever smaller, never nothing. */
function fallingSeverity(draw) {
  const onset = draw.between(1, 3);
  const first = draw.between(2, 5);
  const pace = draw.between(2, 4);
  const work = progress(draw, onset, 'logical').map((round, index) => ({
    ...round,
    unmet: unmetFrom(Math.min(CRITERIA - first, 3 * (index + 1)), 'logical'),
  }));
  const reviews = times(HORIZON - onset, (round) => ({
    calls: times(draw.between(3, 5), (index) =>
      call(
        draw,
        draw.oneOf(['edit', 'search']),
        'act',
        `finding ${round}.${index}`,
        `mended ${round}.${index}`,
      ),
    ),
    unmet: times(Math.max(1, first - Math.floor((round + 1) / pace)), (index) => ({
      id: `r${round}.${index}`,
      failure_class: 'logical',
    })),
  }));
  return { healthy: false, onset, rounds: [...work, ...reviews] };
}

/** The families by name, in the order they are shown. */
export const FAMILIES = Object.freeze({
  'identical repeat': identicalRepeat,
  'near repeat, varying arguments': nearRepeat,
  'successful oscillation': successfulOscillation,
  'slow real progress': slowProgress,
  polling,
  'self-review, falling severity': fallingSeverity,
});

/** The trace of a family and a seed. */
export function traceOf(family, seed) {
  return FAMILIES[family](numbers(seed));
}
