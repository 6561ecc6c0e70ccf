/**
 * The language-neutral vectors of `vectors/`: of the kernel, of runs (vectors/machine.mjs), and of
 * the log of runs (vectors/log.mjs).
 *
 * `node scripts/vectors.mjs` compares the committed files with what the built kernel computes and fails on
 * a difference: that is a finding. `--write` writes them anew; CI may not. Run `npm run build` first.
 */
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

/** Texts of values that have a canonical form, in spellings of all kinds. */
const VALUES = {
  null: 'null',
  'true and false': '[true, false]',
  'empty containers': ' [ [ ] , { } , "" ] ',
  'keys sorted at every depth': '{"b":{"d":[{"z":1,"y":2}],"c":0},"a":null}',
  'keys by UTF-16 code units: astral before U+FB33': '{"\\ufb33":1,"\\ud83d\\ude00":2}',
  'composed and decomposed keys differ': '{"\\u00e9":1,"e\\u0301":2}',
  'integer-like keys are text': '{"9":1,"10":2,"":3,"-1":4,"01":5,"a":6}',
  'names of prototypes are data':
    '{"toJSON":{"b":1,"a":2},"constructor":1,"__proto__":{"x":1},"hasOwnProperty":2}',
  'a prefix sorts first': '{"aa":1,"a":2,"ab":3}',
  'upper before lower case': '{"a":1,"A":2,"_":3}',
  'escapes in values':
    '"\\u0000\\u0008\\u0009\\u000a\\u000b\\u000c\\u000d\\u001f\\u0020\\"\\\\\\/\\u007f\\u0080"',
  'escapes in keys': '{"\\n":1,"\\"":2,"\\\\":3,"\\u0000":4}',
  'U+2028, U+2029, U+FEFF and non-characters stand raw': '"\\u2028\\u2029\\ufeff\\ufffe\\uffff"',
  'a surrogate pair': '"\\ud83d\\ude00"',
  'needless escapes': '"\\u0061\\u002f\\u20ac"',
  'minus zero': '[-0, -0.0, 0e5, -0E-9]',
  integers: '[1, 1.0, 10e-1, 1E2, -1.50e1, 9007199254740991, -9007199254740991]',
  'plain down to 0.000001': '[0.000001, 1e-6, 0.0000015, 0.1, 123456.789]',
  'exponents below': '[0.0000001, 1.5E-7, 1e-07, -1.25e-10, 5e-324, 2.2250738585072014e-308]',
  'shortest digits':
    '[0.1, 0.30000000000000004, 0.3333333333333333, 4503599627370495.5, 333333333.33333329, 1.7976931348623157]',
  'a double that rounds to zero': '1e-400',
  nesting: `${'['.repeat(64)}${']'.repeat(64)}`,
};

/** Texts of values that are refused wherever a value is admitted. */
const REFUSED = {
  '2^53': '9007199254740992',
  '-2^53': '-9007199254740992',
  '1e20': '{"a":[1e20]}',
  '1e21': '1e21',
  'an overflow to infinity': '[1e400]',
  'a lone high surrogate': '{"a":"x\\ud800"}',
  'a lone low surrogate': '["\\udc00"]',
  'surrogates in the wrong order': '"\\ude00\\ud83d"',
  'a lone surrogate in a key': '{"a\\ud800":1}',
  'a key with ~ and / on the way': '{"a/b":{"~":[0,1e20]}}',
  'the first in canonical order, not in order of writing': '{"b":1e20,"a":"\\ud800"}',
};

/** Lines (without their 0A) as bytes: accepted exactly where they are canonical. */
const LINES = {
  canonical: utf8('{"a":[1,"é"]}'),
  'canonical, with U+2028 raw': utf8('"\u2028"'),
  'no byte': utf8(''),
  'a space': utf8('{"a": 1}'),
  'a carriage return': utf8('1\r'),
  'a byte order mark': utf8('\ufeff1'),
  'unordered keys': utf8('{"b":1,"a":2}'),
  'private use before astral': utf8('{"\ufb33":1,"\u{1f600}":2}'),
  'a key twice': utf8('{"a":1,"a":1}'),
  'minus zero': utf8('-0'),
  'a point too many': utf8('1.0'),
  'an exponent with a zero too many': utf8('1e-07'),
  'a needless escape': utf8('"\\u0061"'),
  'an escape in upper case': utf8('"\\u001F"'),
  'a lone surrogate, escaped': utf8('"\\ud800"'),
  'a surrogate in UTF-8 (CESU-8)': Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
  'a byte FF': Uint8Array.of(0x22, 0xff, 0x22),
  'a number out of range': utf8('9007199254740992'),
  '256 levels': utf8(`${'['.repeat(256)}${']'.repeat(256)}`),
  '257 levels': utf8(`${'['.repeat(257)}${']'.repeat(257)}`),
  'brackets inside a string': utf8(`"${'['.repeat(257)}"`),
};

function canonicalVectors() {
  return {
    about:
      'C(x) as hex and H(x) of the value each JSON text `input` parses to; refusals with code ' +
      'and JSON pointer; lines as hex, with the code of the refusal or null.',
    values: Object.entries(VALUES).map(([name, input]) => ({
      name,
      input,
      bytes: hex(orThrow(canonicalize(JSON.parse(input)))),
      hash: orThrow(hashCanonical(JSON.parse(input))),
    })),
    refused: Object.entries(REFUSED).map(([name, input]) => ({
      name,
      input,
      ...refusalOf(canonicalize(JSON.parse(input))),
    })),
    lines: Object.entries(LINES).map(([name, bytes]) => ({
      name,
      bytes: hex(bytes),
      code: verdict(readCanonical(bytes)),
    })),
  };
}

