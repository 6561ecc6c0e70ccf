/**
 * A run with a signed head, and forgeries of what vouches for it: signatures, envelopes, heads, proofs. The
 * keys are made from fixed texts, so that the collection stays the same; nobody may use them.
 *
 * @module
 */
import {
  formatEnvelope,
  formatProof,
  formatPublicKey,
  MerkleTree,
  nobleEd25519,
  proveConsistency,
  proveInclusion,
  derivePublicKey,
  signedHead,
} from '@assay/attest';
import { preAuthEncoding } from '../../packages/attest/dist/dsse/envelope.js';
import { headBytes, HEAD_TYPE } from '../../packages/attest/dist/head/signed-head.js';
import { recomputes } from '../../packages/attest/dist/proofs/proof.js';
import {
  advance,
  makeContinuation,
  openRun,
  orThrow,
  sha256Hex,
  snapshot,
  utf8Bytes,
  validateRun,
} from '@assay/kernel';
import { tally } from '@assay/testing';
import { fileOf, linesOf } from './forge.mjs';
import { AT, POLL, poll } from './runs.mjs';

const TWIN = 'twin-signed';
const CONTINUED = 'twin-signed-continued';
const SIGNATURES = 'signatures.jsonl';
const PROOFS = 'proofs.jsonl';
const [ANNA, BORIS, EVE] = ['anna', 'boris', 'eve'].map((name) => seedOf(name));
const VOTE = {
  source: 'synthetic',
  proposer: 'fixture:poll',
  confidence: null,
  value: { option: 'harbour' },
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};
const POLL_AGAIN = {
  run_id: 'poll-continued',
  ts_base: '2026-11-23',
  policy: POLL.policy,
  input: POLL.input,
};
/** The order of Ed25519's base point. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The honest run with its signature and two proofs, and what is left open without any fault. */
export function signedTwins() {
  const honest = poll();
  const head = headOf(honest);
  const early = honest.slice(0, AT.last);
  const further = continuation();
  return [
    {
      name: CONTINUED,
      what: 'a run that goes on from another, its head signed, with proofs of its last record and of its first',
      bytes: fileOf(linesOf(further)),
      others: {
        [SIGNATURES]: lines(signed(headOf(further), ANNA)),
        [PROOFS]: lines(...endsOf(further).map(formatProof)),
      },
      brought: { signature: SIGNATURES, trust: trust(ANNA), proof: PROOFS },
    },
    {
      name: TWIN,
      what: 'the run with its head signed, and proofs that recompute',
      bytes: fileOf(linesOf(honest)),
      others: {
        [SIGNATURES]: lines(signed(head, ANNA)),
        [PROOFS]: lines(...proofsOf(honest).map(formatProof)),
      },
      brought: { signature: SIGNATURES, trust: trust(ANNA), proof: PROOFS },
    },
    {
      name: 'twin-signed-by-two',
      what: 'the run with its head signed by two keys, of which two are asked for',
      bytes: fileOf(linesOf(honest)),
      others: { [SIGNATURES]: lines(signed(head, ANNA, BORIS)) },
      brought: { signature: SIGNATURES, trust: trust(ANNA, BORIS), threshold: 2 },
    },
    {
      name: 'twin-signed-open',
      what: 'an open run with its own head signed, and the head it went on to',
      bytes: fileOf(linesOf(early)),
      others: {
        [SIGNATURES]: lines(signed(headOf(early), ANNA), signed(head, ANNA)),
        [PROOFS]: lines(formatProof(proofsOf(honest)[1])),
      },
      brought: { signature: SIGNATURES, trust: trust(ANNA), proof: PROOFS },
    },
  ];
}

/** Forgeries that authorship catches. */
export function signatureForgeries() {
  const honest = poll();
  return [
    ...badSignatures(honest),
    ...otherHeads(honest),
    ...badHeads(honest),
    ...badProofs(honest),
    ...movedProofs(),
    lentThreshold(honest),
  ];
}

