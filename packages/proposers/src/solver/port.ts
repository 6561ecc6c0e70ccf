/**
 * The solver as a port of a host: answers requests of the kind `choose`.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import type { Port, PortAnswer } from '@assay/host';
import { parsePlan } from '@assay/planner/schedule';
import { suggest } from './suggest.js';

/** The name under which answers of the solver are recorded. */
export const SOLVER_PROPOSER = 'highs';

const SECONDS = 20;

/** The port. `seconds`: for each model that is solved, 20 by default. */
export function solverPort({ seconds = SECONDS }: { readonly seconds?: number } = {}): Port {
  return {
    source: 'tool',
    proposer: SOLVER_PROPOSER,
    perform: ({ body }, { signal }) => answered(body, seconds, signal),
  };
}

async function answered(body: Json, seconds: number, signal: AbortSignal): Promise<PortAnswer> {
  const read = isObject(body) ? parsePlan(field(body, 'plan') ?? null) : null;
  const unfinished = isObject(body) ? field(body, 'unfinished') : undefined;
  if (!isObject(body) || read?._tag !== 'Right' || typeof unfinished !== 'string')
    return { failure: { code: 'malformed', final: true, detail: null } };
  const suggested = await suggest(read.right, {
    best: pairsIn(field(body, 'best')),
    unfinished,
    seconds,
    signal,
  });
  if (suggested._tag === 'Left')
    return { failure: { code: 'unavailable', final: true, detail: suggested.left.code } };
  const { choice, weights, unit } = suggested.right;
  return { value: { choice, weights, unit }, provenance: { solver: SOLVER_PROPOSER } };
}

function pairsIn(value: Json | undefined): readonly (readonly [string, string])[] {
  return (isArray(value) ? value : []).flatMap((pair) => {
    const [task, approach] = isArray(pair) ? pair : [];
    return typeof task === 'string' && typeof approach === 'string' ? [[task, approach] as const] : [];
  });
}
