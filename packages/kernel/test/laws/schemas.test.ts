import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EDGE_KINDS,
  isArray,
  isObject,
  NODE_KINDS,
  RECORD_KINDS,
  type EvidenceRecord,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { KEY, UNIT } from '../../src/intent/atom.js';
import {
  fixtureExpectedSchema,
  fixtureSchema,
  genesisRecordSchema,
  payloadSchemas,
  recordingSchema,
  recordSchema,
  snapshotSchema,
} from '../../src/schemas/ledger.js';
import { validator } from '../../tools/validator.js';
import { EDGE, HEAD, NAMED, PAYLOADS, PROPOSED_BY, REQUESTED, STATE } from '../../src/ledger/payloads.js';
import { lawRuns } from '../../tools/laws.js';
import { isName, type RecordKind } from '../../src/ledger/names.js';

const runs = lawRuns('written schemas', 2);
const GOLDEN = new URL('../../../../golden-fixtures/', import.meta.url);
const fixtures = readdirSync(GOLDEN).filter((name) => existsSync(new URL(`${name}/fixture.json`, GOLDEN)));
const readJson = (path: string): Json => JSON.parse(readFileSync(new URL(path, GOLDEN), 'utf8')) as Json;
const ledgers = fixtures.flatMap((name) =>
  readdirSync(new URL(`${name}/`, GOLDEN))
    .filter((file) => file.endsWith('ledger.jsonl'))
    .map((file) => `${name}/${file}`),
);
const recordsOf = (path: string): readonly EvidenceRecord[] =>
  readFileSync(new URL(path, GOLDEN), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
const kindOf = ({ kind }: EvidenceRecord): RecordKind => kind as RecordKind;

const HASH = 'a'.repeat(64);
/** Values at and beyond the edge of some range or pattern. */
const ODD: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1.5,
  2 ** 53,
  -(2 ** 53),
  Number.MAX_SAFE_INTEGER,
  '',
  'a',
  'A',
  'a'.repeat(64),
  'a'.repeat(65),
  'A'.repeat(128),
  'A'.repeat(129),
  'run.',
  'CON',
  'con.v2',
  'com10',
  '.x',
  'run~2.0~1',
  'a\n',
  '0.0',
  '2.65535',
  '2.65536',
  '2.70000',
  '01.0',
  '999999999999.0',
  '1000000000000.0',
  '0.0\n',
  HASH,
  HASH.toUpperCase(),
  `${HASH}\n`,
  'assay/0',
  'assay/1',
  'state',
  'human',
  'model',
  'timeout',
  'late',
  'refused',
  'success',
  'open',
  'seed',
  'refines',
  'a b',
  '#',
  'é',
  '😀',
  [],
  {},
  ['human'],
  ['human', 'human'],
  ['a'],
  ['0.0'],
  [0.5],
  { a: 1 },
  { a: -1 },
  { A: 1 },
  { a: HASH },
  { $sealed: HASH },
  { code: 'timeout', final: true, detail: null },
  { code: 'late', final: true, detail: null },
  { code: 'timeout', final: true },
  { run_id: 'r', count: 1, hash: HASH },
  { run_id: 'r', count: 0, hash: HASH },
  {
    '1.0': {
      rejections: 0,
      spent: {},
      request: { id: '1.0', kind: 'k', body: null, accepts: ['human'], attempts: 0 },
    },
  },
  {
    '1.0': {
      rejections: 0,
      spent: {},
      request: { id: '1.1', kind: 'k', body: null, accepts: ['human'], attempts: 0 },
    },
  },
  { run_id: 'r', count: 1, hash: HASH, snapshot: null },
  {
    run_id: 'r',
    count: 3,
    hash: HASH,
    snapshot: { t: 'state', machine: null, open: {}, artifacts: { a: HASH } },
  },
  {
    nodes: [{ id: HASH, kind: 'seed', payload: null, payload_hash: HASH }],
    edges: [{ id: HASH, kind: 'refines', from_id: HASH, to_id: HASH }],
  },
];
const KEYS: readonly string[] = [
  'extra',
  '__proto__',
  'constructor',
  'toString',
  'a',
  'A',
  '0.0',
  '99.0',
  'value',
  'failure',
  'snapshot',
];
type Change = {
  readonly at: number;
  readonly kind: 'retype' | 'drop' | 'add' | 'double';
  readonly odd: Json;
  readonly key: string;
  readonly drop?: number;
};
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('retype', 'retype', 'drop', 'add', 'double'),
  odd: fc.constantFrom(...ODD),
  key: fc.constantFrom(...KEYS),
});

