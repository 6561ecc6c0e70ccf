/**
 * Every law of the machine interface, for any machine.
 *
 * @module
 */
import type { Json, Machine } from '@assay/kernel';
import { oneRequestOneAnswer, rejectionKeepsState, spendConserved } from './answers.js';
import {
  arrivalOrderInvariant,
  oldLedgerUnderBoth,
  refedEqualsParent,
  terminatesWithinBound,
} from './forks.js';
import type { Law } from './law.js';
import { decideNeverMutates, decideTakesFailures, derivedAdmissible, parseTotal } from './machine-alone.js';
import { openTableDerivable } from './open-table.js';
import { cutAnywhere, resumeEqualsWhole, sameLogSameState, splitEqualsWhole } from './replays.js';
import { makeSetup, type LawOptions, type MachineArbitraries } from './setup.js';

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
