import { validateRun, type Digest, type EdgeKind, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  erase,
  fileOf,
  hashOf,
  LedgerBuilder,
  reforge,
  type GraphDraft,
} from '../../tools/ledger-builder.js';
import { sample, verdictOf } from './samples.js';

const H = hashOf('other');
const built = (ledger: LedgerBuilder): string => verdictOf(fileOf(ledger.records()));
const cases = (
  table: readonly (readonly [what: string, verdict: () => string, expected: string])[],
): void => {
  it.each(table)('%s', (_, verdict, expected) => expect(verdict()).toBe(expected));
};

describe('request_id', () => {
  const snapshot = (ids: readonly string[]): Json => ({
    t: 'state',
    machine: null,
    open: Object.fromEntries(
      ids.map((id) => [
        id,
        {
          rejections: 0,
          spent: {},
          request: { id, kind: 'ask', body: null, accepts: ['rule'], attempts: 1 },
        },
      ]),
    ),
    artifacts: { old: H },
  });
  const continued = (...ids: string[]): LedgerBuilder => continuedAt(5, ...ids);
  const continuedAt = (count: number, ...ids: string[]): LedgerBuilder => {
    const ledger = new LedgerBuilder({
      first: count,
      base: { run_id: 'r', count, hash: H, snapshot: snapshot(ids) },
    });
    for (const id of ids) ledger.open.add(id);
    ledger.artifacts.set('old', H);
    return ledger;
  };
  cases([
    [
      'carried request withdrawn by the first decision',
      () =>
        built(
          continued('2.0', '3.1')
            .decide({ withdrawn: ['3.1'] })
            .close(),
        ),
      'held',
    ],
    [
      'carried request answered',
      () => built(continued('2.0').decide().propose('2.0', 1).decide().close()),
      'held',
    ],
    [
      'ids of a continuation count on',
      () =>
        built(
          continued('2.0')
            .decide({ asks: [1] })
            .propose('6.0', 1)
            .decide()
            .close(),
        ),
      'held',
    ],
    [
      'carried request of a later sequence',
      () => built(continued('5.0').decide().close()),
      'payload_shape@0',
    ],
    [
      'open requests are listed by number',
      () =>
        built(
          continuedAt(11, '10.0', '2.0', '2.10', '2.9')
            .decide()
            .close('success', { open_requests: ['2.0', '2.9', '2.10', '10.0'] }),
        ),
      'held',
    ],
    [
      'open requests listed by text',
      () =>
        built(
          continuedAt(11, '10.0', '2.0', '2.10', '2.9')
            .decide()
            .close('success', { open_requests: ['10.0', '2.0', '2.10', '2.9'] }),
        ),
      'close@2',
    ],
    [
      'carried artifact missing from close',
      () => built(continued().decide().close('success', { artifact_hashes: {} })),
      'close@2',
    ],
    ['carried artifact overwritten', () => built(continued().decide().artifact('old', 1).close()), 'held'],
  ]);
});

describe('graph', () => {
  const ledger = (): LedgerBuilder => new LedgerBuilder();
  const node = (payload: Json): GraphDraft['nodes'][number] => ({ kind: 'claim', payload });
  const id = (payload: Json): Digest => ledger().nodeId('claim', payload);
  const edge = (kind: EdgeKind, from: Json, to: Json): GraphDraft['edges'][number] => ({
    kind,
    from_id: id(from),
    to_id: id(to),
  });
  const graph = (nodes: Json[], edges: GraphDraft['edges']): GraphDraft => ({
    nodes: nodes.map(node),
    edges,
  });
  const two = (first: GraphDraft, second: GraphDraft) => (): string =>
    built(
      ledger()
        .decide({ asks: [1], graph: first })
        .propose('1.0', 1)
        .decide({ graph: second })
        .close(),
    );
  const one = (draft: GraphDraft) => (): string => built(ledger().decide({ graph: draft }).close());
  const none = graph([], []);
  cases([
    ['a node further down is an end', one(graph([1, 2], [edge('depends_on', 1, 2)])), 'held'],
    [
      'two decisions',
      two(graph([1, 2], [edge('depends_on', 1, 2)]), graph([3], [edge('refines', 3, 1)])),
      'held',
    ],
    ['an empty addition is none', two(graph([1], []), none), 'payload_shape@3'],
    ['node twice in a decision', one(graph([1, 1], [])), 'graph@1'],
    ['node twice in a file', two(graph([1], []), graph([1], [])), 'graph@3'],
    [
      'edge twice in a decision',
      one(graph([1, 2], [edge('refines', 1, 2), edge('refines', 1, 2)])),
      'graph@1',
    ],
    [
      'edge twice in a file',
      two(graph([1, 2], [edge('refines', 1, 2)]), graph([], [edge('refines', 1, 2)])),
      'graph@3',
    ],
    ['self edge', one(graph([1], [edge('depends_on', 1, 1)])), 'graph@1'],
    [
      'cycle over both kinds',
      two(graph([1, 2], [edge('depends_on', 1, 2)]), graph([], [edge('refines', 2, 1)])),
      'graph@3',
    ],
    [
      'contradicts may circle',
      two(
        graph([1, 2], [edge('contradicts', 1, 2)]),
        graph([], [edge('contradicts', 2, 1), edge('contradicts', 1, 1)]),
      ),
      'held',
    ],
    ['contradicts needs its ends', one(graph([1], [edge('contradicts', 1, 2)])), 'graph@1'],
  ]);
});

