/**
 * Laws of replay: the same log gives the same state, however it is cut or fed.
 *
 * @module
 */
import {
  encodeLine,
  type EvidenceRecord,
  type Failed,
  type Json,
  type Result,
  type Run,
  type RunFollower,
} from '@assay/kernel';
import fc from 'fast-check';
import { demand, demandEqual, law, LawViolation, type Law } from './law.js';
import { drive } from './script.js';
import { countSteps, renderView, type Setup } from './setup.js';

/** `replay/same-log-same-state`: two replays of one log, fed in turn, end where the run ended. */
export function sameLogSameState<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('replay/same-log-same-state', countSteps(setup), (draw, length) => {
    const { records, run } = drive(setup, draw, length);
    const expected = renderView(run);
    let one = begin(setup, records);
    let two = begin(setup, records);
    for (const record of records.slice(1)) {
      one = fed(one, [record]);
      two = fed(two, [record]);
    }
    demandEqual(expected, renderView(one.run), 'the state after a replay');
    demandEqual(expected, renderView(two.run), 'the state after a second replay');
    demand(
      one.due.length === 0 && one.summary_hash === two.summary_hash && one.outcome === run.outcome,
      () => 'a whole ledger has no records due and one summary',
    );
  });
}

/** `replay/split-equals-whole`: a follower kept anywhere goes on later, more than once, to the same end. */
export function splitEqualsWhole<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('replay/split-equals-whole', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    const whole = renderView(fed(begin(setup, records), records.slice(1)).run);
    const at = 1 + draw(fc.nat(records.length - 1));
    const kept = fed(begin(setup, records), records.slice(1, at));
    for (const what of ['the rest', 'the rest, fed again'])
      demandEqual(
        whole,
        renderView(fed(kept, records.slice(at)).run),
        `the state after ${what} from record ${at}`,
      );
  });
}

/**
 * `replay/cut-anywhere-due-completes`: wherever a ledger is cut, the records due are the next ones of it, up
 * to the end of their group.
 */
export function cutAnywhere<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('replay/cut-anywhere-due-completes', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    let follower = begin(setup, records);
    for (let cut = 1; cut <= records.length; cut += 1) {
      if (cut > 1) follower = fed(follower, records.slice(cut - 1, cut));
      const { due } = follower;
      const end = cut + due.length;
      demandEqual(
        records.slice(cut, end).map(encodeLine).join('\n'),
        due.map(encodeLine).join('\n'),
        `what is due after ${cut} records`,
      );
      demand(
        end === records.length || records[end]?.kind === 'proposal',
        () => `after ${cut} records and ${due.length} due ones a group is still open`,
      );
      demand(fed(follower, due).due.length === 0, () => `after ${cut} records and those due, more are due`);
    }
  });
}

/** `snapshot/resume-equals-whole`: a run taken up from its snapshot is the same run, and goes on the same. */
export function resumeEqualsWhole<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('snapshot/resume-equals-whole', countSteps(setup), (draw, length) => {
    const target = draw(fc.nat(length));
    const stops: { readonly view: string; readonly count: number; readonly json: unknown }[] = [];
    const look = (run: Run<S, I, E, A>): void => {
      const json = setup.kernel.snapshot(run);
      if (json !== null && (stops.length <= target || stops.length === 0))
        stops.push({ view: renderView(run), count: run.count, json });
    };
    const { records, run } = drive(setup, draw, length, {
      opened: look,
      after: ({ step }) => (look(step.run), null),
    });
    const stop = stops.at(-1);
    if (stop === undefined) throw new LawViolation('the first group has no snapshot');
    const taken = setup.kernel.resumeRun(setup.machine, stop.json, setup.options);
    if (taken._tag === 'Left') throw new LawViolation(`resume gives ${taken.left.code}`);
    demandEqual(stop.view, renderView(taken.right), 'the run taken up');
    const fedSoFar = stop.count - (run.count - records.length);
    const resumed = fed(
      setup.kernel.followFrom(taken.right, fedSoFar, setup.options),
      records.slice(fedSoFar),
    );
    demandEqual(renderView(run), renderView(resumed.run), 'the run that went on from its snapshot');
  });
}

/** Starts a replay of a ledger that must start. */
export function begin<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  records: readonly EvidenceRecord[],
): RunFollower<S, I, E, A> {
  const [genesis] = records;
  if (genesis === undefined) throw new LawViolation('a ledger without records');
  return followed(setup.kernel.follow(setup.machine, genesis, setup.options));
}

function fed<S, I, E extends Json, A extends Json>(
  from: RunFollower<S, I, E, A>,
  records: readonly EvidenceRecord[],
): RunFollower<S, I, E, A> {
  let follower = from;
  for (const record of records) follower = followed(follower.feed(record));
  return follower;
}

function followed<F>(result: Result<Failed, F>): F {
  if (result._tag === 'Right') return result.right;
  const { code, expected, field, got, record } = result.left;
  throw new LawViolation(
    `replay: ${code} at record ${record}, ${field ?? 'the whole'}: expected ` +
      `${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
  );
}
