/**
 * The language-neutral vectors of `vectors/`: of the kernel, of runs (vectors/machine.mjs), and of
 * the log of runs (vectors/log.mjs).
 *
 * What is put in stands in the committed files themselves. `node scripts/vectors.mjs` computes the rest with the built
 * kernel and fails on a difference: that is a finding. `--write` writes them anew, after a vector was added by what is
 * put in; CI may not. Run `npm run build` first.
 */
import { readFileSync } from 'node:fs';
import {
  EDGE_KINDS,
  Graph,
  Ledger,
  canonicalize,
  edgeId,
  encodeLine,
  hashCanonical,
  insertEdge,
  insertNode,
  nodeId,
  orThrow,
  readCanonical,
  validateChain,
} from '../packages/kernel/dist/index.js';
import { compareOrWrite } from './lib/committed.mjs';
import { logVectors } from './vectors/log.mjs';
import { machineVectors } from './vectors/machine.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const utf8 = (text) => Uint8Array.from(Buffer.from(text, 'utf8'));
const verdict = (result) => (result._tag === 'Left' ? result.left : null);
const committed = (name) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));

function canonicalVectors() {
  const { about, values, refused, lines } = committed('canonical');
  return {
    about,
    values: values.map(({ name, input }) => ({
      name,
      input,
      bytes: hex(orThrow(canonicalize(JSON.parse(input)))),
      hash: orThrow(hashCanonical(JSON.parse(input))),
    })),
    refused: refused.map(({ name, input }) => ({
      name,
      input,
      ...refusalOf(canonicalize(JSON.parse(input))),
    })),
    lines: lines.map(({ name, bytes }) => ({
      name,
      bytes,
      code: verdict(readCanonical(Uint8Array.from(Buffer.from(bytes, 'hex')))),
    })),
  };
}

function refusalOf(result) {
  if (result._tag === 'Right') throw new Error('this vector should be refused and is not');
  return result.left;
}

/** validateChain over lines: a line that is not canonical is `encoding`. */
function chainVerdict(lines) {
  const values = [];
  for (const line of lines) {
    const read = readCanonical(utf8(line));
    const before = read._tag === 'Left' ? validateChain(values) : null;
    if (before !== null)
      return before._tag === 'Left' ? before.left : { code: read.left, record: values.length };
    values.push(read.right.value);
  }
  const result = validateChain(values);
  return result._tag === 'Left' ? result.left : result.right;
}

function recordVectors() {
  const { about, records, chains } = committed('records');
  const ledger = new Ledger();
  for (const { ts, kind, payload } of records) orThrow(ledger.append(ts, kind, JSON.parse(payload)));
  return {
    about,
    records: ledger.records.map((record, index) => ({
      ts: record.ts,
      kind: record.kind,
      payload: records[index].payload,
      parent: record.parent,
      payload_hash: record.payload_hash,
      record_hash: record.record_hash,
      line: hex(utf8(encodeLine(record))),
    })),
    chains: chains.map(({ name, lines }) => ({ name, lines, verdict: chainVerdict(lines) })),
  };
}

function graphVectors() {
  const { about, run_id, ...given } = committed('graph');
  let graph = Graph.empty();
  const empty_root = graph.root();
  // A node named `?` is in no graph.
  const ids = new Map([['?', '0'.repeat(64)]]);
  const nodes = given.nodes.map(({ name, kind, payload: text }) => {
    const payload = JSON.parse(text);
    const payload_hash = orThrow(hashCanonical(payload));
    const added = orThrow(insertNode(graph, run_id, kind, payload));
    if (added.id !== nodeId(run_id, kind, payload_hash)) throw new Error(`node ${name}: two ways, two ids`);
    graph = added.graph;
    ids.set(name, added.id);
    return { name, kind, payload: text, payload_hash, id: added.id };
  });
  const edges = given.edges.map(({ from, kind, to }) => {
    if (!EDGE_KINDS.includes(kind)) throw new Error(`no edge kind: ${kind}`);
    const draft = { kind, from_id: ids.get(from), to_id: ids.get(to) };
    const result = insertEdge(graph, run_id, draft);
    if (result._tag === 'Right') graph = result.right.graph;
    return {
      from,
      kind,
      to,
      id: edgeId(run_id, draft),
      code: result._tag === 'Left' ? result.left.code : null,
      edge_count: graph.edgeCount,
    };
  });
  return { about, run_id, empty_root, nodes, edges, root: graph.root() };
}

const KERNEL = { canonical: canonicalVectors(), records: recordVectors(), graph: graphVectors() };
const isWriting = process.argv.includes('--write');
if (isWriting && process.env['CI'] === 'true') throw new Error('CI compares vectors and never writes them');
const texts = (vectors, indent) =>
  Object.entries(vectors).map(([name, content]) => [
    `vectors/${name}.json`,
    `${JSON.stringify(content, null, indent)}\n`,
  ]);
process.exitCode = compareOrWrite(
  Object.fromEntries([...texts(KERNEL, 2), ...texts(machineVectors(), 1), ...texts(logVectors(), 1)]),
  isWriting,
);
