/**
 * One broken `tally` for each law a machine can break, and one broken kernel for each law only a kernel can.
 * Each fault is small, so that the law meant for it finds it and no other does.
 */
import {
  err,
  field,
  isObject,
  ok,
  replayable,
  type Answer,
  type Context,
  type Genesis,
  type Json,
  type Machine,
  type OpenRequest,
  type Request,
  type Run,
} from '@assay/kernel';
import {
  machineLaws,
  tally,
  type BallotBody,
  type LawName,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyState,
} from '@assay/testing';
import { native } from './native.js';
import { KERNEL, type Kernel } from '../../src/laws/setup.js';
import { tallyArbitraries } from '../../src/machines/tally-arbitraries.js';
import type { Law } from '../../src/laws/law.js';

type Tally = typeof tally;
type Body = BallotBody | NoticeBody;

/** A faulty subject of the laws, named by the law that must find it. */
export type Broken = { readonly law: LawName; readonly fault: string; readonly laws: () => readonly Law[] };

function machine(law: LawName, fault: string, make: () => Tally): Broken {
  return { law, fault, laws: () => machineLaws(make(), tallyArbitraries(), { sha256: native }) };
}

function kernel(law: LawName, fault: string, make: () => Partial<Kernel>): Broken {
  return {
    law,
    fault,
    laws: () => machineLaws(tally, tallyArbitraries(), { sha256: native, kernel: { ...KERNEL, ...make() } }),
  };
}

