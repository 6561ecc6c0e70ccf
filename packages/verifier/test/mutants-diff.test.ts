import { describe, expect, it } from 'vitest';
import { type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import { diffLedgers } from '@assay/verifier';
import { reforge } from '../../kernel/tools/ledger-builder.js';
import { here, noted, start, success, tell, there } from '../tools/runs.js';

const base = success().records;
const at = (index: number): JsonObject => base[index]?.payload as JsonObject;
const changed = (index: number, change: (payload: JsonObject) => Json): readonly EvidenceRecord[] =>
  reforge(base, (payload, position) => (position === index ? change(payload) : undefined));
const placeOf = (other: readonly EvidenceRecord[]): unknown => {
  const diff = diffLedgers(base, other);
  return diff.kind === 'differs' ? [diff.at.field, diff.at.left, diff.at.right] : diff;
};
const first = base.findIndex(({ kind }) => kind === 'decision');
const artifact = base.findIndex(({ kind }) => kind === 'artifact');
const close = base.findIndex(({ kind }) => kind === 'close');
const [asked] = at(first)['requests'] as readonly [JsonObject];
const asking = (change: JsonObject): readonly EvidenceRecord[] =>
  changed(first, (payload) => ({
    ...payload,
    requests: [{ ...asked, ...change }, ...(payload['requests'] as readonly Json[]).slice(1)],
  }));

describe('what of a decision is compared', () => {
  it.each<[string, JsonObject]>([
    ['kind', { kind: 'other' }],
    ['body', { body: 'other' }],
    ['accepts', { accepts: 'other' }],
    ['attempts', { attempts: 99 }],
  ])('%s of what it asks', (key, change) => {
    expect(placeOf(asking(change))).toEqual([`/payload/requests/0/${key}`, asked[key], change[key]]);
  });

  it('not the id of what it asks', () => {
    expect(diffLedgers(base, asking({ ts: 'other' })).kind).toBe('equal');
  });

  it('nodes, with kind and payload', () => {
    const position = base.findIndex(
      ({ payload }) => ((payload as { graph?: { nodes: readonly Json[] } }).graph?.nodes.length ?? 0) > 0,
    );
    const graph = at(position)['graph'] as {
      readonly nodes: readonly JsonObject[];
      readonly edges: readonly Json[];
    };
    const [node] = graph.nodes as readonly [JsonObject];
    const other = (change: JsonObject): readonly EvidenceRecord[] =>
      changed(position, (payload) => ({
        ...payload,
        graph: { ...graph, nodes: [{ ...node, ...change }, ...graph.nodes.slice(1)] },
      }));
    expect(placeOf(other({ kind: 'claims' }))).toEqual(['/payload/nodes/0/kind', node['kind'], 'claims']);
    expect(placeOf(other({ payload: 'other' }))).toEqual([
      '/payload/nodes/0/payload',
      node['payload'],
      'other',
    ]);
    const without = changed(position, ({ graph: _, ...payload }) => payload);
    expect(placeOf(without)).toEqual([
      '/payload/nodes/0',
      { kind: node['kind'], payload: node['payload'] },
      null,
    ]);
    expect(diffLedgers(without, without).kind).toBe('equal');
  });

  it('edges, with kind and the nodes they join', () => {
    const position = base.findIndex(
      ({ payload }) => ((payload as { graph?: { edges: readonly Json[] } }).graph?.edges.length ?? 0) > 0,
    );
    const graph = at(position)['graph'] as {
      readonly nodes: readonly Json[];
      readonly edges: readonly JsonObject[];
    };
    const [edge] = graph.edges as readonly [JsonObject];
    const other = (change: JsonObject): readonly EvidenceRecord[] =>
      changed(position, (payload) => ({
        ...payload,
        graph: { ...graph, edges: [{ ...edge, ...change }, ...graph.edges.slice(1)] },
      }));
    expect(placeOf(other({ kind: 'k' }))).toEqual(['/payload/edges/0/kind', edge['kind'], 'k']);
    expect(placeOf(other({ from_id: 'f' }))).toEqual([
      '/payload/edges/0/from',
      expect.stringMatching(/^node \d+ of decision \d+$/),
      'f',
    ]);
    expect(placeOf(other({ to_id: 't' }))).toEqual([
      '/payload/edges/0/to',
      expect.stringMatching(/^node \d+ of decision \d+$/),
      't',
    ]);
  });

  it('requests it withdraws, by the decision that made them', () => {
    const ids = (at(first)['requests'] as readonly { readonly id: string }[]).map(({ id }) => id);
    const withdrawing = (id: string | undefined): readonly EvidenceRecord[] =>
      changed(5, (payload) => ({ ...payload, withdrawn: [id ?? ''] }));
    expect(placeOf(withdrawing(ids[1]))).toEqual(['/payload/withdrawn/0', null, 'request 1 of decision 0']);
    expect(placeOf(withdrawing('9.9'))).toEqual(['/payload/withdrawn/0', null, '9.9']);
  });

  it('events, where an item is missing and where a key has marks of its own', () => {
    const events = (value: Json): readonly EvidenceRecord[] =>
      changed(first, (payload) => ({ ...payload, events: value }));
    const differ = (a: Json, b: Json): unknown => {
      const diff = diffLedgers(events(a), events(b));
      return diff.kind === 'differs' ? [diff.at.field, diff.at.left, diff.at.right] : diff.kind;
    };
    expect(differ([{ 'a/b~c': 1 }], [{ 'a/b~c': 2 }])).toEqual(['/payload/events/0/a~1b~0c', 1, 2]);
    expect(differ([{ b: 1, a: 1 }], [{ b: 2, a: 2 }])).toEqual(['/payload/events/0/a', 1, 2]);
    expect(differ([1], [1, 2])).toEqual(['/payload/events/1', null, 2]);
    expect(differ([], { a: 1 })).toEqual(['/payload/events', [], { a: 1 }]);
    expect(differ([{ a: 1 }], [{ a: 1 }])).toBe('equal');
    expect(differ(['x'], ['y'])).toEqual(['/payload/events/0', 'x', 'y']);
    expect(differ([1], ['1'])).toEqual(['/payload/events/0', 1, '1']);
    expect(differ([null], [false])).toEqual(['/payload/events/0', null, false]);
  });
});

describe('what of artifacts and the close is compared', () => {
  it('name and content of an artifact', () => {
    expect(artifact).toBeGreaterThan(0);
    expect(placeOf(changed(artifact, (payload) => ({ ...payload, name: 'other' })))).toEqual([
      '/payload/name',
      at(artifact)['name'],
      'other',
    ]);
    expect(placeOf(changed(artifact, (payload) => ({ ...payload, content: 'other' })))).toEqual([
      '/payload/content',
      at(artifact)['content'],
      'other',
    ]);
    expect(placeOf(changed(artifact, (payload) => ({ ...payload, media: 'other' })))).toEqual({
      kind: 'equal',
      decisions: 5,
      givenDifferently: [],
    });
  });

  it('status and reasons of the close, not its hashes', () => {
    expect(placeOf(changed(close, (payload) => ({ ...payload, status: 'refused' })))).toEqual([
      '/payload/status',
      'success',
      'refused',
    ]);
    expect(placeOf(changed(close, (payload) => ({ ...payload, summary_hash: 'other' })))).toEqual({
      kind: 'equal',
      decisions: 5,
      givenDifferently: [],
    });
  });
});

describe('what of answers is compared', () => {
  it.each(['source', 'proposer', 'confidence', 'failure', 'at_us', 'spent', 'cites', 'value'])(
    '%s',
    (key) => {
      const diff = diffLedgers(
        base,
        changed(4, (payload) => ({ ...payload, [key]: 'other' })),
      );
      expect(diff).toMatchObject({ kind: 'equal', givenDifferently: ['proposal'] });
    },
  );

  it('not its provenance, nor its hash', () => {
    for (const key of ['provenance', 'proposal_hash'])
      expect(
        diffLedgers(
          base,
          changed(4, (payload) => ({ ...payload, [key]: 'other' })),
        ),
      ).toMatchObject({ kind: 'equal', givenDifferently: [] });
  });

  it('which request it answers, by the decision that asked', () => {
    const [one, two] = [
      tell(start(), here, noted('hello')).records,
      tell(start(), { value: { option: 'nowhere' } }, here, noted('hello')).records,
    ];
    expect(diffLedgers(one, two)).toMatchObject({ givenDifferently: ['proposal'] });
    const elsewhere = diffLedgers(
      base,
      changed(4, (payload) => ({ ...payload, request_id: '1.1' })),
    );
    expect(elsewhere).toMatchObject({ givenDifferently: ['proposal'] });
  });

  it('none on one side and one on the other, erased or not', () => {
    const erased = base.map((record, index) =>
      index === 4 ? (({ payload: _, ...rest }) => rest)(record) : record,
    ) as readonly EvidenceRecord[];
    expect(diffLedgers(base, erased)).toMatchObject({ kind: 'equal', givenDifferently: ['proposal'] });
    expect(diffLedgers(erased, erased)).toMatchObject({ kind: 'equal', givenDifferently: [] });
    expect(diffLedgers(base.slice(0, 4), base.slice(0, 5))).toMatchObject({
      kind: 'equal',
      givenDifferently: ['proposal'],
    });
  });

  it('more answers after the last decision', () => {
    expect(diffLedgers(tell(start(), here).records, tell(start(), here, there).records).kind).toBe('differs');
    expect(diffLedgers(base, base.slice(0, 1))).toMatchObject({
      kind: 'differs',
      decision: 0,
      at: { a: 1, b: null, field: '', right: null },
    });
  });
});
