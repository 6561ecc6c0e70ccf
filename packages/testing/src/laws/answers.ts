/** Laws of `advance`: one accepted answer to a request, costs conserved, a rejection changes nothing. */
import type { Failure, Json, Machine, Proposal, Request, Run, Spent } from '@assay/kernel';
import fc from 'fast-check';
import { admittedJson } from '../generators/json.js';
import { failingProposal, goodProposal, lostProposal, strangerProposal } from '../generators/proposals.js';
import { demand, demandEqual, type Draw, law, type Law } from './law.js';
import { drive, ordinaryFailure, pickRequest, take } from './script.js';
import { countSteps, canonicalizeValue, withMachine, type Setup } from './setup.js';

/**
 * `advance/one-request-one-answer`: an answer sent again is `not_open`, and nothing but the record of it
 * comes of it.
 */
export function oneRequestOneAnswer<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('advance/one-request-one-answer', countSteps(setup), (draw, length) => {
    drive(setup, draw, length, {
      after: ({ proposal, step }) => {
        if (step.rejection !== null || step.run.outcome !== null) return null;
        const before = standing(setup, step.run);
        const again = take(setup, step.run, proposal).step;
        demand(
          again.rejection?.code === 'not_open',
          () => `the answer to ${proposal.request_id}, sent again, is ${again.rejection?.code ?? 'accepted'}`,
        );
        demandEqual(before, standing(setup, again.run), 'the run after an answer sent again');
        return again;
      },
    });
  });
}

/**
 * `advance/rejection-keeps-machine-state`: after a recorded rejection everything but the request's counts is
 * what it was.
 */
export function rejectionKeepsState<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('advance/rejection-keeps-machine-state', countSteps(setup), (draw, length) => {
    // Written down before the answer: a machine may change in place what it is given.
    let before = '';
    drive(setup, draw, length, {
      propose: (run) => {
        before = standing(setup, run);
        return badAnswer(setup, run, draw);
      },
      after: ({ step }) => {
        if (step.rejection !== null)
          demandEqual(
            before,
            standing(setup, step.run),
            `the run after the rejection ${step.rejection.code}`,
          );
        return null;
      },
    });
  });
}

/**
 * Mostly a bad answer to an open request: another's value, any value, a stranger's, a failure; now and then a
 * good one.
 */
function badAnswer<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
  draw: Draw,
): Proposal | null {
  const request = pickRequest(setup, run, draw);
  if (request === null) return null;
  const likely = (asked: Request<A>): Json => draw(setup.arbitraries.answer(asked, run.state));
  switch (draw(fc.nat(6))) {
    case 0:
      return draw(failingProposal(request, PASSING));
    case 1:
      return draw(strangerProposal(request, likely(request)) ?? lostProposal());
    case 2:
      return draw(goodProposal(request, draw(ANY_VALUE)));
    case 3:
      return draw(goodProposal(request, likely(request)));
    default:
      return draw(
        goodProposal(
          request,
          likely(pickRequest(setup, run, draw, ({ kind }) => kind !== request.kind) ?? request),
        ),
      );
  }
}

function standing<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
): string {
  const requests = setup.kernel.openRequests(run).map(({ id }) => id);
  return canonicalizeValue(
    {
      artifacts: run.artifacts.sorted(),
      graph: [run.graph.nodeCount, run.graph.edgeCount],
      outcome: run.outcome,
      requests,
      state: setup.machine.encode(run.state),
    },
    'the run',
  );
}

/**
 * `advance/spend-conserved`: what the proposals of a ledger cost is what decisions were told, what open and
 * withdrawn requests hold, and what was spent on requests that were not open.
 */
export function spendConserved<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('advance/spend-conserved', countSteps(setup), (draw, length) => {
    let told: Spent = {};
    const watched: Machine<S, I, E, A> = {
      ...setup.machine,
      decide: (state, answer, context) => {
        told = answer.spent;
        return setup.machine.decide(state, answer, context);
      },
    };
    const paid = new Account();
    const found = new Account();
    const { run } = drive(withMachine(setup, watched), draw, length, {
      after: ({ before, proposal, step }) => {
        paid.add(proposal.spent);
        if (step.rejection?.code === 'not_open') found.add(proposal.spent);
        if (step.rejection !== null) return null;
        found.add(told);
        for (const [id, row] of before.open)
          if (id !== proposal.request_id && !step.run.open.has(id)) found.add(row.spent);
        return null;
      },
    });
    for (const [, row] of run.open) found.add(row.spent);
    demandEqual(paid.text(), found.text(), 'what was paid');
  });
}

/** Sums by unit. */
class Account {
  private readonly sums: Map<string, number> = new Map();

  add(spent: Spent): void {
    for (const [unit, amount] of Object.entries(spent))
      this.sums.set(unit, (this.sums.get(unit) ?? 0) + amount);
  }

  text(): string {
    return canonicalizeValue(
      Object.fromEntries([...this.sums].filter(([, amount]) => amount !== 0)),
      'an account',
    );
  }
}

const ANY_VALUE: fc.Arbitrary<Json> = admittedJson({ fractions: false, tokens: false });
const PASSING: fc.Arbitrary<Failure> = ordinaryFailure().map((failure) => ({ ...failure, final: false }));