type Path = readonly string[];
function pathsOf(value: Json, path: Path = []): readonly Path[] {
  return typeof value !== 'object' || value === null
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function changed(value: Json, { at, kind, odd, key, drop = at }: Change): Json {
  const paths = pathsOf(value);
  return rewritten(value, paths[at % paths.length] ?? []);
  function rewritten(found: Json, [first, ...rest]: Path): Json {
    if (first !== undefined) {
      if (isArray(found))
        return found.map((item, index) => (String(index) === first ? rewritten(item, rest) : item));
      return Object.fromEntries(
        Object.entries(found as JsonObject).map(([name, item]) => [
          name,
          name === first ? rewritten(item, rest) : item,
        ]),
      );
    }
    if (kind === 'retype' || typeof found !== 'object' || found === null) return odd;
    if (isArray(found))
      return kind === 'drop' ? found.slice(1) : kind === 'double' ? [...found, ...found] : [...found, odd];
    const entries = Object.entries(found);
    return Object.fromEntries(
      kind === 'drop'
        ? entries.filter((_, index) => index !== drop % entries.length)
        : [...entries, [key, odd]],
    );
  }
}

/**
 * The one exception: a node or edge kind outside its set is `graph` to integrity, no fault of shape; the
 * schemas close the sets.
 */
function withKnownKinds(payload: Json): Json {
  const graph = isObject(payload) ? payload['graph'] : null;
  if (!isObject(graph ?? null)) return payload;
  const known = (items: Json | undefined, kinds: readonly string[]): Json =>
    isArray(items)
      ? items.map((item) =>
          isObject(item) &&
          typeof item['kind'] === 'string' &&
          isName(item['kind']) &&
          !kinds.includes(item['kind'])
            ? { ...item, kind: kinds[0] ?? '' }
            : item,
        )
      : (items ?? null);
  const { nodes, edges } = graph as JsonObject;
  const both = {
    ...(nodes === undefined ? {} : { nodes: known(nodes, NODE_KINDS) }),
    ...(edges === undefined ? {} : { edges: known(edges, EDGE_KINDS) }),
  };
  return { ...(payload as JsonObject), graph: { ...(graph as JsonObject), ...both } };
}

/** Short payloads of each kind, every distinct form of the goldens among them. */
const samples = Object.fromEntries(
  RECORD_KINDS.map((kind) => {
    const all = ledgers.flatMap((path) =>
      recordsOf(path)
        .filter((record) => record.kind === kind)
        .map(({ payload }) => payload ?? null),
    );
    return [
      kind,
      all
        .toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
        .filter((_, index) => index % Math.ceil(all.length / 40) === 0)
        .filter((payload) => JSON.stringify(payload).length < 20_000),
    ];
  }),
) as unknown as { readonly [kind in RecordKind]: readonly Json[] };

const REQUEST = { id: '1.0', kind: 'ask', body: null, accepts: ['human', 'rule'], attempts: 1 } as const;
/** Small payloads that have something at every typed place. */
const FULL: readonly (readonly [RecordKind, Json])[] = [
  [
    'genesis',
    {
      format: 'assay/0',
      run_id: 'b',
      machine: { name: 'm', version: 1, engine: 'e' },
      ts_base: '2026',
      policy: null,
      input: null,
      base: {
        run_id: 'r',
        count: 3,
        hash: HASH,
        snapshot: {
          t: 'state',
          machine: null,
          open: { '1.0': { rejections: 1, spent: { ms: 1 }, request: REQUEST } },
          artifacts: { a: HASH },
        },
      },
    },
  ],
  [
    'proposal',
    {
      request_id: '1.0',
      source: 'human',
      proposer: 'ada',
      confidence: 0.5,
      value: 1,
      failure: null,
      at_us: 1,
      spent: { ms: 1 },
      cites: [{ run_id: 'r', count: 1, hash: HASH }],
      provenance: { a: 1 },
      proposal_hash: HASH,
    },
  ],
  [
    'proposal',
    {
      request_id: '1.0',
      source: 'human',
      proposer: 'ada',
      confidence: null,
      value: null,
      failure: { code: 'timeout', final: true, detail: 1 },
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
      proposal_hash: HASH,
    },
  ],
  [
    'decision',
    {
      events: [1],
      requests: [REQUEST],
      withdrawn: ['0.0'],
      graph: {
        nodes: [{ id: HASH, kind: 'seed', payload: 1, payload_hash: HASH }],
        edges: [{ id: HASH, kind: 'refines', from_id: HASH, to_id: HASH }],
      },
      state_hash: HASH,
    },
  ],
  ['rejection', { code: 'c', detail: 1 }],
  ['artifact', { name: 'a', content: 1, artifact_hash: HASH }],
  [
    'close',
    {
      status: 'refused',
      reasons: ['c'],
      dag_root_hash: HASH,
      artifact_hashes: { a: HASH },
      record_count: 1,
      state_hash: HASH,
      open_requests: ['1.0'],
    },
  ],
  [
    'close',
    {
      status: 'success',
      reasons: [],
      dag_root_hash: HASH,
      artifact_hashes: {},
      record_count: 1,
      state_hash: HASH,
      open_requests: [],
    },
  ],
];

/** Faults that no schema says: names of devices, and ids that agree with their place. */
const BEYOND = /run_id$|\/request\/id$|^\/base\/snapshot\/open\//;
const schemas = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, validator(payloadSchemas[kind])]),
) as unknown as { readonly [kind in RecordKind]: (value: Json) => boolean };

