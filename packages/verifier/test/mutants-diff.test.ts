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
type Graph = { readonly nodes: readonly JsonObject[]; readonly edges: readonly JsonObject[] };
/** Where a decision adds such items to the graph, and the first of them. */
const added = (part: keyof Graph): readonly [index: number, graph: Graph, item: JsonObject] => {
  const graphAt = (index: number): Graph | null | undefined => at(index)['graph'] as Graph | null | undefined;
  const index = base.findIndex((_, place) => (graphAt(place)?.[part].length ?? 0) > 0);
  const graph = graphAt(index) as Graph;
  return [index, graph, graph[part][0] as JsonObject];
};
const [withNode, nodes, node] = added('nodes');
const [withEdge, edges, edge] = added('edges');
const [, withdrawn] = (at(first)['requests'] as readonly { readonly id: string }[]).map(({ id }) => id);
const PLACED = expect.stringMatching(/^node \d+ of decision \d+$/);

describe('what of a decision, an artifact and the close is compared', () => {
  const asking = (change: JsonObject): JsonObject => ({
    requests: [{ ...asked, ...change }, ...(at(first)['requests'] as readonly Json[]).slice(1)],
  });
  const noding = (change: JsonObject): JsonObject => ({
    graph: { ...nodes, nodes: [{ ...node, ...change }, ...nodes.nodes.slice(1)] },
  });
  const edging = (change: JsonObject): JsonObject => ({
    graph: { ...edges, edges: [{ ...edge, ...change }, ...edges.edges.slice(1)] },
  });

  it.each<[string, number, JsonObject, readonly [field: string, left: unknown, right: Json] | null]>([
    ['kind', first, asking({ kind: 'other' }), ['/requests/0/kind', asked['kind'], 'other']],
    ['body', first, asking({ body: 'other' }), ['/requests/0/body', asked['body'], 'other']],
    ['accepts', first, asking({ accepts: 'other' }), ['/requests/0/accepts', asked['accepts'], 'other']],
    ['attempts', first, asking({ attempts: 99 }), ['/requests/0/attempts', asked['attempts'], 99]],
    ['not what is no part of a request', first, asking({ ts: 'other' }), null],
    ['kind of a node', withNode, noding({ kind: 'k' }), ['/nodes/0/kind', node['kind'], 'k']],
    ['payload of a node', withNode, noding({ payload: 'p' }), ['/nodes/0/payload', node['payload'], 'p']],
    [
      'a node less',
      withNode,
      { graph: null },
      ['/nodes/0', { kind: node['kind'], payload: node['payload'] }, null],
    ],
    ['kind of an edge', withEdge, edging({ kind: 'k' }), ['/edges/0/kind', edge['kind'], 'k']],
    ['where an edge begins', withEdge, edging({ from_id: 'f' }), ['/edges/0/from', PLACED, 'f']],
    ['where an edge ends', withEdge, edging({ to_id: 't' }), ['/edges/0/to', PLACED, 't']],
    [
      'what is withdrawn',
      5,
      { withdrawn: [withdrawn ?? ''] },
      ['/withdrawn/0', null, 'request 1 of decision 0'],
    ],
    ['what was never asked', 5, { withdrawn: ['9.9'] }, ['/withdrawn/0', null, '9.9']],
    ['name of an artifact', artifact, { name: 'other' }, ['/name', at(artifact)['name'], 'other']],
    ['its content', artifact, { content: 'other' }, ['/content', at(artifact)['content'], 'other']],
    ['nothing else of it', artifact, { media: 'other' }, null],
    ['status of the close', close, { status: 'refused' }, ['/status', 'success', 'refused']],
    ['not its hashes', close, { summary_hash: 'other' }, null],
  ])('%s', (_, index, change, place) => {
    const other = changed(index, (payload) => ({ ...payload, ...change }));
    expect(placeOf(other)).toEqual(
      place === null
        ? { kind: 'equal', decisions: 5, givenDifferently: [] }
        : [`/payload${place[0]}`, place[1], place[2]],
    );
    expect(diffLedgers(other, other).kind).toBe('equal');
  });

  it.each<[Json, Json, readonly [field: string, left: Json, right: Json] | null]>([
    [[{ 'a/b~c': 1 }], [{ 'a/b~c': 2 }], ['/0/a~1b~0c', 1, 2]],
    [[{ b: 1, a: 1 }], [{ b: 2, a: 2 }], ['/0/a', 1, 2]],
    [[1], [1, 2], ['/1', null, 2]],
    [[], { a: 1 }, ['', [], { a: 1 }]],
    [[{ a: 1 }], [{ a: 1 }], null],
    [['x'], ['y'], ['/0', 'x', 'y']],
    [[1], ['1'], ['/0', 1, '1']],
    [[null], [false], ['/0', null, false]],
  ])('events: %j and %j', (one, other, place) => {
    const [left, right] = [one, other].map((events) => changed(first, (payload) => ({ ...payload, events })));
    const diff = diffLedgers(left ?? [], right ?? []);
    expect(diff.kind === 'differs' ? [diff.at.field, diff.at.left, diff.at.right] : null).toEqual(
      place === null ? null : [`/payload/events${place[0]}`, place[1], place[2]],
    );
  });
});

describe('what of answers is compared', () => {
  it.each([
    ...['source', 'proposer', 'confidence', 'failure', 'at_us', 'spent', 'cites', 'value'].map(
      (key) => [key, ['proposal']] as const,
    ),
    ['provenance', []] as const,
    ['proposal_hash', []] as const,
  ])('%s', (key, givenDifferently) => {
    const other = changed(4, (payload) => ({ ...payload, [key]: 'other' }));
    expect(diffLedgers(base, other)).toMatchObject({ kind: 'equal', givenDifferently });
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