/** Everything broken, in the order of the laws. */
export const BROKEN: readonly Broken[] = [
  machine('parse/total-on-admitted', 'parse takes every number for an integer', () => ({
    ...tally,
    parse: (value, request) =>
      typeof value === 'number' && BigInt(value) < 0n
        ? err({ code: 'negative', detail: null })
        : tally.parse(value, request),
  })),
  machine('decide/never-mutates', 'decide keeps a counter in the state it is given', () =>
    watched((state) => void (state.scratch.calls += 1)),
  ),
  kernel('advance/one-request-one-answer', 'an answered request can be answered again', () => {
    const rows = new Map<string, OpenRequest>();
    const advance: Kernel['advance'] = (run, given) => {
      const id = String((given as { readonly request_id?: unknown }).request_id);
      const row = run.open.get(id);
      const key = `${run.genesisRecord.record_hash} ${id}`;
      if (row !== undefined) rows.set(key, row);
      const kept = rows.get(key);
      return KERNEL.advance(
        row === undefined && kept !== undefined ? { ...run, open: run.open.set(id, kept) } : run,
        given,
      );
    };
    return { advance };
  }),
  machine('decide/never-rejects-a-failure', 'decide rejects what the kernel gives it at a limit', () => ({
    ...tally,
    decide: (state, answer, context) =>
      isLimit(answer) ? err({ code: 'too_large', detail: null }) : tally.decide(state, answer, context),
  })),
  machine('decide/derived-admissible', 'evidence text becomes an object key in encode(state)', () => ({
    ...tally,
    encode: (state) => ({
      ...(tally.encode(state) as object),
      notes: Object.fromEntries(state.notes.sorted()),
    }),
    decode: (json) =>
      tally.decode(
        isObject(json)
          ? {
              ...json,
              notes: Object.entries((field(json, 'notes') ?? {}) as object).sort(([a], [b]) =>
                a < b ? -1 : 1,
              ),
            }
          : json,
      ),
  })),
  kernel(
    'advance/spend-conserved',
    'a decision is told the last attempt only, not those rejected before',
    () => ({
      openRun: (given, genesis, options) =>
        KERNEL.openRun(
          {
            ...given,
            decide: (state, answer, context) =>
              given.decide(state, { ...answer, spent: answer.proposal.spent }, context),
          },
          genesis,
          options,
        ),
    }),
  ),
  machine(
    'advance/rejection-keeps-machine-state',
    'a ballot that is a notice is counted before it is rejected',
    () => ({
      ...tally,
      parse: (value, request) =>
        request.kind === 'ballot' && isObject(value) && field(value, 'note') !== undefined
          ? ok({ t: 'end' })
          : tally.parse(value, request),
      decide: (state, answer, context) => {
        if (
          answer.request.kind !== 'ballot' ||
          answer.input._tag === 'Left' ||
          answer.input.right.t !== 'end'
        )
          return tally.decide(state, answer, context);
        Object.assign(state, { abstained: state.abstained + 1 });
        return err({ code: 'no_ballot', detail: null });
      },
    }),
  ),
  machine('replay/same-log-same-state', 'the module remembers which poll is under way', () => oneAtATime()),
  machine('replay/split-equals-whole', 'evolve counts in place', () => counted(false)),
  kernel('replay/cut-anywhere-due-completes', 'the last record due is forgotten', () => ({
    follow: (given, genesis, options) => {
      const started = KERNEL.follow(given, genesis, options);
      return started._tag === 'Left' ? started : ok(forgetful(started.right));
    },
  })),
  machine('snapshot/resume-equals-whole', 'decode forgets who abstained', () => ({
    ...tally,
    decode: (json) => {
      const state = tally.decode(json);
      return state._tag === 'Left' ? state : ok({ ...state.right, abstained: 0 });
    },
  })),
  machine('fork/refed-equals-parent', 'what is asked names the run', () => ({
    ...tally,
    open: (genesis: Genesis, context: Context) => {
      const opening = tally.open(genesis, context);
      if (opening._tag === 'Left') return opening;
      const { decision, state } = opening.right;
      return ok({
        state,
        decision: {
          ...decision,
          asks: (decision.asks ?? []).map((ask) => ({ ...ask, body: { ...ask.body, run: genesis.run_id } })),
        },
      });
    },
  })),
  kernel(
    'requests/open-table-derivable-without-machine',
    'open requests are listed with another number of attempts',
    () => ({
      openRequests: <S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>) =>
        KERNEL.openRequests(run).map((request) => ({
          ...request,
          attempts: request.attempts * 2,
        })) as readonly Request<A>[],
    }),
  ),
  machine('outcome/arrival-order-invariant', 'a tie goes to the option voted for first', () => ({
    ...tally,
    decide: (state, answer, context) => firstComeFirst(state, tally.decide(state, answer, context)),
  })),
  machine('run/terminates-within-policy-bound', 'the last ballot does not end the poll', () => ({
    ...tally,
    decide: (state, answer, context) => {
      const decided = tally.decide(state, answer, context);
      if (decided._tag === 'Left' || answer.request.kind !== 'ballot') return decided;
      const { events, graph } = decided.right;
      return ok(graph === undefined ? { events } : { events, graph });
    },
  })),
  {
    law: 'version/old-ledger-under-both',
    fault: 'other decisions under the same version',
    laws: () =>
      machineLaws(
        tally,
        { ...tallyArbitraries(), versions: [replayable(silent, { sha256: native })] },
        { sha256: native },
      ),
  },
];

/** Decides otherwise than `tally` 1 (it asks nobody) and still calls itself that. */
const silent: Tally = {
  ...tally,
  open: (genesis, context) => {
    const opening = tally.open(genesis, context);
    return opening._tag === 'Left'
      ? opening
      : ok({ ...opening.right, decision: { ...opening.right.decision, asks: [] } });
  },
};

type Scratch = TallyState & { readonly scratch: { calls: number } };

/** A state with room for a counter that `encode` leaves out. */
function watched(onDecide: (state: Scratch) => void): Tally {
  const scratch = (state: TallyState): Scratch => ({ ...state, scratch: { calls: 0 } });
  const broken: Machine<Scratch, TallyAnswer, TallyEvent, Body> = {
    ...tally,
    open: (genesis, context) => {
      const opening = tally.open(genesis, context);
      return opening._tag === 'Left'
        ? opening
        : ok({ ...opening.right, state: scratch(opening.right.state) });
    },
    decode: (json) => {
      const state = tally.decode(json);
      return state._tag === 'Left' ? state : ok(scratch(state.right));
    },
    decide: (state, answer, context) => (onDecide(state), tally.decide(state, answer, context)),
    evolve: (state, event) => ({ ...tally.evolve(state, event), scratch: state.scratch }),
    encode: ({ scratch: _, ...state }) => tally.encode(state),
  };
  return broken as unknown as Tally;
}

