/** Laws that hold two runs together: a fork and its parent, two orders of arrival, two versions. */
import {
  field,
  isObject,
  replayable,
  type DecisionPayload,
  type EvidenceRecord,
  type Json,
  type Proposal,
  type Replayable,
  type Request,
  type Run,
} from '@assay/kernel';
import fc from 'fast-check';
import { failingProposal, goodProposal } from '../generators/proposals.js';
import { demand, demandEqual, type Draw, law, type Law, LawViolation } from './law.js';
import { drive, openDrawn, ordinaryFailure, take } from './script.js';
import { countSteps, canonicalizeValue, type Setup } from './setup.js';

/**
 * `fork/refed-equals-parent`: under the same policy and machine a fork fed with its parent's proposals does
 * what the parent did.
 */
export function refedEqualsParent<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('fork/refed-equals-parent', countSteps(setup), (draw, length) => {
    const { genesis, records, run } = drive(setup, draw, length);
    const base = { run_id: genesis.run_id, count: run.count, hash: run.hash, snapshot: null };
    const fork = setup.kernel.forkRun(
      setup.machine,
      { ...genesis, run_id: 'fork.of-it', ts_base: 'fork', base },
      records,
      setup.options,
    );
    if (fork._tag === 'Left') throw new LawViolation(`the fork does not open: ${fork.left.code}`);
    const lost = records.flatMap(({ kind }, index) =>
      kind === 'proposal' && isNotOpen(records[index + 1]) ? [index] : [],
    );
    demandEqual(
      canonicalizeValue(lost, 'left over'),
      canonicalizeValue(fork.right.leftOver, 'left over'),
      'what is left over',
    );
    demandEqual(renderCourse(records), renderCourse(fork.right.records), 'the course of the fork');
  });
}

/**
 * Kinds of records, rejection codes, requests and status: what a fork shares with its parent. Ids and hashes
 * are its own.
 */
function renderCourse(records: readonly EvidenceRecord[]): string {
  const course: Json[] = [];
  for (const [index, record] of records.entries()) {
    if (isNotOpen(record) || isNotOpen(records[index + 1])) continue;
    course.push([record.kind, readDetail(record)]);
  }
  return canonicalizeValue(course, 'a course');
}

function readDetail({ kind, payload }: EvidenceRecord): Json {
  if (!isObject(payload)) return null;
  if (kind === 'rejection') return field(payload, 'code') ?? null;
  if (kind === 'close') return [field(payload, 'status') ?? null, field(payload, 'reasons') ?? null];
  if (kind === 'artifact') return field(payload, 'name') ?? null;
  if (kind !== 'decision') return null;
  const { requests, withdrawn } = payload as unknown as DecisionPayload;
  return [
    requests.map(({ accepts, attempts, body, kind: asked }) => ({ accepts, attempts, body, kind: asked })),
    withdrawn.length,
  ];
}

function isNotOpen(record: EvidenceRecord | undefined): boolean {
  return (
    record?.kind === 'rejection' && isObject(record.payload) && field(record.payload, 'code') === 'not_open'
  );
}

/**
 * `outcome/arrival-order-invariant`: independent answers may come in any order; each request's own attempts
 * keep theirs.
 */
export function arrivalOrderInvariant<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  covers: (request: Request<A>) => boolean,
): Law {
  return law('outcome/arrival-order-invariant', countSteps(setup), (draw) => {
    const { step } = openDrawn(setup, draw);
    const asked = setup.kernel.openRequests(step.run).filter(covers);
    const queues = asked.map((request) => ({
      request,
      attempts: attemptsAt(setup, step.run, request, draw),
    }));
    const order = queues.flatMap(({ attempts }, index) => attempts.map(() => index));
    const [one, two] = [0, 1].map(() =>
      renderOutcome(
        setup,
        step.run,
        queues.map(({ attempts }) => attempts),
        draw(fc.shuffledSubarray(order, { minLength: order.length })),
      ),
    );
    demandEqual(one ?? '', two ?? '', 'the outcome in another order');
  });
}