function badSignatures(honest) {
  const head = headOf(honest);
  const payload = headBytes(head);
  const one = envelopeOf(HEAD_TYPE, payload, ANNA);
  const [{ keyid, sig }] = one.signatures;
  const line = formatEnvelope(one);
  const bad = (name, forged, text) =>
    forgery(name, forged, { bytes: fileOf(linesOf(honest)), signatures: lines(text) }, 'bad_signature');
  const swap = (from, to) => put(line, from, to);
  return [
    bad(
      'signature-forged',
      'one bit of a signature changed',
      formatEnvelope({ ...one, signatures: [{ keyid, sig: sig.with(40, sig[40] ^ 1) }] }),
    ),
    bad(
      'signature-key-swapped',
      'a signature by another key, under the name of the trusted one',
      formatEnvelope({
        ...one,
        signatures: [{ keyid, sig: nobleEd25519.sign(preAuthEncoding(HEAD_TYPE, payload), EVE) }],
      }),
    ),
    bad(
      'signature-payload-type-swapped',
      'a signature over another payload type, its type changed to that of a head',
      formatEnvelope({ ...envelopeOf('application/vnd.other+json', payload, ANNA), payloadType: HEAD_TYPE }),
    ),
    bad(
      'signature-without-encoding',
      'a signature over the payload alone, without type and lengths',
      formatEnvelope({ ...one, signatures: [{ keyid, sig: nobleEd25519.sign(payload, ANNA) }] }),
    ),
    bad(
      'signature-s-plus-order',
      'the same signature with the order of the curve added to its S',
      formatEnvelope({ ...one, signatures: [{ keyid, sig: plusOrder(sig) }] }),
    ),
    bad(
      'envelope-extra-key',
      'a key in the envelope that nobody signed',
      swap('"payloadType"', '"note":"seen","payloadType"'),
    ),
    bad(
      'envelope-keys-reordered',
      'the same envelope with its keys in another order',
      `{"payloadType":"${HEAD_TYPE}",${swap(`"payloadType":"${HEAD_TYPE}",`, '').slice(1)}`,
    ),
    bad('envelope-base64-unpadded', 'the same payload without the padding of its base64', swap('=="}', '"}')),
    bad(
      'envelope-base64-loose',
      'the same signature with loose last bits in its base64',
      swap(/.=="}/.exec(line)[0], `${String.fromCharCode(/(.)=="}/.exec(line)[1].charCodeAt(0) + 1)}=="}`),
    ),
    forgery(
      'signer-counted-twice',
      'two signatures asked for, one key signs twice',
      {
        bytes: fileOf(linesOf(honest)),
        signatures: lines(
          formatEnvelope({ ...one, signatures: [...one.signatures, ...one.signatures] }),
          line,
        ),
        brought: { trust: trust(ANNA, BORIS), threshold: 2 },
        twin: 'twin-signed-by-two',
      },
      'below_threshold',
      null,
      4,
    ),
    forgery(
      'signed-by-key-from-file',
      'a sound signature by a key that came with the file',
      { bytes: fileOf(linesOf(honest)), signatures: lines(signed(head, EVE)) },
      'unknown_key',
      null,
      4,
    ),
  ];
}

function otherHeads(honest) {
  const rewritten = poll({
    answers: [...POLL.answers.slice(0, 4), { request_id: '1.2', value: { option: 'harbour' } }],
  });
  const other = poll({ run_id: 'another-poll' });
  const bytes = fileOf(linesOf(honest));
  const sign = (records) => lines(signed(headOf(records), ANNA));
  const early = honest.slice(0, AT.last);
  return [
    forgery(
      'trusted-signature-other-head',
      'the run rewritten after the fourth answer, with the signature of the run as it was',
      { bytes: fileOf(linesOf(rewritten)), signatures: sign(honest) },
      'signed_other',
      AT.close,
    ),
    forgery(
      'trusted-signature-earlier-head',
      'the same rewritten run, its new head signed by a stranger, with an old head the trusted ' +
        'key signed of the run as it was',
      {
        bytes: fileOf(linesOf(rewritten)),
        signatures: lines(signed(headOf(rewritten), EVE), signed(headOf(honest.slice(0, AT.finish)), ANNA)),
      },
      'signed_other',
      AT.last,
    ),
    forgery(
      'trusted-signature-other-file',
      'the signature of another run',
      { bytes, signatures: sign(other) },
      'signed_other',
    ),
    forgery(
      'trusted-signature-cut-tail',
      'the last groups cut off, with the signature of the whole run',
      { bytes: fileOf(linesOf(early)), signatures: sign(honest) },
      'signed_other',
    ),
    forgery(
      'trusted-signature-other-type',
      'a signature of the trusted key over a payload of another type',
      {
        bytes,
        signatures: lines(
          formatEnvelope(envelopeOf('application/vnd.other+json', headBytes(headOf(honest)), ANNA)),
        ),
      },
      'signed_other',
    ),
    forgery(
      'head-goes-on',
      'records added after the head that was signed',
      { bytes, signatures: sign(early) },
      'beyond_head',
      AT.last,
      4,
    ),
  ];
}