describe('laws', () => {
  it('schemas/payloads-equal-shapes: the JSON Schema takes exactly the payloads the kernel takes', () => {
    for (const kind of RECORD_KINDS) {
      let [taken, refused] = [0, 0];
      const near = fc.tuple(fc.constantFrom(...samples[kind]), fc.array(change, { maxLength: 3 }));
      fc.assert(
        fc.property(near, ([payload, changes]) => {
          const given = withKnownKinds(changes.reduce(changed, payload));
          const fault = PAYLOADS[kind](given);
          if (fault === null) taken += 1;
          else refused += 1;
          const isTaken = schemas[kind](given);
          return fault === null ? isTaken : !isTaken || BEYOND.test(fault);
        }),
        runs,
      );
      // Both sides of the border are seen.
      expect(Math.min(taken, refused)).toBeGreaterThan(runs.numRuns / 20);
    }
  });

  it.each(FULL)('the same for each single change at each place of a full %s', (kind, payload) => {
    expect(PAYLOADS[kind](payload)).toBeNull();
    for (let at = 0; at < pathsOf(payload).length; at += 1) {
      const retyped = ODD.map((odd) => ({ at, kind: 'retype' as const, odd, key: '' }));
      const added = KEYS.map((key) => ({ at, kind: 'add' as const, odd: null, key }));
      const dropped = Array.from({ length: 11 }, (_, drop) => ({
        at,
        kind: 'drop' as const,
        odd: null,
        key: '',
        drop,
      }));
      for (const one of [
        ...retyped,
        ...added,
        ...dropped,
        { at, kind: 'double' as const, odd: null, key: '' },
      ]) {
        const given = withKnownKinds(changed(payload, one));
        const fault = PAYLOADS[kind](given);
        if (fault === null || !BEYOND.test(fault))
          expect({ one, fits: schemas[kind](given) }).toEqual({ one, fits: fault === null });
      }
    }
  });

  it('schemas/names-equal-patterns: the JSON Schema takes exactly the names the kernel takes', () => {
    const text = fc.oneof(
      // Patterns count code points there and UTF-16 units here.
      fc.constantFrom(...ODD.filter((odd) => typeof odd === 'string' && odd !== '😀')),
      fc.stringMatching(/^[A-Za-z0-9._~:#/@+-]{0,12}$/),
      fc.stringMatching(/^[0-9]{1,3}\.[0-9]{1,6}$/),
      fc.string(),
    );
    const shapes = [NAMED, PROPOSED_BY, REQUESTED, KEY, UNIT].map(
      (shape) => [shape, validator(shape)] as const,
    );
    fc.assert(
      fc.property(text, (given) =>
        shapes.every(([shape, takes]) => takes(given) === (shape(given) === null)),
      ),
      runs,
    );
  });
});

describe('golden fixtures', () => {
  it.each(ledgers)('each record of %s and its payload fit', (path) => {
    for (const record of recordsOf(path)) {
      expect(recordSchema(record)).toBeNull();
      expect(payloadSchemas[kindOf(record)](record.payload ?? null)).toBeNull();
    }
  });

  it.each(fixtures)('fixture.json and expected.json of %s fit', (name) => {
    expect(fixtureSchema(readJson(`${name}/fixture.json`))).toBeNull();
    expect(fixtureExpectedSchema(readJson(`${name}/expected.json`))).toBeNull();
  });

  it('what locks nothing is refused', () => {
    const expected = readJson(`${fixtures[0] ?? ''}/expected.json`) as JsonObject;
    const chosen = expected['chosen'] as JsonObject;
    for (const empty of [
      { artifact_hashes: {} },
      { node_kinds: {} },
      { chosen: { ...chosen, value: null } },
      { chosen: { ...chosen, value: [] } },
      { chosen: { ...chosen, path: 'a' } },
      { status: 'open' },
    ])
      expect(fixtureExpectedSchema({ ...expected, ...empty }) === null).toBe(false);
    expect(fixtureSchema({ name: '', about: 'a', machine: { name: 'm', version: 0 } }) === null).toBe(false);
  });
});

describe('records', () => {
  const records = recordsOf('tally-success/ledger.jsonl');

  it('six keys where erased, but for genesis and close', () => {
    for (const { payload: _, ...erased } of records)
      expect(recordSchema(erased) === null).toBe(!['genesis', 'close'].includes(erased.kind));
  });

  it.each(['v', 'ts', 'kind', 'parent', 'payload_hash', 'record_hash'])('%s is needed, and typed', (key) => {
    const record = records[1] as unknown as JsonObject;
    expect(
      recordSchema(Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))),
    ).not.toBeNull();
    expect(recordSchema({ ...record, [key]: true }) === null).toBe(false);
    expect(recordSchema({ ...record, more: null }) === null).toBe(false);
  });

  it('the first has no parent, and every other has one', () => {
    expect(recordSchema({ ...records[0], parent: HASH }) === null).toBe(false);
    expect(recordSchema({ ...records[1], parent: null }) === null).toBe(false);
    expect(genesisRecordSchema(records[1] ?? null) === null).toBe(false);
  });
});