describe('erased records', () => {
  const erased = (positions: number[], change?: [at: number, key: string, value: Json]) => (): string => {
    const records = reforge(sample().records(), (payload, index) =>
      change !== undefined && index === change[0] ? { ...payload, [change[1]]: change[2] } : undefined,
    );
    return verdictOf(fileOf(erase(records, positions)));
  };
  cases([
    ['all others', erased([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), 'held'],
    ['rejection: the table stays', erased([3], [5, 'withdrawn', ['7.7']]), 'request_id@5'],
    ['proposal: withdrawals are off', erased([4], [5, 'withdrawn', ['7.7']]), 'held'],
    [
      'proposal: new ids are judged',
      erased([4], [5, 'requests', [{ id: '5.1', kind: 'ask', body: 4, accepts: ['rule'], attempts: 2 }]]),
      'request_id@5',
    ],
    ['proposal: not_open is off', erased([4], [9, 'code', 'unclear']), 'held'],
    ['proposal: open_requests is off', erased([2], [12, 'open_requests', []]), 'held'],
    ['proposal: the root is judged', erased([2], [12, 'dag_root_hash', H]), 'close@12'],
    ['proposal: artifact hashes are judged', erased([2], [12, 'artifact_hashes', {}]), 'close@12'],
    ['decision: its proposal must have been open', erased([11], [10, 'request_id', '8.8']), 'request_id@11'],
    ['decision: later answers are off', erased([5], [10, 'request_id', '8.8']), 'held'],
    ['decision: what it may have opened is taken as open', erased([5], [10, 'request_id', '5.7']), 'held'],
    [
      'decision: later ids are judged',
      erased([5], [11, 'requests', [{ id: '11.1', kind: 'ask', body: 4, accepts: ['rule'], attempts: 2 }]]),
      'request_id@11',
    ],
    ['decision: the root is off', erased([5], [12, 'dag_root_hash', H]), 'held'],
    ['decision: open_requests is off', erased([5], [12, 'open_requests', []]), 'held'],
    [
      'decision: node ids are judged',
      erased(
        [1],
        [
          5,
          'graph',
          { nodes: [{ id: H, kind: 'claim', payload: 'c', payload_hash: hashOf('c') }], edges: [] },
        ],
      ),
      'graph@5',
    ],
    ['decision: record_count is judged', erased([5], [12, 'record_count', 3]), 'close@12'],
    ['artifact: artifact hashes are off', erased([6], [12, 'artifact_hashes', {}]), 'held'],
    ['artifact: open_requests is judged', erased([6], [12, 'open_requests', []]), 'close@12'],
    ['artifact: a later one keeps its own hash', erased([6], [7, 'artifact_hash', H]), 'artifact_hash@7'],
  ]);

  it('artifact: names rise over what is known', () => {
    const names = (...all: string[]): string => {
      const ledger = new LedgerBuilder().decide();
      for (const name of all) ledger.artifact(name, 1);
      return verdictOf(fileOf(erase(ledger.records(), [3])));
    };
    expect(names('b', 'c', 'd')).toBe('held');
    expect(names('b', 'c', 'a')).toBe('order@4');
    expect(names('b', 'z', 'c')).toBe('held');
  });

  it('decision: duplicates among what can be read are judged', () => {
    const graph: GraphDraft = { nodes: [{ kind: 'claim', payload: 1 }], edges: [] };
    const ledger = new LedgerBuilder()
      .decide({ asks: [1, 2] })
      .propose('1.0', 1)
      .decide({ graph })
      .propose('1.1', 1)
      .decide({ graph });
    expect(verdictOf(fileOf(erase(ledger.records(), [1])))).toBe('graph@5');
    expect(verdictOf(fileOf(erase(ledger.records(), [3])))).toBe('held');
  });

  it('reports the first position and the number', () => {
    expect(validateRun(erase(sample().records(), [9, 3]))).toMatchObject({
      right: { erased: { record: 3, count: 2 } },
    });
  });
});
