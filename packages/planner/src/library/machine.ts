/**
 * The library: tools, goals, attempts and requests of many runs of the planner, a run of its own. Rows
 * become entries and edges of the knowledge graph. Source: 000 §2.B; §2.C; dec-K28; dec-K30; dec-K81; "How
 * this maps onto machine.md"; 000 §2.C "How new edges get created"; dec-K33.
 */
import {
  deciding,
  err,
  ok,
  type Answer,
  type Context,
  type Genesis,
  type Head,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type Source,
  type State,
  absurd,
  type Deciding,
} from '@assay/kernel';
import { closed, list, type Shape, type TypeOf } from '@assay/kernel/shape';
import { LIBRARY_ROW, type LibraryRow, type GoalKind } from '../protocol/bodies.js';
import {
  decode,
  EMPTY,
  encode,
  evolve,
  INVITATION_KINDS,
  type InvitationKind,
  type LibraryAsk,
  type LibraryEvent,
  type LibraryState,
} from './state.js';
import { alikeTo, normalized, listWords } from './reading.js';

/** A decision of a library under construction. */
export type LibraryStep = Deciding<LibraryState, LibraryEvent, LibraryAsk> & { readonly context: Context };

/** Takes one row. `by`: what tells attempts of different runs apart. */
export function write(step: LibraryStep, row: LibraryRow, by: Json): void {
  switch (row.t) {
    case 'resolver':
      step.emit({ t: 'registered', resolver: row.resolver });
      for (const tag of row.resolver.capabilities)
        edge(step, `resolver:${row.resolver.id}`, 'provides', `capability:${tag}`);
      return;
    case 'attempt':
      writeAttempt(step, row, by);
      return;
    case 'produced':
      edge(step, `resolver:${row.resolver}`, 'produced', `artifact:${row.output}`);
      return;
    case 'edge': {
      const to = row.to.startsWith('actor:') ? row.to : `resolver:${row.to}`;
      edge(step, `resolver:${row.from}`, row.relation, to);
      return;
    }
    case 'capability': {
      const before = step.state.capabilities.get(row.fingerprint);
      // What was decided once stays decided.
      if (before?.status === 'delivered' || before?.status === 'declined') return;
      if (before?.status === row.status) return;
      const { fingerprint, capability, status, resolver } = row;
      step.emit({ t: 'capability', fingerprint, capability, status, resolver });
      return;
    }
    case 'estimate': {
      if (row.estimated === 0) return;
      const { resolver, row: of, estimated, actual } = row;
      const ratio = (BigInt(actual) * 1_000_000n) / BigInt(estimated);
      const ratio_ppm = Number(ratio > RATIO_MAX ? RATIO_MAX : ratio);
      const pattern = findPattern(step, row.goal);
      step.emit({ t: 'cost', pattern, resolver, row: of, estimated, actual, ratio_ppm });
      return;
    }
    case 'alias':
      step.emit({ t: 'alias', tag: row.tag, is: row.is });
      return;
    default:
      absurd(row);
  }
}

/** A ratio above a million is shown as that. */
const RATIO_MAX = 1_000_000_000_000n;

/** The id of a goal's pattern, which is made where there is none. */
function findPattern(step: LibraryStep, goal: GoalKind): string {
  const { summary, signature } = goal;
  const id = step.context.hash([normalized(summary), signature]);
  if (step.state.patterns.has(id)) return id;
  const alike = alikeTo(step.state, goal);
  step.emit({ t: 'pattern', id, summary, signature, words: listWords(summary) });
  for (const other of alike)
    edge(step, `goal_pattern:${id}`, 'similar_to', `goal_pattern:${other.id}`, other.ppm);
  return id;
}

function writeAttempt(
  step: LibraryStep,
  row: Extract<LibraryRow, { readonly t: 'attempt' }>,
  by: Json,
): void {
  const { goal, node, index, capability, constraints, resolver, verdict, sigma_ppm, failure_mode } = row;
  const pattern = findPattern(step, goal);
  const attempt = step.context.hash([by, node, index]);
  const at = `goal_pattern:${pattern}`;
  step.emit({ t: 'tried', pattern, resolver, verdict, sigma_ppm, failure_mode });
  edge(step, at, 'requires', `capability:${capability}`);
  edge(step, `attempt:${attempt}`, 'tried_for', at);
  for (const each of constraints) edge(step, `attempt:${attempt}`, 'used_constraint', `constraint:${each}`);
  const relation = verdict === 'SAT' ? 'succeeded_on' : 'failed_on';
  edge(step, `resolver:${resolver}`, relation, at, sigma_ppm, attempt);
  if (failure_mode !== null) edge(step, `attempt:${attempt}`, 'failed_because', `failure:${failure_mode}`);
}

/** An edge; the same one twice is one. Source: dec-K33. */
function edge(
  step: LibraryStep,
  from: string,
  relation: string,
  to: string,
  ppm: number | null = null,
  attempt: string | null = null,
): void {
  const id = step.context.hash([from, relation, to, attempt]);
  if (!step.state.edges.has(id)) step.emit({ t: 'edge', id, from, relation, to, ppm });
}

/** Rows of one write. */
const ROWS_MAX = 4_096;

/** One invitation: who answers it and by what shape, what a reader of the answer refuses beyond it, what follows. */
type Invitation<T> = {
  readonly accepts: readonly Source[];
  readonly answer: Shape;
  fault?(said: T, source: Source): Rejection | null;
  accepted(step: LibraryStep, said: T, head: Head | undefined): Aftermath;
};
type Aftermath = NonNullable<Parameters<LibraryStep['done']>[0]>;

