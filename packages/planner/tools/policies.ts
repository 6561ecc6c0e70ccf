/**
 * Random policies of the planner, with small bounds.
 *
 * @module
 */
import fc from 'fast-check';
import { defaultPolicy, type Policy, type Resolver } from '../src/index.js';
import { bootResolvers } from '../src/policy/policy.js';

/** A resolver that costs something. */
export function resolver(id: string, capabilities: readonly string[], usd: number): Resolver {
  return {
    id,
    label: id,
    type: 'digital',
    capabilities,
    bound: { usd, tokens: 3 },
    built_by: null,
    composed_of: [],
  };
}

/** A policy with small bounds, so that runs end. */
export function policies(mode: fc.Arbitrary<Policy['mode']>): fc.Arbitrary<Policy> {
  return fc
    .record({
      mode,
      usd: fc.constantFrom(0, 40, 300, 5_000),
      priced: fc.integer({ min: 0, max: 6 }),
      second: fc.boolean(),
      parallel: fc.integer({ min: 1, max: 4 }),
      attempts: fc.integer({ min: 1, max: 2 }),
      tries: fc.integer({ min: 1, max: 3 }),
      builds: fc.nat(2),
      reopens: fc.nat(2),
      flags: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      tau: fc.constantFrom(0, 300_000, 700_000),
      minutes: fc.constantFrom(null, null, 5),
    })
    .map(({ mode: chosen, usd, priced, second, flags, tau, ...rest }): Policy => {
      const [extract = false, survey = false, solver = false, rank = false, library = false, asked = false] =
        flags;
      const [model] = bootResolvers;
      const own = resolver('model-0', model?.capabilities ?? [], priced);
      return {
        ...defaultPolicy,
        mode: chosen,
        budget: { usd, tokens: 1_000 },
        resolvers: second ? [own, resolver('coder-1', ['generate_code'], priced + 1)] : [own],
        checks: [{ name: 'unit', command: ['true'] }],
        tau: { local: tau, global: Math.floor(tau / 2) },
        limits: {
          ...defaultPolicy.limits,
          tasks: 4,
          alternatives: 3,
          depth: 3,
          nodes: 24,
          parallel: rest.parallel,
          attempts: rest.attempts,
          tries: rest.tries,
          retries: 1,
          reopens_node: 1,
          reopens_run: rest.reopens,
          builds: rest.builds,
          replans: 2,
          surveys: 1,
          surveyed: 2,
          search_nodes: 40,
        },
        extract,
        survey,
        solver,
        rank,
        library,
        clock: asked ? 'asked' : 'stamps',
        minutes: rest.minutes,
      };
    });
}
