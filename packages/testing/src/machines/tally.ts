/**
 * `tally`, a small machine: a poll with a quorum. It is the worked example of the machine interface,
 * written against the kernel's published exports only, and what the testing library tests itself on.
 *
 * It asks each voter for a ballot (several open requests), keeps a standing invitation for notices (which
 * may also close the poll), rejects what is no ballot, counts a final failure as an abstention, and ends
 * with a result or, short of its quorum, with a refusal.
 *
 * @module
 */
import {
  deciding,
  err,
  isArray,
  isObject,
  nodeIdIn,
  ok,
  type Answer,
  type Ask,
  type Context,
  type Decision,
  type Genesis,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type State,
} from '@assay/kernel';
import {
  decode,
  EMPTY,
  encode,
  evolve,
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyInput,
  type TallyPolicy,
  type TallyState,
} from './tally-state.js';

const VOTERS_MAX = 1_000;
const OPTIONS_MAX = 26;
const TEXT_MAX = 2_000;

/** The machine. */
export const tally: Machine<TallyState, TallyAnswer, TallyEvent, BallotBody | NoticeBody> = {
  name: 'tally',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode,
  decode,
};

function open(genesis: Genesis, context: Context): ReturnType<typeof tally.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) return goOn(carried, context);
  const policy = readPolicy(genesis.policy);
  if (policy._tag === 'Left') return policy;
  const input = readInput(genesis.input);
  if (input._tag === 'Left') return input;
  const { question, options } = input.right;
  const seed: Json = { question, options };
  const step = deciding<TallyState, TallyEvent, BallotBody | NoticeBody>(EMPTY, evolve, context);
  step.emit({
    t: 'posed',
    question,
    options,
    quorum: policy.right.quorum,
    seed: nodeIdIn(context, 'seed', seed),
  });
  for (let voter = 0; voter < policy.right.voters; voter += 1) {
    const body: BallotBody = { voter, question, options };
    step.emit({
      t: 'asked',
      voter,
      id: step.ask({
        kind: 'ballot',
        body,
        accepts: ['human', 'rule', 'synthetic', 'live_model', 'recorded_model'],
        attempts: policy.right.attempts,
      }),
    });
  }
  step.emit({ t: 'invited', id: step.ask(invitation(question)) });
  return ok({
    state: EMPTY,
    decision: step.done({ graph: { nodes: [{ kind: 'seed', payload: seed }], edges: [] } }),
  });
}

/** A continuation goes on with the requests it carries: nothing is asked anew. */
function goOn(carried: State, context: Context): ReturnType<typeof tally.open> {
  const state = decode(carried.machine);
  if (state._tag === 'Left') return state;
  const { invitation: listening, options, question, waiting } = state.right;
  const expected = [...waiting.sorted().map(([id]) => id), ...(listening === null ? [] : [listening])];
  if (!expected.every((id) => Object.hasOwn(carried.open, id)))
    return err({ code: 'bad_state', detail: null });
  const payload: Json = { question, options };
  const graph = { nodes: [{ kind: 'seed' as const, payload }], edges: [] };
  return ok({
    state: state.right,
    decision: { events: [{ t: 'continued', seed: nodeIdIn(context, 'seed', payload) }], graph },
  });
}

function parse(value: Json, request: Request<BallotBody | NoticeBody>): Result<Rejection, TallyAnswer> {
  if (!isObject(value)) return err({ code: 'bad_answer', detail: { expected: 'an object' } });
  if (request.kind === 'ballot') {
    const option = value['option'];
    return typeof option === 'string'
      ? ok({ t: 'ballot', option })
      : err({ code: 'bad_answer', detail: { expected: 'option' } });
  }
  if (value['end'] === true) return ok({ t: 'end' });
  const text = value['note'];
  return typeof text === 'string' && text.length <= TEXT_MAX
    ? ok({ t: 'note', text })
    : err({ code: 'bad_answer', detail: { expected: 'note or end' } });
}

function decide(
  state: TallyState,
  answer: Answer<TallyAnswer, BallotBody | NoticeBody>,
  context: Context,
): Result<Rejection, TallyDecision> {
  const { id, kind } = answer.request;
  if (answer.input._tag === 'Left') {
    const { code } = answer.input.left;
    return ok(
      kind === 'ballot'
        ? settle(state, { t: 'abstained', id, code }, context)
        : { events: [{ t: 'silenced' }] },
    );
  }
  const said = answer.input.right;
  switch (said.t) {
    case 'ballot':
      return state.options.includes(said.option)
        ? ok(vote(state, id, said.option, context))
        : err({ code: 'unknown_option', detail: { options: state.options.length } });
    case 'note':
      return state.notes.has(said.text)
        ? err({ code: 'duplicate_notice', detail: { first: state.notes.get(said.text) ?? 0 } })
        : ok(note(state, said.text, context));
    case 'end':
      return ok(finish(evolve(state, { t: 'silenced' }), [{ t: 'silenced' }]));
  }
}

