/**
 * Prints what must be the same text on every JavaScript engine: one line `name sha256` for the canonical text
 * of awkward values, two for each golden fixture, over all the bytes re-derived from its answers and over the
 * picture of its view, one for each long request of examples/requests, over the ledger of a run by the rules,
 * and one for the hostile contracts of the sandbox, over how each ends and the fuel it used.
 *
 * Runs on Node, Bun and Deno alike; exit 1 where a fixture cannot be derived again or differs from its file.
 */
import { readFileSync } from 'node:fs';
import { canonicalize, orThrow, sha256Hex, utf8Bytes } from '@assay/kernel';
import { hostileLines } from '../packages/ecology/tools/hostile.mjs';
import { GOLDENS, linesOf, listGoldens, loadSandbox, playGolden } from './lib/goldens.mjs';
import { requestsIn } from './lib/requests.mjs';

const { defaultPolicy, runEngine } = await import('@assay/kernel/intent');
const { proposeByRules, RULES_PROPOSER } = await import('@assay/proposers/language');
const { findRow, viewRecords } = await import('@assay/views/machines');
let differing = 0;

for (const [name, values] of Object.entries({ numbers: numbers(), strings: strings(), objects: objects() }))
  print(`canonical/${name}`, canonicalBytes(values));
for (const name of listGoldens()) await replay(name);
for (const request of [...requestsIn('long'), ...requestsIn('long.held-back')]) decide(request);
print('contracts/hostile', hostileLines(await loadSandbox()).join('\n'));
process.exitCode = differing === 0 ? 0 : 1;

function print(name, text) {
  console.log(`${name} ${sha256Hex(text)}`);
}

/** Makes one fixture again from its genesis and answers alone, and compares with the ledger it came from. */
async function replay(name) {
  const { records } = await playGolden(name);
  const text = linesOf(records);
  print(name, text);
  if (text !== readFileSync(`${GOLDENS}${name}/ledger.jsonl`, 'utf8'))
    fail(name, 'the bytes differ from the file');
  const view = await findRow(records[0].payload.machine)?.view();
  if (view !== undefined) print(`view/${name}`, canonicalBytes([orThrow(viewRecords(view, records)).show()]));
}

/**
 * Runs one request from its text alone: grammar, scanner, scores, artifacts. Nothing of the text is printed.
 */
function decide({ name, text }) {
  const proposer = {
    proposer: RULES_PROPOSER,
    proposeInterpretations: (_seed, _n, body) => {
      const { value, failure, provenance } = proposeByRules(body);
      return { source: 'rule', value, failure, provenance };
    },
  };
  const run = runEngine(name, text, null, defaultPolicy, proposer, 't');
  if (run._tag === 'Left') fail(name, run.left.code);
  else print(`request/${name}`, linesOf(run.right.records));
}

function fail(name, reason) {
  console.log(`${name} FAILED ${reason}`);
  differing += 1;
}

/** Canonical text of each value, or its refusal, one per line. */
function canonicalBytes(values) {
  return values
    .map((value) => {
      const result = canonicalize(value);
      return result._tag === 'Right' ? new TextDecoder().decode(result.right) : result.left.code;
    })
    .join('\n');
}

/** Edges, and 20,000 doubles whose bits come from a fixed sequence: engines must print each the same. */
function numbers() {
  const edges = [
    0,
    -0,
    1,
    -1,
    0.1,
    1e-6,
    1e-7,
    1.5e-7,
    5e-324,
    2 ** 53 - 1,
    2 ** 53,
    1e20,
    1e21,
    0.000001234567890123,
    333333333.3333333,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ];
  const bits = new DataView(new ArrayBuffer(8));
  let word = 1;
  const drawn = Array.from({ length: 20_000 }, () => {
    for (const offset of [0, 4]) {
      word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
      bits.setUint32(offset, word);
    }
    // Exponents from 2^-31 to 2^32, where most admitted numbers with a fraction lie.
    bits.setUint16(0, (bits.getUint16(0) & 0x800f) | ((992 + (word >>> 26)) << 4));
    return bits.getFloat64(0);
  });
  return [...edges, ...drawn];
}

function strings() {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  return [...units, '\u{1F600}', 'e\u0301', '\u00e9', '\u2028\u2029', '"\\/\b\f\n\r\t'];
}

function objects() {
  return [
    { '\u{1F600}': 1, '\uE000': 2, a: 3, A: 4, 10: 5, 9: 6 },
    JSON.parse('{"__proto__":1,"constructor":2,"toJSON":3}'),
    { a: [[], {}, [{}]] },
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${(index * 7919) % 500}`, index])),
    utf8Bytes('bytes'),
  ];
}
