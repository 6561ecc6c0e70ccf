/**
 * What a stranger does with the packed kernel, in plain JavaScript: canonical text, a chain and an edit of
 * it, a graph, a machine of their own, its run and its replay, its head signed. Gives lines of text; every
 * place this runs in must give the same lines. The picture of a view too: `view/same-everywhere`.
 *
 * @module
 */
import {
  Authorship,
  MerkleTree,
  formatEnvelope,
  nobleEd25519,
  derivePublicKey,
  readEvidenceLines,
  signHead,
  signedHead,
  weigh,
} from '@assay/attest';
import {
  Graph,
  Ledger,
  advance,
  canonicalize,
  decodeUtf8,
  encodeLine,
  err,
  hashCanonical,
  makeHead,
  ok,
  openRequests,
  openRun,
  orThrow,
  replayWith,
  replayable,
  sha256Hex,
  utf8Bytes,
  validateChain,
  validateRun,
} from '@assay/kernel';
import { defaultPolicy, intent, runEngine } from '@assay/kernel/intent';
import { intentView } from '@assay/kernel/intent-view';
import { viewable } from '@assay/kernel/view';

/** A machine of one question: a wrong answer is rejected, an integer ends the run. */
const guess = {
  name: 'guess',
  version: 1,
  open: (genesis) =>
    ok({
      state: { tries: 0 },
      decision: {
        events: [],
        asks: [
          { kind: 'number', body: { question: genesis.input }, accepts: ['synthetic', 'human'], attempts: 3 },
        ],
      },
    }),
  parse: (value) => (Number.isInteger(value) ? ok(value) : err({ code: 'no_integer', detail: null })),
  decide: (_state, answer) =>
    answer.input._tag === 'Left'
      ? ok({ events: [{ t: 'gave_up' }], outcome: { status: 'refused', reasons: [answer.input.left.code] } })
      : ok({
          events: [{ t: 'guessed', number: answer.input.right }],
          artifacts: { answer: { number: answer.input.right } },
          outcome: { status: 'success', reasons: [] },
        }),
  evolve: (state) => ({ tries: state.tries + 1 }),
  encode: (state) => state,
  decode: (json) => ok(json),
};

/** Every line of the scenario. Throws where something does not hold. */
export function scenario() {
  return [...canonicalLines(), ...chainLines(), graphLine(), ...runLines(), pictureLine()];
}

function canonicalLines() {
  const values = [
    { b: 1, a: [true, null, -0, 1e-7] },
    { '\u{1F600}': 1, '\uE000': 2 },
    JSON.parse('{"__proto__":{"toJSON":1}}'),
    '\u2028\u0007"\\',
    9007199254740991,
  ];
  const refused = [Number.NaN, { a: undefined }, new Array(1), new Map(), '\uD800', 2 ** 53];
  return [
    ...values.map(
      (value) => `${orThrow(decodeUtf8(orThrow(canonicalize(value))))} ${orThrow(hashCanonical(value))}`,
    ),
    ...refused.map((value) => `refused ${canonicalize(value).left.code}`),
  ];
}

function chainLines() {
  const ledger = new Ledger();
  for (let index = 0; index < 3; index += 1) orThrow(ledger.append(`t#${index}`, 'note', { index }));
  const edited = ledger.records.map((record, index) => (index === 1 ? { ...record, kind: 'nota' } : record));
  return [
    `chain ${ledger.hash} ${validateChain(ledger.records)._tag}`,
    `edited ${validateChain(edited).left.code} at ${validateChain(edited).left.record}`,
  ];
}

function graphLine() {
  return `empty graph ${Graph.empty().root()}`;
}

function runLines() {
  let step = orThrow(
    openRun(guess, { run_id: 'consumer', ts_base: 'check', policy: {}, input: 'how many?' }),
  );
  const records = [...step.records];
  for (const value of ['many', 3]) {
    const [request] = openRequests(step.run);
    step = orThrow(
      advance(step.run, {
        request_id: request.id,
        source: 'synthetic',
        proposer: 'check',
        confidence: null,
        value,
        failure: null,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
      }),
    );
    records.push(...step.records);
  }
  const follower = orThrow(replayWith([replayable(guess)], records));
  if (follower.head.hash !== makeHead(step.run).hash) throw new Error('replay ends at another head');
  const forged = records.map((record, index) =>
    index === 4 ? { ...record, payload: { ...record.payload, value: 4 } } : record,
  );
  const text = records.map((record) => encodeLine(record)).join('\n');
  return [
    `run ${records.map(({ kind }) => kind).join(' ')}`,
    `ledger ${sha256Hex(text)}`,
    `validates ${validateRun(records)._tag}, forged ${validateRun(forged).left.code}`,
    ...signedLines(records),
  ];
}

/** The picture of a request that nobody could read. */
function pictureLine() {
  const failure = { code: 'gave_up', final: true, detail: null };
  const proposer = {
    proposer: 'check',
    proposeInterpretations: () => ({ source: 'synthetic', value: null, failure, provenance: {} }),
  };
  const { records } = orThrow(runEngine('seen', 'Plan a ride.', null, defaultPolicy, proposer, 't'));
  const [genesis, ...rest] = records;
  let viewer = orThrow(viewable(intentView, intent).begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return `picture ${orThrow(hashCanonical(viewer.show()))}`;
}

/** The same key and signature wherever this runs. */
function signedLines(records) {
  const seed = new Uint8Array(32).fill(1);
  const tree = new MerkleTree();
  for (const { record_hash } of records) tree.add(record_hash);
  const summary = orThrow(validateRun(records));
  const line = formatEnvelope(signHead(signedHead(summary, tree.root()), seed, nobleEd25519));
  const judged = (text) => {
    const authorship = new Authorship(
      weigh({
        signatures: [readEvidenceLines(utf8Bytes(text))],
        proofs: null,
        trusted: [derivePublicKey(seed, nobleEd25519)],
      }),
    );
    for (const record of records) authorship.add(record, summary.first);
    const { verdict, code } = authorship.verdict(summary);
    return code ?? verdict;
  };
  return [
    `signed ${sha256Hex(line)}`,
    `authorship ${judged(line)}, edited ${judged(line.replace('"sig":"', '"sig":"A'))}`,
  ];
}
