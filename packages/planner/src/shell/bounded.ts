/**
 * What a call may cost: a port is asked only where what it can cost is within what the machine holds back for
 * it. Source: dec-K75.
 *
 * @module
 */
import { isObject, type Request, type Spent } from '@assay/kernel';
import type { Policy } from '../index.js';
import type { Port } from '@assay/host';

/** The most that one call of a resolver may cost, in the units of the run's budget; of none named, the largest. */
export function boundOf(
  { resolvers, budget }: Pick<Policy, 'resolvers' | 'budget'>,
  id: string | null,
): Spent {
  const asked = id === null ? resolvers : resolvers.filter((each) => each.id === id);
  return Object.fromEntries(
    Object.keys(budget).map((unit) => [unit, Math.max(0, ...asked.map(({ bound }) => bound[unit] ?? 0))]),
  );
}

/** The resolver that a request names; null where it names none. */
export function resolverIn({ kind, body }: Request): string | null {
  const named = kind === 'resolve' && isObject(body) ? body['resolver'] : null;
  return typeof named === 'string' ? named : null;
}

/** A port that answers `denied` where it can cost more than `most` in a unit that is held. */
export function withinBound(port: Port, most: (request: Request) => Spent): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const can = port.bound?.(request) ?? {};
      const held = most(request);
      const unit = Object.keys(held).find((each) => (can[each] ?? 0) > (held[each] ?? 0));
      if (unit === undefined) return port.perform(request, call);
      const detail = { code: 'bound', unit, can: can[unit] ?? 0, held: held[unit] ?? 0 };
      return { failure: { code: 'denied', final: true, detail } };
    },
  };
}