/** A state with a number of events beside it, counted in a copy or in place. */
function counted(isPure: boolean): Tally {
  const broken: Machine<Scratch, TallyAnswer, TallyEvent, Body> = {
    ...(watched(() => undefined) as unknown as Machine<Scratch, TallyAnswer, TallyEvent, Body>),
    evolve: (state, event) => {
      const scratch = isPure ? { calls: state.scratch.calls } : state.scratch;
      scratch.calls += 1;
      return { ...tally.evolve(state, event), scratch };
    },
    encode: ({ scratch, ...state }) => [scratch.calls, tally.encode(state)],
    decode: (json) => {
      const [calls, rest] = json as readonly [number, Json];
      const state = tally.decode(rest);
      return state._tag === 'Left' ? state : ok({ ...state.right, scratch: { calls } });
    },
  };
  return broken as unknown as Tally;
}

/** The same counter, kept as it should be: no law finds anything. */
export const soundCounter: () => Tally = () => counted(true);

function isLimit({ input }: Answer<TallyAnswer, Body>): boolean {
  return (
    input._tag === 'Left' && isObject(input.left.detail) && field(input.left.detail, 'code') === 'limit_bytes'
  );
}

type Decided = ReturnType<Tally['decide']>;

/**
 * Knows its own polls by a mark in the module: of two polls under way the older one is taken for a
 * stranger's.
 */
function oneAtATime(): Tally {
  let current: object | null = null;
  const marked = watched(() => undefined) as unknown as Machine<Scratch, TallyAnswer, TallyEvent, Body>;
  const broken: typeof marked = {
    ...marked,
    open: (genesis, context) => {
      const opening = marked.open(genesis, context);
      if (opening._tag === 'Right') current = opening.right.state.scratch;
      return opening;
    },
    decode: (json) => {
      const state = marked.decode(json);
      if (state._tag === 'Right') current = state.right.scratch;
      return state;
    },
    decide: (state, answer, context) =>
      answer.input._tag === 'Right' && state.scratch !== current
        ? err({ code: 'another_poll', detail: null })
        : marked.decide(state, answer, context),
  };
  return broken as unknown as Tally;
}

function firstComeFirst(state: TallyState, decided: Decided): Decided {
  if (decided._tag === 'Left' || decided.right.outcome?.status !== 'success') return decided;
  const { result } = decided.right.artifacts ?? {};
  if (!isObject(result)) return decided;
  const first = state.claims.sorted().toSorted(([, a], [, b]) => (a < b ? -1 : 1))[0]?.[0] ?? null;
  const counts = field(result, 'counts') as unknown as readonly {
    readonly option: string;
    readonly votes: number;
  }[];
  const most = Math.max(...counts.map(({ votes }) => votes));
  const winner =
    counts.find(({ option, votes }) => votes === most && option === first)?.option ??
    field(result, 'winner') ??
    null;
  return ok({ ...decided.right, artifacts: { ...decided.right.artifacts, result: { ...result, winner } } });
}

function forgetful<F extends { readonly due: readonly unknown[]; readonly feed: (record: never) => unknown }>(
  follower: F,
): F {
  return new Proxy(follower, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (key === 'due') return (value as readonly unknown[]).slice(0, -1);
      if (key !== 'feed') return value;
      return (record: never) => {
        const fed = (value as (record: never) => { readonly _tag: string; readonly right?: F })(record);
        return fed._tag === 'Right' && fed.right !== undefined ? ok(forgetful(fed.right)) : fed;
      };
    },
  });
}
