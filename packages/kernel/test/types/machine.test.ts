/** Types of the machine interface. What must not compile is marked; `npm run types` fails where it does. */
import { describe, expectTypeOf, it } from 'vitest';
import {
  advance,
  begin,
  openRequests,
  openRun,
  replayable,
  type follow,
  type Ask,
  type Decision,
  type Digest,
  type Failed,
  type Follower,
  type GenesisInput,
  type Json,
  type Machine,
  type Refused,
  type Rejection,
  type Replayable,
  type Request,
  type Result,
  type Run,
  type RunFollower,
  type Step,
} from '@assay/kernel';
import {
  tally,
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyState,
} from '@assay/testing';

type Body = BallotBody | NoticeBody;
type TallyRun = Run<TallyState, TallyAnswer, TallyEvent, Body>;
declare const genesis: GenesisInput;
declare const run: TallyRun;

describe('types of the machine interface', () => {
  it('a run keeps the types of its machine', () => {
    expectTypeOf(openRun<TallyState, TallyAnswer, TallyEvent, Body>).returns.toEqualTypeOf<
      Result<Rejection, Step<TallyState, TallyAnswer, TallyEvent, Body>>
    >();
    expectTypeOf(() => openRun(tally, genesis)).returns.toEqualTypeOf<
      Result<Rejection, Step<TallyState, TallyAnswer, TallyEvent, Body>>
    >();
    expectTypeOf(() => advance(run, null)).returns.toEqualTypeOf<
      Result<Refused, Step<TallyState, TallyAnswer, TallyEvent, Body>>
    >();
    expectTypeOf(() => openRequests(run)).returns.toEqualTypeOf<readonly Request<Body>[]>();
    expectTypeOf<Parameters<typeof follow>[0]['name']>().toEqualTypeOf<string>();
    expectTypeOf<RunFollower<TallyState, TallyAnswer, TallyEvent, Body>['run']>().toEqualTypeOf<TallyRun>();
  });

  it('replayable forgets them, so that machines of different types stand in one list without any', () => {
    expectTypeOf(() => replayable(tally)).returns.toEqualTypeOf<Replayable>();
    expectTypeOf(begin).returns.toEqualTypeOf<Result<Failed, Follower>>();
    expectTypeOf<Replayable>().not.toBeAny();
  });

  it('a proposal may be anything: what it is, is found out', () => {
    expectTypeOf<Parameters<typeof advance>[1]>().toBeUnknown();
  });

  it('runs, records, states and requests are read-only', () => {
    // @ts-expect-error a run is a value
    () => (run.count = 1);
    // @ts-expect-error so is a record
    (step: Step<TallyState, TallyAnswer, TallyEvent, Body>) => (step.records[0] = null);
    // @ts-expect-error and the state of tally
    () => (run.state.quorum = 1);
    // @ts-expect-error and a request
    (request: Request) => (request.attempts = 1);
  });

  it('hashed shapes are types, assignable to Json', () => {
    expectTypeOf<TallyEvent>().toExtend<Json>();
    expectTypeOf<Body>().toExtend<Json>();
    expectTypeOf<Ask>().toExtend<Json>();
    // @ts-expect-error an event that is no Json is no event
    type _Broken = Machine<TallyState, TallyAnswer, Map<string, string>>;
  });

  it('an ask names sources of the closed set, a node a known kind, an outcome one of two', () => {
    // @ts-expect-error model is no source
    const _ask: Ask = { kind: 'a', body: null, accepts: ['model'], attempts: 1 };
    // @ts-expect-error maybe is no status
    const _outcome: Decision['outcome'] = { status: 'maybe', reasons: [] };
    // @ts-expect-error thing is no kind of node
    const _graph: Decision['graph'] = { nodes: [{ kind: 'thing', payload: 1 }], edges: [] };
  });

  it('a digest is made by a digest only', () => {
    // @ts-expect-error text is no digest
    const _digest: Digest = '0'.repeat(64);
    expectTypeOf<Digest>().toExtend<string>();
  });
});
