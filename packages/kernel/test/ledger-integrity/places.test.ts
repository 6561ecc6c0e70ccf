import {
  encodeLine,
  hashCanonical,
  LINE_LIMITS,
  LineSplitter,
  nodeId,
  edgeId,
  orThrow,
  utf8Bytes,
  validateRun,
  validateRunFile,
  type EdgeKind,
  type EvidenceRecord,
  type IntegrityFault,
  type Json,
  type JsonObject,
  type NodeKind,
  type RunSummary,
  type Result,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { describe, expect, it } from 'vitest';
import { chain, erase, fileOf, hashOf, LedgerBuilder, reforge } from '../../tools/ledger-builder.js';
import { itemAt, rehashed, sample, sha256, without } from './samples.js';

const H = hashOf('other');
const records = (): EvidenceRecord[] => sample().records();
const payloadAt = (index: number): JsonObject => itemAt(records(), index).payload as JsonObject;
const faultIn = (result: Result<IntegrityFault, RunSummary>): IntegrityFault => {
  if (result._tag === 'Right') throw new Error('it holds');
  return result.left;
};
const faultOf = (given: readonly EvidenceRecord[]): IntegrityFault =>
  faultIn(validateRunFile(fileOf(given), { sha256 }));
const forged = (at: number, change: (payload: JsonObject) => Json): IntegrityFault =>
  faultOf(reforge(records(), (payload, index) => (index === at ? change(payload) : undefined)));
const replaced = (at: number, change: (record: EvidenceRecord) => object): IntegrityFault =>
  faultOf(records().map((record, index) => (index === at ? (change(record) as EvidenceRecord) : record)));
const set = (at: number, key: string, value: Json) => (): IntegrityFault =>
  forged(at, (payload) => ({ ...payload, [key]: value }));
const valueOf = (value: unknown): IntegrityFault => faultIn(validateRun([value], { sha256 }));

type GraphPart = { readonly nodes: readonly JsonObject[]; readonly edges: readonly JsonObject[] };
/** The sample with other nodes and edges in its second addition to the graph. */
const graphed = (change: (graph: GraphPart) => Json) => (): IntegrityFault =>
  forged(5, (decision) => ({ ...decision, graph: change(decision['graph'] as unknown as GraphPart) }));
const ids = { seed: nodeOf('seed', 's'), claim: nodeOf('claim', 'c') };
function nodeOf(kind: string, payload: Json, payloadHash = hashOf(payload)): JsonObject {
  return {
    id: nodeId('run-1', kind as NodeKind, payloadHash, sha256),
    kind,
    payload,
    payload_hash: payloadHash,
  };
}
function edgeOf(kind: string, from: JsonObject, to: JsonObject): JsonObject {
  const edge = { kind: kind as EdgeKind, from_id: from['id'] as typeof H, to_id: to['id'] as typeof H };
  return { ...edge, id: edgeId('run-1', edge, sha256) };
}
const base = (change: JsonObject, count = 5): Json => ({
  run_id: 'r',
  count,
  hash: H,
  snapshot: null,
  ...change,
});
const openRow = (id: string): Json => ({
  rejections: 0,
  spent: {},
  request: { id, kind: 'ask', body: null, accepts: ['rule'], attempts: 1 },
});
const snapshotOf = (change: JsonObject): JsonObject => ({
  snapshot: { t: 'state', machine: null, open: {}, artifacts: {}, ...change },
});
const based =
  (given: Json, first = 5) =>
  (): IntegrityFault =>
    faultOf(new LedgerBuilder({ first, base: given }).decide().records());

describe('a fault says where it is, and what is there', () => {
  it.each<[string, () => IntegrityFault, string, string, unknown?]>([
    [
      'payload hash',
      () => replaced(3, (record) => ({ ...record, payload_hash: H })),
      'payload_hash@3',
      '/payload_hash',
      H,
    ],
    [
      'record hash',
      () => replaced(3, (record) => ({ ...record, record_hash: H })),
      'record_hash@3',
      '/record_hash',
      H,
    ],
    ['parent', () => faultOf(records().slice(1)), 'parent@0', '/parent', itemAt(records(), 0).record_hash],
    [
      'ts',
      () =>
        faultOf(chain(sample().drafts.map((draft, index) => (index === 3 ? { ...draft, ts: 'x' } : draft)))),
      'ts@3',
      '/ts',
      'x',
    ],
    [
      'kind',
      () =>
        faultOf(
          chain(sample().drafts.map((draft, index) => (index === 3 ? { ...draft, kind: 'note' } : draft))),
        ),
      'order@3',
      '/kind',
      'note',
    ],
    [
      'order of artifacts',
      () => faultOf(new LedgerBuilder().decide().artifact('b', 1).artifact('a', 1).records()),
      'order@3',
      '/payload/name',
      'a',
    ],
    ['erased genesis', () => faultOf(erase(records(), [0])), 'payload_shape@0', '/payload'],
    ['erased close', () => faultOf(erase(records(), [12])), 'payload_shape@12', '/payload'],
    [
      'base of the same run',
      set(0, 'base', base({ run_id: 'run-1' })),
      'payload_shape@0',
      '/payload/base/run_id',
    ],
    ['first state hash', set(1, 'state_hash', null), 'payload_shape@1', '/payload/state_hash'],
    [
      'value beside a failure',
      set(2, 'failure', { code: 'lost', final: false, detail: null }),
      'payload_shape@2',
      '/payload/value',
    ],
    [
      'confidence beside a failure',
      () =>
        forged(2, (proposal) => ({
          ...proposal,
          value: null,
          confidence: 1,
          failure: { code: 'lost', final: false, detail: null },
        })),
      'payload_shape@2',
      '/payload/confidence',
    ],
    ['confidence below 0', set(2, 'confidence', -0.5), 'payload_shape@2', '/payload/confidence'],
    ['confidence that is no number', set(2, 'confidence', true), 'payload_shape@2', '/payload/confidence'],
    ['confidence that is text', set(2, 'confidence', '1'), 'payload_shape@2', '/payload/confidence'],
    [
      'cites',
      set(2, 'cites', [
        { run_id: 'r', count: 1, hash: H },
        { run_id: 'r', count: 0, hash: H },
      ]),
      'payload_shape@2',
      '/payload/cites/1/count',
    ],
    [
      'attempts that are text',
      () =>
        forged(5, (decision) => ({
          ...decision,
          requests: [{ ...(decision['requests'] as readonly [JsonObject])[0], attempts: '1' }],
        })),
      'payload_shape@5',
      '/payload/requests/0/attempts',
    ],
    ['reasons', set(12, 'status', 'refused'), 'payload_shape@12', '/payload/reasons'],
    [
      'a carried request under another id',
      based(base(snapshotOf({ open: { '0.0': openRow('0.1') } }))),
      'payload_shape@0',
      '/payload/base/snapshot/open/0.0/request/id',
    ],
    [
      'a carried request of another form',
      based(base(snapshotOf({ open: { '0.0': { ...(openRow('0.0') as JsonObject), rejections: -1 } } }))),
      'payload_shape@0',
      '/payload/base/snapshot/open/0.0/rejections',
    ],
    [
      'a carried request from later',
      based(base(snapshotOf({ open: { '12.0': openRow('12.0') } }), 12), 12),
      'payload_shape@0',
      '/payload/base/snapshot/open/12.0',
    ],
    [
      'a count below 1 before a state',
      based(base(snapshotOf({}), -1), 0),
      'payload_shape@0',
      '/payload/base/count',
    ],
    ['fraction in a base', based(base(snapshotOf({ machine: 0.5 }))), 'number@0', '/payload/base'],
    [
      'fraction in a failure',
      () =>
        forged(2, (proposal) =>
          rehashed({
            ...proposal,
            value: null,
            confidence: null,
            failure: { code: 'lost', final: false, detail: 0.5 },
          }),
        ),
      'number@2',
      '/payload/failure/detail',
    ],
    ['fraction in an event', set(5, 'events', [0.5]), 'number@5', '/payload'],
    ['fraction below an array', set(5, 'events', [[[1, [0.5]]]]), 'number@5', '/payload'],
    [
      'token',
      set(5, 'events', [1, { 'a/b': [{ $sealed: 1 }] }]),
      'token@5',
      '/payload/events/1/a~1b/0',
      'token',
    ],
    [
      'token after one in form',
      set(5, 'events', [{ $sealed: H }, [[{ $blob: 1 }]]]),
      'token@5',
      '/payload/events/1/0/0',
      'token',
    ],
    [
      'key beside a token',
      set(5, 'events', [{ $sealed: H, a: 1 }]),
      'token@5',
      '/payload/events/0',
      'reserved_key',
    ],
    ['proposal hash', set(2, 'proposal_hash', H), 'proposal_hash@2', '/payload/proposal_hash', H],
    ['artifact hash', set(6, 'artifact_hash', H), 'artifact_hash@6', '/payload/artifact_hash', H],
    [
      'request id',
      () =>
        forged(5, (decision) => ({
          ...decision,
          requests: [{ ...(decision['requests'] as readonly [JsonObject])[0], id: '5.1' }],
        })),
      'request_id@5',
      '/payload/requests/0/id',
      '5.1',
    ],
    ['withdrawn', set(5, 'withdrawn', ['1.2', '1.2']), 'request_id@5', '/payload/withdrawn/1', '1.2'],
    ['rejection that says not open', set(3, 'code', 'not_open'), 'request_id@3', '/payload/code', 'not_open'],
    ['rejection that does not', set(9, 'code', 'unclear'), 'request_id@9', '/payload/code', 'unclear'],
    ['dag root', set(12, 'dag_root_hash', H), 'close@12', '/payload/dag_root_hash', H],
    ['artifact hashes', set(12, 'artifact_hashes', {}), 'close@12', '/payload/artifact_hashes', {}],
    ['record count', set(12, 'record_count', 9), 'close@12', '/payload/record_count', 9],
    ['open requests', set(12, 'open_requests', []), 'close@12', '/payload/open_requests', []],
    [
      'kind of a node',
      graphed((graph) => ({ ...graph, nodes: [...graph.nodes, nodeOf('thing', 1)] })),
      'graph@5',
      '/payload/graph/nodes/1/kind',
      'thing',
    ],
    [
      'hash of a node’s payload',
      graphed((graph) => ({ ...graph, nodes: [nodeOf('claim', 1, H)] })),
      'graph@5',
      '/payload/graph/nodes/0/payload_hash',
      H,
    ],
    [
      'id of a node',
      graphed((graph) => ({ ...graph, nodes: [{ ...nodeOf('claim', 1), id: H }] })),
      'graph@5',
      '/payload/graph/nodes/0/id',
      H,
    ],
    [
      'node twice',
      graphed((graph) => ({ ...graph, nodes: [...graph.nodes, ids.seed] })),
      'graph@5',
      '/payload/graph/nodes/1/id',
      ids.seed['id'],
    ],
    [
      'kind of an edge',
      graphed((graph) => ({ ...graph, edges: [...graph.edges, edgeOf('likes', ids.claim, ids.seed)] })),
      'graph@5',
      '/payload/graph/edges/1/kind',
      'likes',
    ],
    [
      'id of an edge',
      graphed((graph) => ({ ...graph, edges: [{ ...edgeOf('refines', ids.claim, ids.seed), id: H }] })),
      'graph@5',
      '/payload/graph/edges/0/id',
      H,
    ],
    [
      'edge twice',
      graphed((graph) => ({ ...graph, edges: [...graph.edges, ...graph.edges] })),
      'graph@5',
      '/payload/graph/edges/1/id',
      edgeOf('depends_on', ids.claim, ids.seed)['id'],
    ],
    [
      'edge from nowhere',
      graphed((graph) => ({ ...graph, edges: [edgeOf('contradicts', nodeOf('claim', 9), ids.seed)] })),
      'graph@5',
      '/payload/graph/edges/0/from_id',
      nodeOf('claim', 9)['id'],
    ],
    [
      'ordered edge from nowhere',
      graphed((graph) => ({ ...graph, edges: [edgeOf('refines', nodeOf('claim', 9), ids.seed)] })),
      'graph@5',
      '/payload/graph/edges/0/from_id',
      nodeOf('claim', 9)['id'],
    ],
    [
      'edge to nowhere',
      graphed((graph) => ({ ...graph, edges: [edgeOf('contradicts', ids.seed, nodeOf('claim', 9))] })),
      'graph@5',
      '/payload/graph/edges/0/to_id',
      nodeOf('claim', 9)['id'],
    ],
    [
      'cycle',
      graphed((graph) => ({ ...graph, edges: [...graph.edges, edgeOf('refines', ids.seed, ids.claim)] })),
      'graph@5',
      '/payload/graph/edges/1',
      edgeOf('refines', ids.seed, ids.claim)['id'],
    ],
    ['value that is no JSON', () => valueOf({ a: [Number.NaN] }), 'encoding@0', '/a/0', 'not_finite'],
    ['value of too many parts', () => valueOf({ a: new Array(16_777_217) }), 'size@0', '', 'values'],
    ['value nested beyond any stack', () => valueOf(nested(2_000)), 'depth@0', '/0'.repeat(1_024), 'depth'],
  ])('%s', (_, fault, expected, path, got) => {
    const { check, code, record, detail } = fault();
    expect([check, `${code}@${record}`, detail.path]).toEqual(['integrity', expected, path]);
    if (got !== undefined) expect(detail.got).toEqual(got);
    // What was expected is for people: some text, or the value itself.
    if (detail.expected !== undefined && typeof detail.expected === 'string')
      expect(detail.expected).toMatch(/\w/);
  });

  it('what a hash should be is said', () => {
    const { detail } = forged(6, (artifact) => ({ ...artifact, content: [2] }));
    expect(detail.expected).toBe(hashOf([2]));
    expect(forged(12, (close) => ({ ...close, record_count: 9 })).detail.expected).toBe(13);
    expect(forged(12, (close) => ({ ...close, open_requests: [] })).detail.expected).toEqual(['5.0']);
    expect(forged(12, (close) => ({ ...close, artifact_hashes: {} })).detail.expected).toEqual(
      payloadAt(12)['artifact_hashes'],
    );
    expect(replaced(3, (record) => ({ ...record, record_hash: H })).detail.expected).toBe(
      itemAt(records(), 3).record_hash,
    );
    expect(faultOf(records().slice(1)).detail.expected).toBeNull();
    expect(
      faultOf(
        chain(sample().drafts.map((draft, index) => (index === 3 ? { ...draft, kind: 'note' } : draft))),
      ).detail.expected,
    ).toEqual(['decision', 'rejection']);
  });

  it.each<[string, () => IntegrityFault]>([
    [
      'an answer to a closed request',
      () => forged(4, (proposal) => rehashed({ ...proposal, request_id: '9.9' })),
    ],
    [
      'a line the reference encoder writes otherwise',
      () =>
        faultIn(validateRunFile(fileOf(records()), { sha256, reference: () => ({ _tag: 'Left', left: 1 }) })),
    ],
    ['a node that is there', graphed((graph) => ({ ...graph, nodes: [ids.seed] }))],
    [
      'an edge that closes a cycle',
      graphed((graph) => ({ ...graph, edges: [...graph.edges, edgeOf('depends_on', ids.seed, ids.claim)] })),
    ],
    ['a withdrawal of what is not open', set(5, 'withdrawn', ['9.9'])],
  ])('%s: what was expected is said in words', (_, fault) => expect(fault().detail.expected).toMatch(/\w/));
});

describe('what holds beside them', () => {
  const verdict = (given: readonly EvidenceRecord[]): string =>
    validateRunFile(fileOf(given), { sha256 })._tag;
  const changed = (at: number, key: string, value: Json): string =>
    verdict(
      reforge(records(), (payload, index) =>
        index === at ? rehashed({ ...payload, [key]: value }) : undefined,
      ),
    );

  it('confidence from 0 to 1, cites, an engine', () => {
    for (const confidence of [0, 0.25, 1]) expect(changed(2, 'confidence', confidence)).toBe('Right');
    expect(changed(2, 'cites', [{ run_id: 'r', count: 1, hash: H }])).toBe('Right');
    expect(
      verdict(
        reforge(records(), (payload, index) =>
          index === 0
            ? { ...payload, machine: { name: 'none', version: 1, engine: 'any text at all' } }
            : undefined,
        ),
      ),
    ).toBe('Right');
  });

  it('a continuation from the first sequence on, with requests carried from any before it', () => {
    const continued = (count: number, open: JsonObject): string =>
      verdict(
        new LedgerBuilder({ first: count, base: base(snapshotOf({ open }), count) }).decide().records(),
      );
    expect(continued(1, {})).toBe('Right');
    expect(continued(1, { '0.0': openRow('0.0') })).toBe('Right');
    expect(continued(13, { '12.0': openRow('12.0') })).toBe('Right');
  });

  it('no ts is right without a base to make it from', () => {
    const [first] = new LedgerBuilder().drafts;
    const genesis = {
      ...itemAt([first], 0),
      kind: 'genesis',
      ts: 'undefined#000000000000',
      payload: without(itemAt(records(), 0).payload as JsonObject, 'ts_base'),
    };
    expect(faultOf(chain([genesis]))).toMatchObject({ code: 'ts', detail: { expected: null } });
  });

  it('values at the limits of a line, and none beyond them', () => {
    const zeros = (count: number): Json => Array.from({ length: count }, () => 0);
    for (const [at, beyond, code] of [
      [nested(256), nested(257), 'depth'],
      [zeros(LINE_LIMITS.structure), zeros(LINE_LIMITS.structure + 1), 'size'],
      ['x'.repeat(LINE_LIMITS.bytes - 2), 'x'.repeat(LINE_LIMITS.bytes - 1), 'size'],
    ] as const) {
      expect(valueOf(at).code).toBe('shape');
      expect(valueOf(beyond)).toMatchObject({ code, record: 0 });
    }
  });

  it('a line inside one chunk is a view of it; one byte too many is known at once', () => {
    const chunk = utf8Bytes('ab\ncd\n');
    for (const line of new LineSplitter().push(chunk)) expect(line.bytes.buffer).toBe(chunk.buffer);
    const splitter = new LineSplitter();
    expect(splitter.push(new Uint8Array(LINE_LIMITS.bytes))).toEqual([]);
    expect(splitter.push(Uint8Array.of(0)).map(({ bytes }) => bytes.length)).toEqual([LINE_LIMITS.bytes + 1]);
  });
});

describe('by hashes alone', () => {
  const hashOnly = (lines: readonly Uint8Array[], isEnded = true): Result<IntegrityFault, RunSummary> => {
    const integrity = new HashOnlyIntegrity(sha256);
    for (const [index, line] of lines.entries()) integrity.feed(line, isEnded || index < lines.length - 1);
    return integrity.finish();
  };
  const lines = (given: readonly EvidenceRecord[]): Uint8Array[] =>
    given.map((record) => utf8Bytes(encodeLine(record)));

  it('an erased close has no payload to sum up the ledger', () => {
    expect(hashOnly(lines(erase(records(), [12])))).toMatchObject({
      left: {
        check: 'integrity',
        code: 'payload_shape',
        record: 12,
        detail: { path: '/payload', expected: expect.stringMatching(/\w/) },
      },
    });
    expect(hashOnly(lines(erase(records(), [3, 5, 6])))).toMatchObject({
      right: { erased: { record: 3, count: 3 }, outcome: 'success' },
    });
  });

  it('the first fault stays', () => {
    const integrity = new HashOnlyIntegrity(sha256);
    const first = integrity.feed(utf8Bytes('x'));
    expect(first).toMatchObject({ left: { code: 'encoding', record: 0 } });
    for (const line of lines(records())) expect(integrity.feed(line)).toEqual(first);
    expect(integrity.finish()).toEqual(first);
    expect(integrity.records).toBe(0);
  });

  it('each byte around a payload counts, and each byte of it, in every kind of record', () => {
    const all = lines(records());
    for (const index of [1, 2, 3]) {
      const line = itemAt(all, index);
      const text = encodeLine(itemAt(records(), index));
      const [from, to] = [
        text.indexOf('"payload":') + '"payload":'.length,
        text.lastIndexOf(',"payload_hash"'),
      ];
      for (let at = 0; at < line.length; at += 1) {
        const other = line.slice();
        other[at] = (other[at] ?? 0) ^ 1;
        const file = [...all.slice(0, index), other, ...all.slice(index + 1)];
        const [quick, strict] = [
          faultIn(hashOnly(file)),
          faultIn(
            validateRunFile(
              file.map((each) => Uint8Array.of(...each, 0x0a)),
              { sha256 },
            ),
          ),
        ];
        const isInside = at >= from && at < to;
        if (quick.record !== index || (quick.code !== strict.code && !isInside))
          throw new Error(`record ${index}, byte ${at}: ${quick.code}, not ${strict.code}`);
      }
      for (const cut of [
        line.subarray(1),
        line.subarray(0, -1),
        line.subarray(0, 60),
        line.subarray(0, 300),
      ]) {
        expect(hashOnly([...all.slice(0, index), cut])).toMatchObject({ left: { record: index } });
      }
    }
  });

  it('a payload beyond the limits of a line is found without being read', () => {
    const deep = new LedgerBuilder()
      .decide({ asks: [1] })
      .propose('1.0', nested(LINE_LIMITS.depth))
      .records();
    expect(hashOnly(lines(deep))).toMatchObject({ left: { code: 'depth', record: 2 } });
    const long = new LedgerBuilder()
      .decide({ asks: [1] })
      .propose(
        '1.0',
        Array.from({ length: LINE_LIMITS.structure }, () => 0),
      )
      .records();
    expect(hashOnly(lines(long))).toMatchObject({ left: { code: 'size', record: 2 } });
  });

  it('a payload of no bytes is none, even under the hash of no bytes', () => {
    const empty = chain([
      itemAt(records(), 0),
      { ts: itemAt(records(), 1).ts, kind: 'decision', payload_hash: sha256(new Uint8Array()) },
    ]);
    const line = encodeLine(itemAt(empty, 1)).replace('"payload_hash"', '"payload":,"payload_hash"');
    expect(hashOnly([...lines(empty.slice(0, 1)), utf8Bytes(line)])).toMatchObject({
      left: { code: 'encoding', record: 1 },
    });
    expect(hashOnly(lines(empty))).toMatchObject({ right: { erased: { record: 1, count: 1 } } });
  });

  it('without a line end the last line is a fault, whichever it is', () => {
    for (const count of [1, 2, 3, 7, 13])
      expect(hashOnly(lines(records()).slice(0, count), false)).toMatchObject({
        left: { code: 'final_newline', record: count - 1 },
      });
  });
});

/** So many arrays around a number. */
function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

it('the sample’s hashes are those of its payloads', () => {
  for (const { payload, payload_hash } of records())
    expect(orThrow(hashCanonical(payload))).toBe(payload_hash);
});