function badHeads(honest) {
  const head = headOf(honest);
  const bad = (name, forged, payload) =>
    forgery(
      name,
      forged,
      {
        bytes: fileOf(linesOf(honest)),
        signatures: lines(formatEnvelope(envelopeOf(HEAD_TYPE, payload, ANNA))),
      },
      'bad_proof',
    );
  return [
    bad(
      'bad-proof',
      'a signed head whose tree root is not that of the records',
      headBytes({ ...head, tree_root: sha256Hex('another tree') }),
    ),
    bad(
      'signed-head-not-closed',
      'a signed head that calls the closed run open',
      headBytes({ ...head, closed: false, summary_hash: null }),
    ),
    bad(
      'signed-head-other-summary',
      'a signed head with another summary',
      headBytes({ ...head, summary_hash: sha256Hex('another summary') }),
    ),
    bad(
      'signed-head-spaced',
      'a signed head written with a space',
      utf8Bytes(new TextDecoder().decode(headBytes(head)).replace(',', ', ')),
    ),
  ];
}

function badProofs(honest) {
  const [inclusion, consistency] = proofsOf(honest);
  const signatures = lines(signed(headOf(honest), ANNA));
  const bad = (name, forged, proof) => ({
    ...forgery(
      name,
      forged,
      { bytes: fileOf(linesOf(honest)), signatures, proofs: lines(formatProof(proof)) },
      'bad_proof',
    ),
    off: { argument: 'proof' },
  });
  const flipped = (hash) => `${hash.slice(0, -1)}${hash.endsWith('0') ? '1' : '0'}`;
  const changed = poll({
    answers: POLL.answers.map((answer, at) =>
      at === 4 ? { ...answer, value: { option: 'harbour' } } : answer,
    ),
  });
  return [
    bad('proof-other-index', 'an inclusion proof that gives its record the place of another', {
      ...inclusion,
      index: inclusion.index + 1,
    }),
    bad('proof-other-size', 'an inclusion proof of another size of the tree', {
      ...inclusion,
      size: inclusion.size - 1,
    }),
    bad('proof-other-root', 'an inclusion proof with another root', {
      ...inclusion,
      tree_root: sha256Hex('another tree'),
    }),
    bad('proof-other-record', 'an inclusion proof that names the hash of another record', {
      ...inclusion,
      record_hash: honest[AT.ballot].record_hash,
    }),
    bad('proof-record-edited', 'an inclusion proof that shows its record with one word changed', {
      ...inclusion,
      record: { ...inclusion.record, payload: { ...inclusion.record.payload, proposer: 'fixture:election' } },
    }),
    bad('proof-path-altered', 'an inclusion proof with one hash of its path changed', {
      ...inclusion,
      path: inclusion.path.with(1, flipped(inclusion.path[1])),
    }),
    bad('proof-path-longer', 'an inclusion proof with one hash more', {
      ...inclusion,
      path: [...inclusion.path, inclusion.tree_root],
    }),
    bad(
      'proof-of-other-run',
      'an inclusion proof, sound in itself, of another run',
      proofsOf(poll({ run_id: 'another-poll' }))[0],
    ),
    bad(
      'proof-of-rewritten-run',
      'an inclusion proof, sound in itself, of the run with one ballot changed',
      proofsOf(changed)[0],
    ),
    bad('consistency-altered', 'a consistency proof with one hash of its path changed', {
      ...consistency,
      path: consistency.path.with(0, flipped(consistency.path[0])),
    }),
    bad(
      'consistency-of-rewritten-run',
      'a consistency proof, sound in itself, of a run that parts from this one',
      proofsOf(changed)[1],
    ),
  ];
}

/**
 * Sound in themselves: one path fits trees of several sizes, and in a continuation the head counts more
 * records than the tree has.
 */
function movedProofs() {
  const records = continuation();
  const [last, first] = endsOf(records);
  const { count } = headOf(records);
  const inner = proveInclusion(storedOf(records), 3, records.length, records[3]);
  const moved = (name, forged, proof) => ({
    ...forgery(
      name,
      forged,
      {
        bytes: fileOf(linesOf(records)),
        signatures: lines(signed(headOf(records), ANNA)),
        proofs: lines(formatProof(proof), formatProof(first)),
        twin: CONTINUED,
      },
      'bad_proof',
    ),
    off: { argument: 'proof' },
  });
  return [
    moved(
      'proof-size-of-count',
      'an inclusion proof in a continuation that takes the count of the head for the size of the tree',
      { ...inner, size: count },
    ),
    moved(
      'proof-size-beside-count',
      'an inclusion proof in a continuation with another size of the tree, its index moved as ' +
        'far, so that the ts of the record fits',
      { ...last, size: last.size + 1, index: last.index + 1 },
    ),
  ];
}

/**
 * Two signatures asked for: one key signs the true head, the other the same root with a smaller count, at
 * which another path fits as well. Loose proofs are where it could be met.
 */