function vote(state: TallyState, id: string, option: string, context: Context): TallyDecision {
  const payload: Json = { ballot: id, option };
  const claim = nodeIdIn(context, 'claim', payload);
  const rivals = state.claims.sorted().filter(([other]) => other !== option);
  const decision = settle(state, { t: 'voted', id, option, claim }, context);
  const rests =
    state.seed === null ? [] : [{ kind: 'depends_on' as const, from_id: claim, to_id: state.seed }];
  const contradictions = rivals.map(([, rival]) => ({
    kind: 'contradicts' as const,
    from_id: claim,
    to_id: rival,
  }));
  return {
    ...decision,
    graph: { nodes: [{ kind: 'claim', payload }], edges: [...rests, ...contradictions] },
  };
}

function note(state: TallyState, text: string, context: Context): TallyDecision {
  const payload: Json = { note: text };
  const node = nodeIdIn(context, 'assumption', payload);
  const step = deciding<TallyState, TallyEvent, BallotBody | NoticeBody>(state, evolve, context);
  step.emit({ t: 'noted', text, node });
  step.emit({ t: 'invited', id: step.ask(invitation(state.question)) });
  const below = state.lastNote ?? state.seed;
  return step.done({
    graph: {
      nodes: [{ kind: 'assumption', payload }],
      edges: below === null ? [] : [{ kind: 'refines', from_id: node, to_id: below }],
    },
  });
}

/** Settles one ballot; the last one ends the poll. */
function settle(state: TallyState, event: TallyEvent, context: Context): TallyDecision {
  const step = deciding<TallyState, TallyEvent, BallotBody | NoticeBody>(state, evolve, context);
  step.emit(event);
  return step.state.waiting.size === 0 ? finish(step.state, [event]) : step.done();
}

/** The end: a result where the quorum voted, else a refusal. What is still open is withdrawn. */
function finish(state: TallyState, events: readonly TallyEvent[]): TallyDecision {
  const withdraw = [
    ...state.waiting.sorted().map(([id]) => id),
    ...(state.invitation === null ? [] : [state.invitation]),
  ];
  const counts = state.options.map((option) => ({ option, votes: state.votes.get(option) ?? 0 }));
  const cast = counts.reduce((sum, { votes }) => sum + votes, 0);
  const report = {
    question: state.question,
    counts,
    abstained: state.abstained,
    unanswered: state.waiting.size,
    notices: state.notes.size,
  };
  if (cast < state.quorum) {
    return {
      events,
      withdraw,
      artifacts: { refusal: { ...report, cast, quorum: state.quorum } },
      outcome: { status: 'refused', reasons: ['no_quorum'] },
    };
  }
  // Of equal counts the first option in the order of the input wins.
  const winner = counts.reduce((best, next) => (next.votes > best.votes ? next : best));
  const minutes = state.notes.sorted().map(([text, place]) => ({ place, text }));
  return {
    events,
    withdraw,
    artifacts: { result: { ...report, winner: winner.option }, minutes },
    outcome: { status: 'success', reasons: [] },
  };
}

type TallyDecision = Decision<TallyEvent, BallotBody | NoticeBody>;

function invitation(question: string): Ask<NoticeBody> {
  return { kind: 'notice', body: { question }, accepts: ['human', 'synthetic'], attempts: 0 };
}

function readPolicy(policy: Json): Result<Rejection, TallyPolicy> {
  const { voters, quorum, attempts } = isObject(policy) ? policy : {};
  const isCount = (value: Json | undefined, max: number): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
  if (!isCount(voters, VOTERS_MAX)) return err({ code: 'bad_policy', detail: { field: 'voters' } });
  if (!isCount(quorum, voters)) return err({ code: 'bad_policy', detail: { field: 'quorum' } });
  if (!isCount(attempts, 100)) return err({ code: 'bad_policy', detail: { field: 'attempts' } });
  return ok({ voters, quorum, attempts });
}

function readInput(input: Json): Result<Rejection, TallyInput> {
  const { question, options } = isObject(input) ? input : {};
  if (typeof question !== 'string' || question.length > TEXT_MAX)
    return err({ code: 'bad_input', detail: { field: 'question' } });
  const texts = isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  const isFit =
    isArray(options) &&
    texts.length === options.length &&
    texts.length >= 2 &&
    texts.length <= OPTIONS_MAX &&
    new Set(texts).size === texts.length;
  return isFit ? ok({ question, options: texts }) : err({ code: 'bad_input', detail: { field: 'options' } });
}