function attemptsAt<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
  request: Request<A>,
  draw: Draw,
): readonly Proposal[] {
  const attempt = (): Proposal =>
    draw(
      draw(fc.nat(3)) === 0
        ? failingProposal(request, ordinaryFailure())
        : goodProposal(request, draw(setup.arbitraries.answer(request, run.state))),
    );
  return Array.from({ length: 1 + draw(fc.nat(2)) }, attempt);
}

/** Answers in an order of requests: of those already settled, what is left is dropped. */
function renderOutcome<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  start: Run<S, I, E, A>,
  queues: readonly (readonly Proposal[])[],
  order: readonly number[],
): string {
  const next = queues.map(() => 0);
  let run = start;
  let status: Json = null;
  const contents = new Map<string, Json>();
  for (const at of order) {
    const proposal = queues[at]?.[next[at] ?? 0];
    next[at] = (next[at] ?? 0) + 1;
    if (proposal === undefined || run.outcome !== null || !run.open.has(proposal.request_id)) continue;
    const { step } = take(setup, run, proposal);
    run = step.run;
    for (const { kind, payload } of step.records) {
      if (!isObject(payload)) continue;
      const name = field(payload, 'name');
      if (kind === 'artifact' && typeof name === 'string')
        contents.set(name, field(payload, 'content') ?? null);
      if (kind === 'close') status = [field(payload, 'status') ?? null, field(payload, 'reasons') ?? null];
    }
  }
  return canonicalizeValue({ status, artifacts: Object.fromEntries(contents) }, 'an outcome');
}

/**
 * `run/terminates-within-policy-bound`: answers of any sort to requests with bounded attempts close the run
 * within the bound.
 */
export function terminatesWithinBound<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  bound: NonNullable<Setup<S, I, E, A>['arbitraries']['bound']>,
): Law {
  return law('run/terminates-within-policy-bound', 0, (draw) => {
    const { genesis, step } = openDrawn(setup, draw);
    const most = bound(genesis);
    let { run } = step;
    for (let steps = 0; run.outcome === null; steps += 1) {
      demand(steps < most, () => `the run is open after ${most} answers`);
      const open = setup.kernel.openRequests(run).filter(({ attempts }) => attempts > 0);
      demand(open.length > 0, () => `the run is open after ${steps} answers, and no request is bounded`);
      const request = draw(fc.constantFrom(...open));
      const value = draw(setup.arbitraries.answer(request, run.state));
      run = take(
        setup,
        run,
        draw(draw(fc.boolean()) ? failingProposal(request, ordinaryFailure()) : goodProposal(request, value)),
      ).step.run;
    }
  });
}

/**
 * `version/old-ledger-under-both`: a ledger is replayed by its own version among any others, and by no other.
 */
export function oldLedgerUnderBoth<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  const own = replayable(setup.machine, setup.options);
  const others = setup.arbitraries.versions ?? [];
  return law('version/old-ledger-under-both', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    for (const list of [[own], [own, ...others], [...others, own]]) demandReplay(setup, list, records);
    const without = setup.kernel.replayWith(others, records, setup.options);
    demand(
      without._tag === 'Left' && without.left.code === 'unknown_machine',
      () => `without its version a ledger is ${without._tag === 'Left' ? without.left.code : 'replayed'}`,
    );
    for (const ledger of setup.arbitraries.ledgers ?? []) demandReplay(setup, [own, ...others], ledger);
  });
}

function demandReplay<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  list: readonly Replayable[],
  records: readonly EvidenceRecord[],
): void {
  const replayed = setup.kernel.replayWith(list, records, setup.options);
  if (replayed._tag === 'Right') return;
  throw new LawViolation(
    `under versions ${list.map(({ version }) => version).join(', ')} a ledger is ` +
      `${replayed.left.code} at record ${replayed.left.record}`,
  );
}