describe('files beside a ledger', () => {
  const base = (recordsOf('tally-continuation/ledger.jsonl')[0]?.payload as JsonObject)['base'] as JsonObject;
  const { snapshot: state, ...head } = base;
  const genesis = recordsOf('tally-continuation/base.ledger.jsonl')[0] as unknown as JsonObject;
  const edge = { id: HASH, kind: 'refines', from_id: HASH, to_id: HASH };
  const snapshot = {
    format: 'assay-snapshot/0',
    genesis,
    head,
    state: state ?? null,
    graph: { nodes: [HASH], edges: [edge] },
  };

  it('a snapshot', () => {
    expect([HEAD(head as Json), STATE(state ?? null), EDGE(edge)]).toEqual([null, null, null]);
    expect(snapshotSchema(snapshot)).toBeNull();
    const { payload: _, ...erased } = genesis;
    for (const wrong of [
      { format: 'assay-snapshot/1' },
      { genesis: erased },
      { state: null },
      { graph: { nodes: ['a'], edges: [] } },
      { more: 1 },
    ])
      expect(snapshotSchema({ ...snapshot, ...wrong }) === null).toBe(false);
  });

  it('recorded proposals: an answer of a model says where it comes from, a failure need not', () => {
    const takes = (proposal: Json): boolean =>
      recordingSchema({
        format: 'assay-recorded/0',
        entries: [{ ask_hash: HASH, ask: { kind: 'interpretations', body: null }, proposal }],
      }) === null;
    const provenance = { provider: 'p', model: 'm', date: '2026-01-01', raw_response_hash: HASH };
    expect(takes({ source: 'human', proposer: 'ada', value: [] })).toBe(true);
    expect(
      takes({
        source: 'live_model',
        proposer: 'p:m',
        confidence: null,
        value: [],
        failure: null,
        provenance: { ...provenance, more: 1 },
      }),
    ).toBe(true);
    expect(takes({ source: 'live_model', proposer: 'p:m', failure: { code: 'timeout', final: false } })).toBe(
      true,
    );
    expect(takes({ source: 'live_model', proposer: 'p:m', value: [] })).toBe(false);
    expect(
      takes({ source: 'live_model', proposer: 'p:m', value: [], provenance: { ...provenance, model: '' } }),
    ).toBe(false);
    expect(
      takes({
        source: 'live_model',
        proposer: 'p:m',
        value: [],
        provenance: { ...provenance, date: 'yesterday' },
      }),
    ).toBe(false);
    expect(
      takes({
        source: 'live_model',
        proposer: 'p:m',
        value: [],
        provenance: { ...provenance, raw_response_hash: '00' },
      }),
    ).toBe(false);
    expect(takes({ source: 'rule', proposer: 'p', value: [], spent: { usd: -1 } })).toBe(false);
    for (const source of ['clock', 'run', 'model']) expect(takes({ source, proposer: 'p' })).toBe(false);
    expect(takes({ source: 'rule', proposer: 'p', confidence: 2 })).toBe(false);
  });
});