function refusalOf(result) {
  if (result._tag === 'Right') throw new Error('this vector should be refused and is not');
  return result.left;
}

const ENTRIES = [
  ['t0#000000000000', 'note', { b: 1, a: [true, null] }],
  ['2026-01-01T00:00:00Z', 'kind with "quotes" and \u2028', 'é'],
  ['', '', null],
  ['\u{1f600}', 'n', { '\ufb33': 1.5e-7, '\u{1f600}': -0 }],
];

/** Attacks on the chain above: from its lines, the lines after. */
const ATTACKS = {
  sound: (lines) => lines,
  'no record': () => [],
  'an erased record': (lines) => edit(lines, 1, (record) => without(record, 'payload')),
  'payload edited': (lines) => edit(lines, 1, (record) => ({ ...record, payload: 'e' })),
  'payload and its hash edited': (lines) =>
    edit(lines, 1, (record) => ({ ...record, payload: 'e', payload_hash: orThrow(hashCanonical('e')) })),
  'record made anew with another payload': (lines) => {
    const ledger = new Ledger();
    for (const [ts, kind, payload] of [ENTRIES[0], [...ENTRIES[1].slice(0, 2), 'e']])
      ledger.append(ts, kind, payload);
    return lines.with(1, encodeLine(ledger.records[1]));
  },
  'ts edited': (lines) => edit(lines, 0, (record) => ({ ...record, ts: 't0#000000000001' })),
  'kind edited': (lines) => edit(lines, 3, (record) => ({ ...record, kind: 'm' })),
  'version 2': (lines) => edit(lines, 0, (record) => ({ ...record, v: 2 })),
  'version as text': (lines) => edit(lines, 0, (record) => ({ ...record, v: '1' })),
  'an extra key': (lines) => edit(lines, 2, (record) => ({ ...record, note: null })),
  'a hash in upper case': (lines) =>
    edit(lines, 2, (record) => ({ ...record, record_hash: record.record_hash.toUpperCase() })),
  'the first record dropped': (lines) => lines.slice(1),
  'a record dropped': (lines) => lines.toSpliced(1, 1),
  'a record doubled': (lines) => [...lines.slice(0, 2), ...lines.slice(1)],
  'two records swapped': (lines) => [lines[0], lines[2], lines[1], lines[3]],
  'a space in a line': (lines) => lines.with(2, lines[2].replace(':', ': ')),
};

function without(record, key) {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}

function edit(lines, index, change) {
  return lines.with(
    index,
    Buffer.from(orThrow(canonicalize(change(JSON.parse(lines[index]))))).toString('utf8'),
  );
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
  const ledger = new Ledger();
  for (const entry of ENTRIES) orThrow(ledger.append(...entry));
  const lines = ledger.records.map(encodeLine);
  return {
    about:
      'Records appended in order, each with its two hashes and its line as hex (without 0A); ' +
      'chains of lines as text, with the end of the chain or the first fault.',
    records: ledger.records.map((record, index) => ({
      ts: record.ts,
      kind: record.kind,
      payload: JSON.stringify(ENTRIES[index][2]),
      parent: record.parent,
      payload_hash: record.payload_hash,
      record_hash: record.record_hash,
      line: hex(utf8(lines[index])),
    })),
    chains: Object.entries(ATTACKS).map(([name, attack]) => ({
      name,
      lines: attack(lines),
      verdict: chainVerdict(attack(lines)),
    })),
  };
}

const NODES = [
  ['a', 'seed', { text: 'é' }],
  ['b', 'claim', [1, 2.5]],
  ['c', 'decision', null],
  ['d', 'artifact', 'x'],
];

/** Edges offered in turn; a node named `?` is in no graph. */
const OFFERS = [
  ['b', 'depends_on', 'a'],
  ['c', 'refines', 'b'],
  ['a', 'depends_on', 'c'],
  ['a', 'refines', 'a'],
  ['a', 'contradicts', 'c'],
  ['a', 'contradicts', 'a'],
  ['c', 'depends_on', 'b'],
  ['c', 'depends_on', 'b'],
  ['?', 'depends_on', 'a'],
  ['a', 'contradicts', '?'],
  ['d', 'depends_on', 'c'],
  ['b', 'refines', 'd'],
];

function graphVectors() {
  const run_id = 'demo-1';
  let graph = Graph.empty();
  const empty_root = graph.root();
  const ids = new Map([['?', '0'.repeat(64)]]);
  const nodes = NODES.map(([name, kind, payload]) => {
    const payload_hash = orThrow(hashCanonical(payload));
    const added = orThrow(insertNode(graph, run_id, kind, payload));
    if (added.id !== nodeId(run_id, kind, payload_hash)) throw new Error(`node ${name}: two ways, two ids`);
    graph = added.graph;
    ids.set(name, added.id);
    return { name, kind, payload: JSON.stringify(payload), payload_hash, id: added.id };
  });
  const edges = OFFERS.map(([from, kind, to]) => {
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
  return {
    about:
      'Nodes of a run with their derived ids; edges offered in turn with their derived ids, ' +
      'the code of the refusal or null, and the number of edges after; the roots of the empty ' +
      'and of the final graph.',
    run_id,
    empty_root,
    nodes,
    edges,
    root: graph.root(),
  };
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
