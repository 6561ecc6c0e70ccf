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
import { faultIn, itemAt, rehashed, sample, sha256, without } from './samples.js';

const H = hashOf('other');
const records = (): EvidenceRecord[] => sample().records();
const payloadAt = (index: number): JsonObject => itemAt(records(), index).payload as JsonObject;
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
    ['parent', () => faultOf(records().slice(1)), 'parent@0', '/parent', itemAt(records(), 0).record_hash],
    [
      'order of artifacts',
      () => faultOf(new LedgerBuilder().decide().artifact('b', 1).artifact('a', 1).records()),
      'order@3',
      '/payload/name',
      'a',
    ],
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
    const payload = { code: 'x', detail: null };
    expect(replaced(3, (record) => ({ ...record, payload })).detail.expected).toBe(hashOf(payload));
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
