/**
 * Every law of the machine interface, for any machine. The open-request table folded from records alone: no
 * machine, and nothing of the kernel's own table. Laws of replay: the same log gives the same state, however
 * it is cut or fed. Source: ledger format; "State hash"; "Payloads".
 */
import fc from 'fast-check';
import {
  type Json,
  type Machine,
  type DecisionPayload,
  type EvidenceRecord,
  type Genesis,
  type OpenRequest,
  type RecordedProposal,
  type RejectionPayload,
  type Spent,
  encodeLine,
  type Failed,
  type Result,
  type Run,
  type RunFollower,
} from '@assay/kernel';
import { oneRequestOneAnswer, rejectionKeepsState, spendConserved } from './answers.js';
import {
  arrivalOrderInvariant,
  oldLedgerUnderBoth,
  refedEqualsParent,
  terminatesWithinBound,
} from './forks.js';
import { type Law, demandEqual, law, demand, LawViolation } from './law.js';
import { decideNeverMutates, decideTakesFailures, derivedAdmissible, parseTotal } from './machine-alone.js';
import {
  makeSetup,
  type LawOptions,
  type MachineArbitraries,
  countSteps,
  canonicalizeValue,
  type Setup,
  renderView,
} from './setup.js';
import { drive } from './script.js';

/**
 * The laws of a machine, in the order of {@link LawName}. Check them one by one, or register a test for
 * each with {@link registerLaws}. `outcome/arrival-order-invariant` and `run/terminates-within-policy-bound`
 * are in the list where the arbitraries state them.
 *
 * @example
 * ```ts
 * for (const { check } of machineLaws(tally, tallyArbitraries())) check(1_000);
 * ```
 * Source: machine interface, "Laws for every machine".
 */
export function machineLaws<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
  options?: LawOptions,
): readonly Law[] {
  const setup = makeSetup(machine, arbitraries, options);
  const { bound, invariantArrival } = arbitraries;
  return [
    parseTotal(setup),
    decideNeverMutates(setup),
    oneRequestOneAnswer(setup),
    decideTakesFailures(setup),
    derivedAdmissible(setup),
    spendConserved(setup),
    rejectionKeepsState(setup),
    sameLogSameState(setup),
    splitEqualsWhole(setup),
    cutAnywhere(setup),
    resumeEqualsWhole(setup),
    refedEqualsParent(setup),
    openTableDerivable(setup),
    ...(invariantArrival === undefined ? [] : [arrivalOrderInvariant(setup, invariantArrival)]),
    ...(bound === undefined ? [] : [terminatesWithinBound(setup, bound)]),
    oldLedgerUnderBoth(setup),
  ];
}

/**
 * The open requests after some whole groups, as State has them: request, attempts used, spent. Records must
 * be sound and not erased.
 */
export function foldOpenTable(records: readonly EvidenceRecord[]): ReadonlyMap<string, OpenRequest> {
  const table = new Map<string, OpenRequest>();
  let answering: RecordedProposal | null = null;
  for (const { kind, payload } of records) {
    if (kind === 'genesis') {
      for (const [id, row] of Object.entries((payload as Genesis).base?.snapshot?.open ?? {}))
        table.set(id, row);
    } else if (kind === 'proposal') {
      answering = payload as unknown as RecordedProposal;
    } else if (kind === 'rejection' && answering !== null) {
      charge(table, answering, (payload as unknown as RejectionPayload).code);
    } else if (kind === 'decision') {
      const { requests, withdrawn } = payload as unknown as DecisionPayload;
      if (answering !== null) table.delete(answering.request_id);
      for (const id of withdrawn) table.delete(id);
      for (const request of requests) table.set(request.id, { rejections: 0, request, spent: {} });
    }
  }
  return table;
}

function charge(
  table: Map<string, OpenRequest>,
  { request_id, spent }: RecordedProposal,
  code: string,
): void {
  const row = table.get(request_id);
  if (code === 'not_open' || row === undefined) return;
  const sum: Map<string, number> = new Map(Object.entries(row.spent));
  for (const [unit, amount] of Object.entries(spent)) sum.set(unit, (sum.get(unit) ?? 0) + amount);
  const total: Spent = Object.fromEntries(sum);
  table.set(request_id, {
    rejections: row.rejections + (code === 'source_not_accepted' ? 0 : 1),
    request: row.request,
    spent: total,
  });
}

/**
 * `requests/open-table-derivable-without-machine`: after every step the kernel's table is the one the records
 * give.
 */
export function openTableDerivable<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('requests/open-table-derivable-without-machine', countSteps(setup), (draw, length) => {
    const { first, records, run, steps } = drive(setup, draw, length);
    let seen = records.length - steps.reduce((sum, { step }) => sum + step.records.length, 0);
    for (const [index, at] of [first, ...steps.map(({ step }) => step.run)].entries()) {
      if (index > 0) seen += steps[index - 1]?.step.records.length ?? 0;
      const folded = [...foldOpenTable(records.slice(0, seen))].sort(([a], [b]) => byId(a, b));
      demandEqual(
        canonicalizeValue(folded, 'the folded table'),
        canonicalizeValue(
          [...at.open].sort(([a], [b]) => byId(a, b)),
          'the kernel’s table',
        ),
        `the open table after ${seen} records`,
      );
      demandEqual(
        canonicalizeValue(
          folded.map(([, { request }]) => request),
          'the folded requests',
        ),
        canonicalizeValue(setup.kernel.openRequests(at), 'the kernel’s requests'),
        `the open requests after ${seen} records`,
      );
    }
    const close = records.at(-1);
    if (run.outcome !== null && close?.kind === 'close') {
      const listed = (close.payload as unknown as { readonly open_requests: Json }).open_requests;
      demandEqual(
        canonicalizeValue([...foldOpenTable(records).keys()].sort(byId), 'the folded ids'),
        canonicalizeValue(listed, 'the listed ids'),
        'open_requests of the close',
      );
    }
  });
}

function byId(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
}

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
