import {
  begin,
  makeContinuation,
  follow,
  makeHead,
  nobleSha256,
  openRun,
  orThrow,
  replayable,
  replayWith,
  resumeRun,
  snapshot,
  hashState,
  type Digest,
  type EvidenceRecord,
  type Failed,
  type Follower,
  type Head,
  type Json,
  type Machine,
  type Result,
  type Snapshot,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { tally } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { chain, erase, hashOf, reforge } from '../../tools/ledger-builder.js';
import {
  ask,
  failing,
  go,
  puppet,
  start,
  telling,
  type Puppet,
  type PuppetRun,
  type PuppetState,
} from '../machine/puppet.js';
import { copies, known, smallPoll } from './poll.js';
import { readSnapshot } from '../../src/machine/snapshot.js';
import { resume } from '../../src/replay/replay.js';

const { records, run, runs } = smallPoll();
const failedIn = (result: Result<Failed, unknown>): Failed => {
  if (result._tag === 'Right') throw new Error('it replays');
  return result.left;
};
const failureOf = (given: readonly EvidenceRecord[], machines = known): Failed =>
  failedIn(replayWith(machines, given));
const changed = (at: number, change: (payload: { readonly [key: string]: Json }) => Json): EvidenceRecord[] =>
  reforge(records, (payload, index) => (index === at ? change(payload) : undefined));

describe('where a replay differs', () => {
  const first = records.findIndex(({ kind }) => kind === 'decision');
  const artifact = records.findIndex(({ kind }) => kind === 'artifact');
  const events = (records[first]?.payload as { readonly events: readonly Json[] }).events;

  it.each<[string, () => EvidenceRecord[], number, string, Json?, Json?]>([
    [
      'an item more',
      () => changed(first, (payload) => ({ ...payload, events: [...events, 'x'] })),
      first,
      `/payload/events/${events.length}`,
      null,
      'x',
    ],
    [
      'an item less',
      () => changed(first, (payload) => ({ ...payload, events: events.slice(0, -1) })),
      first,
      `/payload/events/${events.length - 1}`,
      events.at(-1) ?? null,
      null,
    ],
    [
      'a key more',
      () => changed(first, (payload) => ({ ...payload, 'a/b~c': 1 })),
      first,
      '/payload/a~1b~0c',
      null,
      1,
    ],
    [
      'a key less',
      () => changed(artifact, ({ name: _, ...payload }) => payload),
      artifact,
      '/payload/name',
      (records[artifact]?.payload as { readonly name: string }).name,
      null,
    ],
    [
      'an object in place of a list of notes',
      () => changed(artifact, (payload) => ({ ...payload, content: {} })),
      artifact,
      '/payload/content',
    ],
    [
      'a list in place of an object',
      () => changed(first, (payload) => ({ ...payload, events: [[], ...events.slice(1)] })),
      first,
      '/payload/events/0',
      events[0] ?? null,
      [],
    ],
    [
      'an object in place of a list',
      () => changed(first, (payload) => ({ ...payload, events: {} })),
      first,
      '/payload/events',
      events,
      {},
    ],
    [
      'a scalar in place of an object',
      () => changed(artifact, (payload) => ({ ...payload, content: 1 })),
      artifact,
      '/payload/content',
    ],
    ['a whole payload', () => changed(first, () => 1), first, '/payload'],
    [
      'a ts',
      () => chain(records.map((record, index) => ({ ...record, ts: index === first ? 'x' : record.ts }))),
      first,
      '/ts',
      records[first]?.ts ?? null,
      'x',
    ],
    [
      'a kind',
      () =>
        chain(records.map((record, index) => ({ ...record, kind: index === first ? 'note' : record.kind }))),
      first,
      '/kind',
      'decision',
      'note',
    ],
  ])(
    '%s: named by a pointer, with what was derived and what is there',
    (_, forged, record, field, expected, got) => {
      const found = failureOf(forged());
      expect(found).toMatchObject({ check: 'rederivation', code: 'differs', record, field });
      if (expected !== undefined) expect(found.expected).toEqual(expected);
      if (got !== undefined) expect(found.got).toEqual(got);
    },
  );

  it('what is no ledger at all', () => {
    expect(failureOf([])).toMatchObject({
      code: 'unknown_format',
      record: 0,
      field: null,
      expected: expect.stringMatching(/\w/),
      got: null,
    });
    expect(failureOf(chain([{ ts: 'x', kind: 'note', payload: 1 }]))).toMatchObject({
      code: 'unknown_format',
      field: '/kind',
      expected: 'genesis',
      got: 'note',
    });
    expect(failureOf(changed(0, (payload) => ({ ...payload, ts_base: 1 })))).toMatchObject({
      code: 'differs',
      record: 0,
      field: '/payload/ts_base',
      expected: expect.stringMatching(/\w/),
    });
    expect(failureOf(changed(0, (payload) => ({ ...payload, policy: null })))).toMatchObject({
      code: 'differs',
      record: 0,
      field: '/payload',
      expected: expect.stringMatching(/\w/),
      got: { code: 'bad_policy' },
    });
  });

  it('what follows at the end of a group must be a proposal, and nothing follows a close', () => {
    const last = records.at(-1) as EvidenceRecord;
    expect(failureOf(chain([...records, { ts: 'x', kind: 'note', payload: 1 }]))).toMatchObject({
      code: 'differs',
      record: records.length,
      field: '/kind',
      expected: null,
      got: 'note',
    });
    expect(
      failureOf(
        chain([
          ...records,
          { ts: 'x', kind: 'proposal', payload: (records[2] as EvidenceRecord).payload ?? null },
        ]),
      ),
    ).toMatchObject({
      code: 'differs',
      record: records.length,
      field: '/kind',
      expected: null,
      got: 'proposal',
    });
    const at = records.findIndex(({ kind }) => kind === 'proposal');
    for (const kind of ['decision', 'close', 'artifact'])
      expect(failureOf(chain([...records.slice(0, at), { ...last, kind }]))).toMatchObject({
        code: 'differs',
        record: at,
        field: '/kind',
        expected: 'proposal',
        got: kind,
      });
  });

  it.each<[object, string, string]>([
    [{ source: 'me' }, 'source', 'proposal_shape'],
    [{ request_id: '1' }, 'request_id', 'proposal_shape'],
    [{ confidence: 2 }, 'confidence', 'proposal_shape'],
    [{ spent: { tokens: -1 } }, 'spent/tokens', 'proposal_shape'],
    [{ value: { $sealed: 1 } }, 'value', 'inadmissible'],
  ])(
    'a proposal that no run could have recorded is shown with its code and place: %j',
    (edit, field, got) => {
      const at = records.findIndex(({ kind }) => kind === 'proposal');
      expect(failureOf(changed(at, (payload) => ({ ...payload, ...edit }) as Json))).toMatchObject({
        code: 'differs',
        record: at,
        field: `/payload/${field}`,
        got,
        expected: 'a proposal that can be recorded',
      });
    },
  );
});

describe('following one machine', () => {
  const genesis = records[0] as EvidenceRecord;
  it('a ledger of another machine, or another version of it, is not followed', () => {
    for (const other of [
      { ...tally, name: 'tallies' },
      { ...tally, version: 2 },
    ]) {
      expect(failedIn(follow(other, genesis))).toEqual({
        check: 'rederivation',
        code: 'unknown_machine',
        record: 0,
        field: '/payload/machine',
        expected: null,
        got: { name: 'tally', version: 1, engine: null },
      });
    }
  });

  it('nor one whose genesis is broken, erased or of another format', () => {
    expect(failedIn(follow(tally, { ...genesis, ts: 'x' }))).toMatchObject({
      check: 'integrity',
      code: 'record_hash',
      record: 0,
    });
    expect(failedIn(follow(tally, erase([genesis], [0])[0] as EvidenceRecord))).toMatchObject({
      code: 'payload_erased',
      record: 0,
    });
    expect(failedIn(follow(tally, records[1] as EvidenceRecord))).toMatchObject({ record: 0 });
    const [foreign] = changed(0, (payload) => ({ ...payload, format: 'assay/9' }));
    expect(failedIn(follow(tally, foreign as EvidenceRecord))).toMatchObject({
      code: 'unknown_format',
      field: '/payload/format',
    });
  });

  it('hashes are not computed where integrity was checked already, and are where it was not', () => {
    const count = (checked: boolean | undefined): number => {
      let calls = 0;
      const sha256 = (bytes: Uint8Array): Digest => {
        calls += 1;
        return nobleSha256(bytes);
      };
      const machines = [replayable(tally)];
      expect(
        replayWith(machines, copies(records), checked === undefined ? { sha256 } : { sha256, checked })._tag,
      ).toBe('Right');
      return calls;
    };
    expect(count(true)).toBeLessThan(count(false));
    expect(count(undefined)).toBe(count(false));
    expect(
      replayWith(
        known,
        records.map((record, index) => (index === 3 ? { ...record, more: 1 } : record)) as EvidenceRecord[],
        { checked: true },
      )._tag,
    ).toBe('Right');
  });

  it('a proposal of a checked line is frozen in place, one of a line that was not checked is copied', () => {
    for (const [checked, frozen] of [
      [true, true],
      [false, false],
    ] as const) {
      const given = copies(records.slice(0, 3));
      let follower: Follower = orThrow(begin(known, given[0] as EvidenceRecord, { checked }));
      for (const record of given.slice(1))
        follower = orThrow(follower.feed(record, JSON.stringify(record).length));
      expect(Object.isFrozen((given[2]?.payload as { readonly value: object }).value)).toBe(frozen);
    }
  });

  it('the artifacts are the latest of each name, whatever a decision holds beside them', () => {
    const opening = start({ asks: [ask(), ask()], artifacts: { a: 1, b: [2] } });
    const step = go(
      opening.run,
      telling('1.0', { artifacts: { a: { x: 1 } }, events: [{ name: 'c', content: 1 }] }),
    );
    const follower = orThrow(replayWith([replayable(puppet)], [...opening.records, ...step.records]));
    expect(follower.artifacts).toEqual({ a: { x: 1 }, b: [2] });
    expect([follower.outcome, follower.summary_hash]).toEqual([null, null]);
    expect(orThrow(replayWith([replayable(puppet)], opening.records)).snapshot()).toEqual(
      snapshot(opening.run),
    );
    expect(snapshot(opening.run)).not.toBeNull();
  });

  const taken = snapshot(runs[0] as typeof run) as Snapshot;
  const continued = orThrow(
    openRun(tally, {
      run_id: 'next',
      ts_base: 't',
      policy: null,
      input: null,
      base: makeContinuation(taken),
    }),
  );

  it('of a fork and of a continuation the head counts from where each begins', () => {
    const forked = orThrow(
      openRun(tally, {
        run_id: 'fork',
        ts_base: 't',
        policy: run.genesis.policy,
        input: run.genesis.input,
        base: { ...taken.head, snapshot: null },
      }),
    );
    for (const [opened, before] of [
      [continued, taken.head.count],
      [forked, 0],
    ] as const) {
      expect(orThrow(replayWith(known, opened.records.slice(0, 1))).head).toMatchObject({
        run_id: opened.run.genesis.run_id,
        count: before + 1,
      });
      expect(orThrow(replayWith(known, opened.records)).head).toEqual(makeHead(opened.run));
    }
  });

  it('of a resumed continuation faults are placed in its own file', () => {
    const again = orThrow(resume(known, snapshot(continued.run)));
    expect(failedIn(again.feed(records[2] as EvidenceRecord))).toMatchObject({
      check: 'integrity',
      code: 'parent',
      record: 2,
    });
  });
});

describe('a snapshot read back', () => {
  const taken = JSON.parse(
    JSON.stringify(snapshot(runs.find((each) => each.graph.edgeCount > 0 && snapshot(each) !== null) ?? run)),
  ) as Snapshot | null;
  const drawn = start({ asks: [ask()], graph: graphOf() });
  const good = taken ?? (snapshot(drawn.run) as Snapshot);
  const small = snapshot(drawn.run) as Snapshot;

  function graphOf(): {
    readonly nodes: readonly { readonly kind: 'claim'; readonly payload: Json }[];
    readonly edges: readonly [];
  } {
    return {
      nodes: [
        { kind: 'claim', payload: 1 },
        { kind: 'claim', payload: 2 },
      ],
      edges: [],
    };
  }
  const left = (given: unknown): Json => {
    const read = readSnapshot(given);
    return read._tag === 'Right' ? 'read' : { ...read.left };
  };

  it('is read whatever it was', () => {
    for (const given of [good, small]) expect(left(given)).toBe('read');
  });

  it.each<[string, unknown, string | null]>([
    ['what is no JSON', { ...small, head: { ...small.head, count: Number.NaN } }, '/head/count'],
    ['a hash that is none', { ...small, head: { ...small.head, hash: 'x' } }, '/head/hash'],
    ['a fraction in the state', { ...small, state: { ...small.state, machine: 0.5 } }, '/state'],
    ['a token out of form', { ...small, state: { ...small.state, machine: { $sealed: 1 } } }, '/state'],
    ['a node that is no hash', { ...small, graph: { ...small.graph, nodes: ['x'] } }, '/graph/nodes/0'],
    ['a genesis that is no record', { ...small, genesis: 1 }, null],
    ['a genesis with a key more', { ...small, genesis: { ...small.genesis, more: 1 } }, null],
    ['another kind of record', { ...small, genesis: chain([{ ...small.genesis, kind: 'note' }])[0] }, null],
    [
      'a genesis of another shape',
      {
        ...small,
        genesis: chain([
          { ...small.genesis, payload: { ...(small.genesis.payload as object), ts_base: 1 } },
        ])[0],
      },
      null,
    ],
    ['a decision in its place', { ...small, genesis: drawn.records[1] }, null],
  ])('is refused with %s', (_, given, path) =>
    expect(left(given)).toEqual(
      path === null
        ? { code: 'snapshot_genesis', detail: null }
        : { code: 'snapshot_shape', detail: { path } },
    ),
  );

  it('is refused with edges under another id or of another kind, and in a cycle', () => {
    const [a, b] = small.graph.nodes as readonly [Digest, Digest];
    const step = go(
      start({ asks: [ask()], graph: graphOf() }).run,
      telling('1.0', {
        asks: [ask()],
        graph: {
          nodes: [],
          edges: [
            { kind: 'refines', from_id: a, to_id: b },
            { kind: 'contradicts', from_id: b, to_id: a },
          ],
        },
      }),
    );
    const edges = step.run.graph.edges();
    expect(left({ ...small, graph: { ...small.graph, edges } })).toBe('read');
    const [edge] = edges as readonly [(typeof edges)[number]];
    const back = go(
      start({ asks: [ask()], graph: graphOf() }).run,
      telling('1.0', { graph: { nodes: [], edges: [{ kind: 'refines', from_id: b, to_id: a }] } }),
    ).run.graph.edges();
    for (const wrong of [
      [{ ...edge, id: hashOf(1) }],
      [{ ...edge, kind: 'likes' }],
      [edge, ...back],
      [{ ...edge, to_id: hashOf(2) }],
    ]) {
      expect(left({ ...small, graph: { ...small.graph, edges: wrong } })).toEqual({
        code: 'snapshot_graph',
        detail: null,
      });
    }
  });

  it('lists edges by id, however they came', () => {
    const nodes = Array.from({ length: 6 }, (_, index) => ({ kind: 'claim' as const, payload: index }));
    const ids = go(
      start({ asks: [ask()] }).run,
      telling('1.0', { graph: { nodes, edges: [] } }),
    ).run.graph.sortedNodeIds();
    const edges = ids
      .slice(1)
      .map((id) => ({ kind: 'contradicts' as const, from_id: ids[0] as Digest, to_id: id }));
    for (const order of [edges, edges.toReversed()]) {
      const taken_ = snapshot(start({ asks: [ask()], graph: { nodes, edges: order } }).run) as Snapshot;
      const listed = taken_.graph.edges.map(({ id }) => id);
      expect(listed).toEqual(listed.toSorted());
      expect(listed).toHaveLength(edges.length);
    }
  });

  it('has a format that names it, and is not resumed by another machine', () => {
    expect(small.format).toMatch(/^[a-z-]+\/\d+$/);
    for (const other of [
      { ...puppet, name: 'doll' },
      { ...puppet, version: 2 },
    ])
      expect(resumeRun(other, small)).toEqual({
        _tag: 'Left',
        left: { code: 'snapshot_machine', detail: { name: 'puppet', version: 1, engine: null } },
      });
  });

  it('is taken up by the machine it names, of several versions, with the digest that is given', () => {
    const later = {
      ...puppet,
      version: 2,
      decode: (): never => {
        throw new Error('the wrong version');
      },
    };
    for (const machines of [
      [replayable(later), replayable(puppet)],
      [replayable(puppet), replayable(later)],
    ])
      expect(resume(machines, small)._tag).toBe('Right');
    let calls = 0;
    const sha256 = (bytes: Uint8Array): Digest => {
      calls += 1;
      return nobleSha256(bytes);
    };
    const [request] = drawn.run.open;
    const next = go(drawn.run, telling(request?.[0] ?? '', { events: [1] }));
    const counts = [replayable(puppet, { sha256 }), replayable(puppet)].map((machine, index) => {
      const before = calls;
      let follower = orThrow(machine.resume(small, index === 0 ? undefined : { sha256 }));
      const taken_ = calls;
      for (const record of next.records) follower = orThrow(follower.feed(record));
      return [taken_ > before, calls > taken_];
    });
    expect(counts).toEqual([
      [true, true],
      [true, true],
    ]);
    // Checked by whoever resumes: no hash of what is fed is computed to compare it.
    const unchecked = orThrow(replayable(puppet).resume(small)).feed({
      ...(next.records[0] as EvidenceRecord),
      payload_hash: hashOf(1),
    });
    expect(failedIn(unchecked)).toMatchObject({ check: 'integrity', code: 'payload_hash' });
    expect(
      orThrow(replayable(puppet).resume(small, { checked: true })).feed({
        ...(next.records[0] as EvidenceRecord),
        payload_hash: hashOf(1),
      })._tag,
    ).toBe('Right');
  });

  it('that cannot be read, or whose state the machine does not decode, is not resumed', () => {
    expect(resume([replayable(puppet)], 1)).toMatchObject({ left: { code: 'snapshot_shape' } });
    const odd = { ...small, state: { ...small.state, machine: { log: 1 } } };
    expect(resume([replayable(puppet)], odd)).toEqual({
      _tag: 'Left',
      left: { code: 'bad_state', detail: null },
    });
    expect(hashState(odd.state)).not.toBeNull();
    expect(hashState({ ...small.state, machine: Number.NaN })).toBeNull();
  });

  it('gives a run that is anchored: its snapshot is the same again', () => {
    const resumed = orThrow(resumeRun(puppet, JSON.parse(JSON.stringify(small))));
    expect(snapshot(resumed)).toEqual({ ...small, genesis: small.genesis });
  });
});

describe('a fork of a ledger', () => {
  const opening = start({ asks: [ask({ body: 'a', attempts: 3 }), ask({ body: 'b' })] });
  const ASKS = { asks: [ask({ body: 'a', attempts: 3 }), ask({ body: 'b' })] };
  const fork = (
    base: Omit<Head, 'chain'>,
    parent: readonly EvidenceRecord[],
    first: object = ASKS,
    machine: Puppet = puppet,
  ): ReturnType<typeof forkRun<PuppetState, Json, Json, Json>> =>
    forkRun(
      machine as unknown as Machine<PuppetState, Json, Json, Json>,
      {
        run_id: 'fork',
        ts_base: 'f',
        policy: { first } as unknown as Json,
        input: null,
        base: { ...base, snapshot: null },
      },
      parent,
    );
  const feed = (
    first: object,
    parent: readonly EvidenceRecord[],
    machine?: Puppet,
  ): ReturnType<typeof fork> => {
    const hash = parent.at(-1)?.record_hash ?? hashOf(0);
    return fork({ run_id: 'run', count: parent.length, hash }, parent, first, machine);
  };
  const told = (...answers: readonly unknown[]): readonly EvidenceRecord[] => {
    let { run: at } = opening;
    const all = [...opening.records];
    for (const answer of answers) {
      const step = go(at, answer);
      all.push(...step.records);
      at = step.run;
    }
    return all;
  };
  const fedTo = (fork: ReturnType<typeof feed>): unknown => {
    const { records: all, leftOver } = orThrow(fork);
    return [
      all
        .filter(({ kind }) => kind === 'proposal')
        .map(({ payload }) => (payload as { readonly request_id: string }).request_id),
      leftOver,
    ];
  };

  it('whose opening is refused gives that refusal', () => {
    const parent = told();
    const closed: Puppet = {
      ...puppet,
      open: () => ({ _tag: 'Left', left: { code: 'closed_shop', detail: 7 } }),
    };
    expect(feed(ASKS, parent, closed)).toEqual({
      _tag: 'Left',
      left: { code: 'closed_shop', detail: 7 },
    });
  });

  it('that is not based on it says what base was named', () => {
    const elsewhere = { run_id: 'run', count: 2, hash: hashOf(1) };
    expect(fork(elsewhere, told())).toEqual({
      _tag: 'Left',
      left: { code: 'base_mismatch', detail: { run_id: 'run', count: 2 } },
    });
    expect(fork(elsewhere, [])).toMatchObject({ left: { code: 'base_mismatch' } });
    expect(feed(ASKS, erase(told(), [0]))).toMatchObject({ left: { code: 'base_mismatch' } });
  });

  it('feeds each answer to what asks the same, and nothing that the parent refused as not open', () => {
    const parent = told(
      failing('1.0'),
      telling('9.9', {}),
      failing('1.0', {}, { proposer: 'b' }),
      telling('1.1', { events: [1] }),
    );
    expect(parent.map(({ kind }) => kind)).toEqual([
      'genesis',
      'decision',
      'proposal',
      'rejection',
      'proposal',
      'rejection',
      'proposal',
      'rejection',
      'proposal',
      'decision',
    ]);
    expect(fedTo(feed(ASKS, parent))).toEqual([['1.0', '1.0', '1.1'], [4]]);
    // What was answered twice in the parent, the second time in vain, is left over, though the fork could
    // still ask it.
    const twice = told(telling('1.1', {}), telling('1.1', { events: ['again'] }));
    expect(fedTo(feed({ asks: [ask({ body: 'b' }), ask({ body: 'b' })] }, twice))).toEqual([['1.0'], [4]]);
  });

  it('reads nothing of what the parent erased', () => {
    const parent = told(failing('1.0'), telling('9.9', {}), telling('1.1', {}));
    // Without the decision nobody knows what was asked; without a rejection, why.
    expect(fedTo(feed(ASKS, erase(parent, [1])))).toEqual([[], [2, 4, 6]]);
    expect(fedTo(feed(ASKS, erase(parent, [2])))).toEqual([['1.1'], [2, 4]]);
    expect(fedTo(feed(ASKS, erase(parent, [3, 5])))).toEqual([['1.0', '1.1'], [4]]);
  });

  it('gives nothing to a fork that has closed', () => {
    const parent = told(telling('1.0', { outcome: { status: 'success', reasons: [] } }));
    const more = { asks: [ask({ body: 'b' })], outcome: undefined };
    expect(fedTo(feed({ outcome: { status: 'success', reasons: [] } }, parent))).toEqual([[], [2]]);
    expect(fedTo(feed({ asks: more.asks }, parent))).toEqual([[], [2]]);
    const later = told(telling('1.0', { outcome: { status: 'refused', reasons: ['x'] } }));
    const again = orThrow(feed(ASKS, later));
    expect([again.run.outcome, again.leftOver]).toEqual(['refused', []]);
  });

  it('leaves over what the fork cannot take', () => {
    const two = start({ asks: [ask({ body: 'a', attempts: 9 }), ask({ body: 'a', attempts: 9 })] });
    const answered = (
      ...answers: readonly [string, (id: string) => unknown][]
    ): readonly EvidenceRecord[] => {
      let { run: at } = two;
      const all = [...two.records];
      for (const [id, answer] of answers) {
        const step = go(at, answer(id));
        all.push(...step.records);
        at = step.run;
      }
      return all;
    };
    const costing = (tokens: number) => (id: string) => failing(id, {}, { spent: { tokens } });
    const saying = (event: string) => (id: string) => telling(id, { events: [event] });
    // One request for both here: its spend would leave the safe integers, and an answer that is not recorded
    // may not be passed over.
    expect(
      feed(
        { asks: [ask({ body: 'a', attempts: 9 })] },
        answered(['1.0', costing(Number.MAX_SAFE_INTEGER)], ['1.1', costing(1)]),
      ),
    ).toMatchObject({ left: { code: 'proposal_shape', detail: { path: '/spent/tokens', record: 4 } } });
    // One request for both, closed by the first.
    expect(
      fedTo(
        feed(
          { asks: [ask({ body: 'a', attempts: 9 })] },
          answered(['1.0', saying('x')], ['1.1', saying('y')]),
        ),
      ),
    ).toEqual([['1.0'], [4]]);
  });

  it('of a continuation reads up to the base, counted by its sequences, with what was carried', () => {
    const taken = snapshot(opening.run) as Snapshot;
    const child = start({}, puppet, { run_id: 'child', base: makeContinuation(taken) });
    const one = go(child.run, telling('1.0', { events: ['a'] }));
    const two = go(one.run, telling('1.1', { events: ['b'] }));
    const parent = [...child.records, ...one.records, ...two.records];
    const at = (of: { readonly run: PuppetRun }): unknown => {
      const { leftOver, run: made } = orThrow(fork(makeHead(of.run), parent));
      return [made.state.log, leftOver];
    };
    expect([at(child), at(one), at(two)]).toEqual([
      [[], []],
      [['a'], []],
      [['a', 'b'], []],
    ]);
    // Inside a group of a continuation there is no base.
    const [count, hash] = [
      makeHead(one.run).count - 1,
      parent[child.records.length]?.record_hash ?? hashOf(0),
    ];
    expect(fork({ run_id: 'child', count, hash }, parent)).toMatchObject({ left: { code: 'base_mismatch' } });
    // Nor after the last record, where that is a genesis or a proposal whose decision is not recorded yet.
    for (const cut of [parent.slice(0, 1), parent.slice(0, child.records.length + 1)]) {
      const end = { count: taken.head.count + cut.length, hash: cut.at(-1)?.record_hash ?? hashOf(0) };
      expect(fork({ run_id: 'child', ...end }, cut)).toMatchObject({ left: { code: 'base_mismatch' } });
    }
    // A fork of a fork begins at sequence 0 again.
    const forked = orThrow(feed(ASKS, told(telling('1.0', { events: ['x'] }))));
    const again = { ...makeHead(forked.run), snapshot: null };
    const second = orThrow(
      forkRun(
        puppet,
        {
          run_id: 'second',
          ts_base: 'f',
          policy: { first: ASKS } as unknown as Json,
          input: null,
          base: again,
        },
        forked.records,
      ),
    );
    expect([second.run.state.log, second.leftOver]).toEqual([['x'], []]);
  });
});
