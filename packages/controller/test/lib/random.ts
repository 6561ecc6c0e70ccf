/** Runs in which every role mostly fits and sometimes does not. */
import type { Json } from '@assay/kernel';
import type { Draw } from '@assay/testing';
import { controller, type Policy } from '../../src/index.js';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { randomRun } from '../../tools/random-runs.js';
import { playedOf, type ControllerRun, type Played } from './playing.js';

/** Plays such a run to its end. */
export function playRandom(policy: Policy, draw: Draw): Played {
  const arbitraries = controllerArbitraries();
  const genesis = arbitraries.genesis.map((drawn) => ({ ...drawn, policy: policy as unknown as Json }));
  const { run, records, steps } = randomRun(controller, { ...arbitraries, genesis }, draw, 10_000);
  return playedOf(
    run as ControllerRun,
    records,
    steps.flatMap(({ request }) => request ?? []),
  );
}
