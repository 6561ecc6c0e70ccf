/**
 * A machine that does what it is told: an answer's value is the decision, or the rejection, that follows.
 * So each test says in one place what goes in and what must come out.
 */
import {
  advance,
  err,
  field,
  isArray,
  isObject,
  ok,
  openRun,
  orThrow,
  type Ask,
  type Decision,
  type Failure,
  type GenesisInput,
  type Json,
  type KernelOptions,
  type Machine,
  type Proposal,
  type Run,
  type Step,
} from '@assay/kernel';

/** The events so far, the latest last. */
export type PuppetState = { readonly log: readonly Json[] };
export type Puppet = Machine<PuppetState, Json, Json>;
export type PuppetRun = Run<PuppetState, Json>;

/**
 * Values: `{decide: decision}`, `{parse: rejection}`, `{reject: rejection}`. A failure gives the decision
 * that the request's body names `onFailure`, or one event that tells it. The first decision is
 * `policy.first`.
 */
export const puppet: Puppet = {
  name: 'puppet',
  version: 1,
  open: (genesis) => {
    const carried = genesis.base?.snapshot?.machine;
    const state: PuppetState = {
      log:
        isObject(carried) && isArray(field(carried, 'log')) ? (field(carried, 'log') as readonly Json[]) : [],
    };
    const first = isObject(genesis.policy) ? field(genesis.policy, 'first') : undefined;
    if (first === undefined) return err({ code: 'no_first', detail: null });
    return ok({ state, decision: { events: [], ...(first as object) } });
  },
  parse: (value) => {
    const rejection = isObject(value) ? field(value, 'parse') : undefined;
    return rejection === undefined
      ? ok(value)
      : err(rejection as { readonly code: string; readonly detail: Json });
  },
  decide: (_state, { input, request, spent }) => {
    if (input._tag === 'Left') {
      const onFailure = isObject(request.body) ? field(request.body, 'onFailure') : undefined;
      return ok(
        onFailure === undefined
          ? { events: [{ failed: input.left, spent }] }
          : ({ events: [], ...(onFailure as object) } as Decision),
      );
    }
    const told = isObject(input.right) ? input.right : {};
    const rejection = field(told, 'reject');
    if (rejection !== undefined) return err(rejection as { readonly code: string; readonly detail: Json });
    return ok({ events: [], ...((field(told, 'decide') ?? {}) as object) });
  },
  evolve: (state, event) => ({ log: [...state.log, event] }),
  encode: ({ log }) => ({ log }),
  decode: (json) =>
    isObject(json) && isArray(field(json, 'log'))
      ? ok({ log: field(json, 'log') as readonly Json[] })
      : err({ code: 'bad_state', detail: null }),
};

/** An ask with ordinary values. */
export function ask(given: Partial<Ask> = {}): Ask {
  return { kind: 'ask', body: null, accepts: ['synthetic'], attempts: 2, ...given };
}

/** Opens a run whose first decision is `first`; by default it opens one ask of two attempts. */
export function start(
  first: Partial<Decision> = { asks: [ask()] },
  machine: Puppet = puppet,
  more: Partial<GenesisInput> & { readonly options?: KernelOptions } = {},
): Step<PuppetState, Json> {
  const { options, ...genesis } = more;
  return orThrow(
    openRun(
      machine,
      { run_id: 'run', ts_base: 't', policy: { first } as unknown as Json, input: null, ...genesis },
      options,
    ),
  );
}

/** A proposal with ordinary values. */
export function propose(request_id: string, given: Partial<Proposal> = {}): Proposal {
  return {
    request_id,
    source: 'synthetic',
    proposer: 'fixture:test',
    confidence: null,
    value: null,
    failure: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
    ...given,
  };
}

/** A proposal that says what to decide. */
export function telling(
  request_id: string,
  decide: Partial<Decision>,
  given: Partial<Proposal> = {},
): Proposal {
  return propose(request_id, { value: { decide } as unknown as Json, ...given });
}

/** A failure with ordinary values. */
export function failing(
  request_id: string,
  failure: Partial<Failure> = {},
  given: Partial<Proposal> = {},
): Proposal {
  return propose(request_id, {
    failure: { code: 'timeout', final: false, detail: null, ...failure },
    ...given,
  });
}

/** Advances with what must be recorded. */
export function go(run: PuppetRun, proposal: unknown): Step<PuppetState, Json> {
  return orThrow(advance(run, proposal));
}

/** The payload of the record at an index, from the end where negative. */
export function payloadAt(step: Step<PuppetState, Json>, index: number): { readonly [key: string]: Json } {
  const payload = step.records.at(index)?.payload;
  if (!isObject(payload)) throw new Error(`no payload at ${index}`);
  return payload;
}

/** Kinds of the records of a step. */
export function kinds(step: Step<PuppetState, Json>): readonly string[] {
  return step.records.map(({ kind }) => kind);
}
