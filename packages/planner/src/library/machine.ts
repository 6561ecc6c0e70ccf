/**
 * The library: tools, goals, attempts and requests of many runs of the planner, a run of its own. Source: 000
 * §2.B, §2.C; dec-K28, dec-K30, dec-K81; "How this maps onto machine.md".
 *
 * @module
 */
import {
  deciding,
  err,
  isObject,
  ok,
  parseShape,
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
} from '@assay/kernel';
import { closed, list } from '@assay/kernel/shape';
import { LIBRARY_ROW, type LibraryRow } from '../protocol/library-rows.js';
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
import { write, type LibraryStep } from './writing.js';

/** What is brought: rows, or the end. */
export type LibraryAnswer =
  | { readonly t: 'write'; readonly rows: readonly LibraryRow[] }
  | { readonly t: 'end' };

/** Rows of one write. */
const ROWS_MAX = 4_096;
const ACCEPTS: Readonly<Record<InvitationKind, readonly Source[]>> = Object.freeze({
  end: ['human', 'rule', 'synthetic'],
  write: ['run', 'human', 'synthetic'],
});

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
  for (const [code, value] of [
    ['bad_policy', genesis.policy],
    ['bad_input', genesis.input],
  ] as const)
    if (!isObject(value) || Object.keys(value).length > 0) return err({ code, detail: { path: '' } });
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

const WRITE = closed({ rows: list(LIBRARY_ROW, ({ length }) => length <= ROWS_MAX) });
const END = closed({});

function parse(value: Json, { kind }: Request<LibraryAsk>): Result<Rejection, LibraryAnswer> {
  const isEnd = kind === 'end';
  const shaped = parseShape<Json>(isEnd ? END : WRITE, value);
  if (shaped._tag === 'Left')
    return err({ code: isEnd ? 'bad_end' : 'bad_write', detail: { path: shaped.left.path } });
  return ok(isEnd ? { t: 'end' } : { t: 'write', rows: rowsIn(shaped.right) });
}

function rowsIn(value: Json): readonly LibraryRow[] {
  return (value as unknown as { readonly rows: readonly LibraryRow[] }).rows;
}

function decide(
  state: LibraryState,
  { request, input, proposal }: Answer<LibraryAnswer, LibraryAsk>,
  context: Context,
): ReturnType<typeof library.decide> {
  const step = stepFrom(state, context);
  const kind: InvitationKind = request.kind === 'end' ? 'end' : 'write';
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
  const said = input.right;
  if (said.t === 'end') return ok(end(step, request.id));
  if (source === 'run' && said.rows.some(({ t }) => t === 'alias'))
    return err({ code: 'not_a_person', detail: null });
  if (head !== undefined) step.emit({ t: 'cited', key: citedKey(head), sequence: context.sequence });
  const by: Json = head === undefined ? context.sequence : head.run_id;
  for (const row of said.rows) write(step, row, by);
  invite(step, 'write');
  return ok(step.done());
}

/** Under which a write is known: what was taken once is not taken again. */
export function citedKey({ count, hash, run_id }: Head): string {
  return `${run_id} ${count} ${hash}`;
}

function stepFrom(state: LibraryState, context: Context): LibraryStep {
  const inner = deciding<LibraryState, LibraryEvent, LibraryAsk>(state, evolve, context);
  return {
    get state() {
      return inner.state;
    },
    emit: inner.emit,
    ask: inner.ask,
    done: inner.done,
    context,
  };
}

function invite(step: LibraryStep, kind: InvitationKind): void {
  step.emit({
    t: 'invited',
    kind,
    id: step.ask({ kind, body: { invites: kind }, accepts: ACCEPTS[kind], attempts: 0 }),
  });
}

function end(step: LibraryStep, answered: string): ReturnType<LibraryStep['done']> {
  const { resolvers, patterns, edges, capabilities, invitations } = step.state;
  const withdraw = invitations
    .sorted()
    .map(([, id]) => id)
    .filter((id) => id !== answered);
  step.emit({ t: 'ended' });
  return step.done({
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
  });
}