const NOTHING = closed({});
const INVITATIONS = {
  end: {
    accepts: ['human', 'rule', 'synthetic'],
    answer: NOTHING,
    accepted: end,
  } satisfies Invitation<unknown>,
  write: {
    accepts: ['run', 'human', 'synthetic'],
    answer: closed({ rows: list(LIBRARY_ROW, ({ length }) => length <= ROWS_MAX) }),
    fault: ({ rows }, source) =>
      source === 'run' && rows.some(({ t }) => t === 'alias') ? { code: 'not_a_person', detail: null } : null,
    accepted: (step, { rows }, head) => {
      const { sequence } = step.context;
      if (head !== undefined) step.emit({ t: 'cited', key: citedKey(head), sequence });
      for (const row of rows) write(step, row, head?.run_id ?? sequence);
      return {};
    },
  } satisfies Invitation<{ readonly rows: readonly LibraryRow[] }>,
} as const satisfies { readonly [kind in InvitationKind]: unknown };

/** What is brought, by the kind of its invitation. */
export type LibraryAnswer = {
  readonly [K in InvitationKind]: {
    readonly t: K;
    readonly said: TypeOf<(typeof INVITATIONS)[K]['answer']>;
  };
}[InvitationKind];

/**
 * The machine. Genesis policy {} and input {}. It asks for nothing; rows are brought to its standing invitation
 * `write` ({rows}), by runs that cite the head behind which they stand; `end` ({}) ends it. Artifact at the
 * end: `library`, how much there was.
 *
 * Errors of opening: `bad_policy`, `bad_input`. Rejections: `bad_write`, `bad_end` {path}; `uncited` {cites}
 * where a run cites not exactly one head; `already_written` {sequence}; `not_a_person` where a run writes an
 * alias (dec-K30).
 */
export const library: Machine<LibraryState, LibraryAnswer, LibraryEvent, LibraryAsk> = {
  name: 'library',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode,
  decode,
};

function open(genesis: Genesis, context: Context): ReturnType<typeof library.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) {
    const state = decode(carried.machine);
    if (state._tag === 'Left') return state;
    return canGoOn(state.right, carried.open)
      ? ok({ state: state.right, decision: { events: [] } })
      : err({ code: 'bad_state', detail: { path: '/open' } });
  }
  if (NOTHING(genesis.policy) !== null) return err({ code: 'bad_policy', detail: { path: '' } });
  if (NOTHING(genesis.input) !== null) return err({ code: 'bad_input', detail: { path: '' } });
  const step = stepFrom(EMPTY, context);
  step.emit({ t: 'opened' });
  for (const kind of INVITATION_KINDS) invite(step, kind);
  return ok({ state: EMPTY, decision: step.done({ graph: { nodes: [SEED], edges: [] } }) });
}

const SEED = { kind: 'seed', payload: { library: 1 } } as const;

/** A run that goes on holds exactly the requests its state waits for, each of its kind. */
function canGoOn({ invitations }: LibraryState, open: State['open']): boolean {
  const expected = invitations.sorted();
  return (
    Object.keys(open).length === expected.length &&
    expected.every(([kind, id]) => Object.hasOwn(open, id) && open[id]?.request.kind === kind)
  );
}

function parse(value: Json, { kind }: Request<LibraryAsk>): Result<Rejection, LibraryAnswer> {
  const path = INVITATIONS[kind as InvitationKind].answer(value);
  return path === null
    ? ok({ t: kind, said: value } as unknown as LibraryAnswer)
    : err({ code: `bad_${kind}`, detail: { path } });
}

function decide(
  state: LibraryState,
  { request, input, proposal }: Answer<LibraryAnswer, LibraryAsk>,
  context: Context,
): ReturnType<typeof library.decide> {
  const step = stepFrom(state, context);
  const kind = request.kind as InvitationKind;
  if (input._tag === 'Left') {
    step.emit({ t: 'unanswered', kind, code: input.left.code });
    invite(step, kind);
    return ok(step.done());
  }
  const { cites, source } = proposal;
  const [head] = cites;
  if (cites.length > 1 || (source === 'run' && head === undefined))
    return err({ code: 'uncited', detail: { cites: cites.length } });
  const before = head === undefined ? undefined : state.cited.get(citedKey(head));
  if (before !== undefined) return err({ code: 'already_written', detail: { sequence: before } });
  const row: Invitation<never> = INVITATIONS[kind];
  const said = input.right.said as never;
  const fault = row.fault?.(said, source) ?? null;
  if (fault !== null) return err(fault);
  const after = row.accepted(step, said, head);
  if (after.outcome === undefined) invite(step, kind);
  return ok(step.done(after));
}

/** Under which a write is known: what was taken once is not taken again. */
export function citedKey({ count, hash, run_id }: Head): string {
  return `${run_id} ${count} ${hash}`;
}

function stepFrom(state: LibraryState, context: Context): LibraryStep {
  return Object.assign(deciding<LibraryState, LibraryEvent, LibraryAsk>(state, evolve, context), { context });
}

function invite(step: LibraryStep, kind: InvitationKind): void {
  const { accepts } = INVITATIONS[kind];
  step.emit({ t: 'invited', kind, id: step.ask({ kind, body: { invites: kind }, accepts, attempts: 0 }) });
}

function end(step: LibraryStep): Aftermath {
  const { resolvers, patterns, edges, capabilities, invitations } = step.state;
  const withdraw = invitations.sorted().flatMap(([kind, id]) => (kind === 'end' ? [] : [id]));
  step.emit({ t: 'ended' });
  return {
    withdraw,
    artifacts: {
      library: {
        resolvers: resolvers.size,
        patterns: patterns.size,
        edges: edges.size,
        capabilities: capabilities.size,
      },
    },
    outcome: { status: 'success', reasons: [] },
  };
}
