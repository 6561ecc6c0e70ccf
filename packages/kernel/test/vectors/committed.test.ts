/**
 * The committed vectors, recomputed twice: by the kernel's sources, and by fast-json-stable-stringify with
 * node:crypto. A difference is a finding; nothing here rewrites a vector (`scripts/vectors.mjs --write` does,
 * by hand).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  canonicalize,
  encodeLine,
  Graph,
  hashCanonical,
  insertEdge,
  insertNode,
  Ledger,
  orThrow,
  readCanonical,
  utf8Bytes,
  validateChain,
  type Digest,
  type EdgeKind,
  type EvidenceRecord,
  type NodeKind,
} from '@assay/kernel';
import stringify from 'fast-json-stable-stringify';
import { describe, expect, it } from 'vitest';
import { topologicalOrder } from '../../tools/naive-dag.js';

function load(name: string): unknown {
  return JSON.parse(
    readFileSync(new URL(`../../../../vectors/${name}.json`, import.meta.url), 'utf8'),
  ) as unknown;
}
const hexOf = (data: string | Uint8Array): string => Buffer.from(data as string).toString('hex');
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const otherHash = (value: unknown): string => sha256(stringify(value));

type Canonical = {
  readonly values: readonly {
    readonly name: string;
    readonly input: string;
    readonly bytes: string;
    readonly hash: string;
  }[];
  readonly refused: readonly {
    readonly name: string;
    readonly input: string;
    readonly code: string;
    readonly path: string;
  }[];
  readonly lines: readonly { readonly name: string; readonly bytes: string; readonly code: string | null }[];
};
type Records = {
  readonly records: readonly (Omit<EvidenceRecord, 'v' | 'payload'> & {
    readonly payload: string;
    readonly line: string;
  })[];
  readonly chains: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly verdict:
      | { readonly code: string; readonly record: number }
      | { readonly count: number; readonly hash: string | null; readonly erased: number };
  }[];
};
type Graphs = {
  readonly run_id: string;
  readonly empty_root: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly kind: NodeKind;
    readonly payload: string;
    readonly payload_hash: string;
    readonly id: Digest;
  }[];
  readonly edges: readonly {
    readonly from: string;
    readonly kind: EdgeKind;
    readonly to: string;
    readonly id: Digest;
    readonly code: string | null;
    readonly edge_count: number;
  }[];
  readonly root: string;
};

describe('vectors/canonical.json', () => {
  const { values, refused, lines } = load('canonical') as Canonical;

  it.each(values)('value: $name', ({ input, bytes, hash }) => {
    const value = JSON.parse(input) as unknown;
    expect(hexOf(orThrow(canonicalize(value)))).toBe(bytes);
    expect(orThrow(hashCanonical(value))).toBe(hash);
    expect(hexOf(stringify(value))).toBe(bytes);
    expect(otherHash(value)).toBe(hash);
    expect(readCanonical(Uint8Array.from(Buffer.from(bytes, 'hex')))._tag).toBe('Right');
  });

  it.each(refused)('refused: $name', ({ input, code, path }) => {
    expect(canonicalize(JSON.parse(input))).toEqual({ _tag: 'Left', left: { code, path } });
    expect(readCanonical(utf8Bytes(input))).toEqual({ _tag: 'Left', left: 'encoding' });
  });

  it.each(lines)('line: $name', ({ bytes, code }) => {
    const given = Buffer.from(bytes, 'hex');
    const read = readCanonical(Uint8Array.from(given));
    expect(read._tag === 'Left' ? read.left : null).toBe(code);
    // By the other implementation: a line within the limits is canonical if it is what its value is written
    // as.
    if (code === 'depth') return;
    expect(isCanonicalByReference(given)).toBe(code === null);
  });
});

function isCanonicalByReference(bytes: Buffer): boolean {
  try {
    const value = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    ) as unknown;
    const isInRange = !/\d{16,}/.test(stringify(value)) && !/\\ud[89a-f]/.test(stringify(value));
    return isInRange && Buffer.from(stringify(value), 'utf8').equals(bytes);
  } catch {
    return false;
  }
}

describe('vectors/records.json', () => {
  const { records, chains } = load('records') as Records;

  it('records: hashes and lines, appended in order', () => {
    const ledger = new Ledger();
    let parent: string | null = null;
    for (const { ts, kind, payload, line, ...expected } of records) {
      const value = JSON.parse(payload) as unknown;
      const record = orThrow(ledger.append(ts, kind, value));
      expect(record).toMatchObject({ ts, kind, ...expected });
      expect(hexOf(encodeLine(record))).toBe(line);
      const payload_hash = otherHash(value);
      const record_hash = otherHash({ v: 1, ts, kind, parent, payload_hash });
      expect([payload_hash, record_hash, parent]).toEqual([
        expected.payload_hash,
        expected.record_hash,
        expected.parent,
      ]);
      expect(hexOf(stringify({ v: 1, ts, kind, parent, payload: value, payload_hash, record_hash }))).toBe(
        line,
      );
      parent = record_hash;
    }
    expect(records.length).toBeGreaterThan(3);
  });

  it.each(chains)('chain: $name', ({ lines, verdict }) => {
    const values: unknown[] = [];
    const fault = lines.findIndex((line) => {
      const read = readCanonical(utf8Bytes(line));
      if (read._tag === 'Right') values.push(read.right.value);
      return read._tag === 'Left';
    });
    const result = validateChain(values.slice(0, fault < 0 ? undefined : fault));
    if (fault >= 0 && result._tag === 'Right') expect(verdict).toEqual({ code: 'encoding', record: fault });
    else expect(result._tag === 'Left' ? result.left : result.right).toEqual(verdict);
    expect(soundPrefix(lines)).toBe('record' in verdict ? verdict.record : verdict.count);
  });
});

/** How many records from the first on are sound, by the formulas alone. */
function soundPrefix(lines: readonly string[]): number {
  let parent: unknown = null;
  for (const [index, line] of lines.entries()) {
    const { v, ts, kind, payload_hash, record_hash, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const isErased = !Object.hasOwn(rest, 'payload');
    const isSound =
      stringify(JSON.parse(line)) === line &&
      Object.keys(rest).length === (isErased ? 1 : 2) &&
      v === 1 &&
      (isErased || otherHash(rest['payload']) === payload_hash) &&
      otherHash({ v, ts, kind, parent: rest['parent'], payload_hash }) === record_hash &&
      rest['parent'] === parent;
    if (!isSound) return index;
    parent = record_hash;
  }
  return lines.length;
}

describe('vectors/graph.json', () => {
  const { run_id, empty_root, nodes, edges, root } = load('graph') as Graphs;
  const idOf = (name: string): Digest =>
    nodes.find((node) => node.name === name)?.id ?? ('0'.repeat(64) as Digest);

  it('nodes, edges and roots, by the kernel', () => {
    let graph = Graph.empty();
    expect(graph.root()).toBe(empty_root);
    for (const { kind, payload, id } of nodes) {
      const added = orThrow(insertNode(graph, run_id, kind, JSON.parse(payload)));
      expect(added.id).toBe(id);
      graph = added.graph;
    }
    for (const { from, kind, to, id, code, edge_count } of edges) {
      const result = insertEdge(graph, run_id, { kind, from_id: idOf(from), to_id: idOf(to) });
      expect(result._tag === 'Left' ? result.left.code : null).toBe(code);
      if (result._tag === 'Right') {
        expect(result.right.id).toBe(id);
        graph = result.right.graph;
      }
      expect(graph.edgeCount).toBe(edge_count);
    }
    expect(graph.root()).toBe(root);
  });

  it('nodes, edges and roots, by the formulas and a search for cycles', () => {
    for (const { kind, payload, payload_hash, id } of nodes) {
      expect(otherHash(JSON.parse(payload))).toBe(payload_hash);
      expect(otherHash({ t: 'node', run_id, kind, payload_hash })).toBe(id);
    }
    const ids = nodes.map(({ id }) => id).sort();
    const kept = new Map<
      Digest,
      { readonly kind: EdgeKind; readonly from_id: Digest; readonly to_id: Digest }
    >();
    for (const { from, kind, to, id, code, edge_count } of edges) {
      const edge = { kind, from_id: idOf(from), to_id: idOf(to) };
      expect(otherHash({ t: 'edge', run_id, kind, from: edge.from_id, to: edge.to_id })).toBe(id);
      const isMissing = !ids.includes(edge.from_id) || !ids.includes(edge.to_id);
      const ordered = [...kept.values(), edge].filter((one) => one.kind !== 'contradicts');
      const isCycle = !isMissing && topologicalOrder(ids, ordered) === null;
      expect(isMissing ? 'missing_end' : isCycle ? 'cycle' : null).toBe(code);
      if (code === null) kept.set(id, edge);
      expect(kept.size).toBe(edge_count);
    }
    expect(otherHash({ sorted_node_ids: ids, sorted_edge_ids: [...kept.keys()].sort() })).toBe(root);
    expect(otherHash({ sorted_node_ids: [], sorted_edge_ids: [] })).toBe(empty_root);
  });
});
