/**
 * The context a machine would get for the next answer, for laws that call `decide` themselves.
 *
 * @module
 */
import { hashCanonical, Meter, orThrow, type Context, type Json, type Run } from '@assay/kernel';

/**
 * The context of the decision after the next proposal. The input hash stands for that proposal's: the run's
 * head is as good.
 */
export function contextAfter<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Context {
  return {
    run_id: run.genesis.run_id,
    sequence: run.count + 1,
    input_hash: run.hash,
    meter: new Meter(),
    hash: (value) => orThrow(hashCanonical(value, run.sha256)),
  };
}