function lentThreshold(honest) {
  const stored = storedOf(honest);
  const { payload: _, ...first } = honest[0];
  const [size, head] = [honest.length - 1, headOf(honest)];
  const [last, begins] = [
    proveInclusion(stored, size, honest.length),
    proveInclusion(stored, 0, honest.length, first),
  ];
  const moved = [
    { ...last, index: size - 1, size },
    { ...begins, size },
  ];
  if (!moved.every((proof) => recomputes(proof, sha256Hex)))
    throw new Error('the poll has no number of records at which a moved path fits');
  const brought = { trust: trust(ANNA, BORIS), threshold: 2 };
  const signatures = lines(signed({ ...head, count: head.count - 1 }, BORIS), signed(head, ANNA));
  return forgery(
    'threshold-met-by-lying-head',
    'two signatures asked for: one of the two trusted keys signs the same root with one ' +
      'record fewer, and proofs give the last record the place before it',
    {
      bytes: fileOf(linesOf(honest)),
      signatures,
      proofs: lines(...moved.map(formatProof)),
      brought,
      twin: 'twin-signed-by-two',
    },
    'bad_proof',
  );
}

function forgery(
  name,
  forged,
  { bytes, signatures, proofs, brought = { trust: trust(ANNA) }, twin = TWIN },
  code,
  record = null,
  exit = 3,
) {
  const others = { [SIGNATURES]: signatures, ...(proofs === undefined ? {} : { [PROOFS]: proofs }) };
  const verdict = exit === 3 ? 'failed' : 'not_checked';
  return {
    name,
    forged,
    twin,
    bytes,
    others,
    brought: { signature: SIGNATURES, ...brought, ...(proofs === undefined ? {} : { proof: PROOFS }) },
    caught: { check: 'authorship', verdict, code, record },
    off: { argument: 'signature' },
    exit,
  };
}

function seedOf(name) {
  return Uint8Array.from(Buffer.from(sha256Hex(`a key for the tests of signed heads: ${name}`), 'hex'));
}

function trust(...seeds) {
  return seeds.map((seed) => formatPublicKey(derivePublicKey(seed, nobleEd25519).bytes));
}

function headOf(records) {
  const tree = new MerkleTree();
  for (const { record_hash } of records) tree.add(record_hash);
  return signedHead(orThrow(validateRun(records)), tree.root());
}

function envelopeOf(payloadType, payload, ...seeds) {
  return {
    payloadType,
    payload,
    signatures: seeds.map((seed) => ({
      keyid: derivePublicKey(seed, nobleEd25519).id,
      sig: nobleEd25519.sign(preAuthEncoding(payloadType, payload), seed),
    })),
  };
}

function signed(head, ...seeds) {
  return formatEnvelope(envelopeOf(HEAD_TYPE, headBytes(head), ...seeds));
}

/** A run that goes on from the opening of the poll, with two votes. */
function continuation() {
  const { run } = orThrow(
    openRun(tally, { run_id: POLL.run_id, ts_base: POLL.ts_base, policy: POLL.policy, input: POLL.input }),
  );
  const opened = orThrow(openRun(tally, { ...POLL_AGAIN, base: makeContinuation(snapshot(run)) }));
  const one = orThrow(advance(opened.run, { ...VOTE, request_id: '1.0' }));
  return [
    ...opened.records,
    ...one.records,
    ...orThrow(advance(one.run, { ...VOTE, request_id: '1.1' })).records,
  ];
}

/** Proofs of the last record, shown, and of the first, shown without its payload. */
function endsOf(records) {
  const stored = storedOf(records);
  const { payload: _, ...first } = records[0];
  return [
    proveInclusion(stored, records.length - 1, records.length, records.at(-1)),
    proveInclusion(stored, 0, records.length, first),
  ];
}

/** Proof of the first ballot with its record, and of the run going on from before the last answer. */
function proofsOf(records) {
  const stored = storedOf(records);
  return [
    proveInclusion(stored, AT.notice, records.length, records[AT.notice]),
    proveConsistency(stored, AT.last, records.length),
  ];
}

function storedOf(records) {
  const hashes = [];
  const tree = new MerkleTree(undefined, (hash) => hashes.push(hash));
  for (const { record_hash } of records) tree.add(record_hash);
  return { read: (index) => hashes[index] };
}

function plusOrder(sig) {
  const s = sig.subarray(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + ORDER;
  return Uint8Array.from([
    ...sig.subarray(0, 32),
    ...Array.from({ length: 32 }, (_, at) => Number((s >> BigInt(8 * at)) & 255n)),
  ]);
}

function lines(...texts) {
  return utf8Bytes(texts.map((text) => `${text}\n`).join(''));
}

function put(line, from, to) {
  if (!line.includes(from)) throw new Error(`the line holds no ${from}`);
  return line.replace(from, to);
}
