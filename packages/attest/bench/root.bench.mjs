/**
 * What a signed head adds to strict verification: each record's place in the tree, and the root (target: at
 * most 1.3 times the time without). Also signing and verifying one head, by both engines.
 *
 * With and without are timed in turn within each round, so that a busy machine slows both; prints one JSON
 * document.
 *
 *   npm run build && node packages/attest/bench/root.bench.mjs [rounds] [records]
 */
import { hash } from 'node:crypto';
import { encodeLine, orThrow, replayable, validateRun } from '../../kernel/dist/index.js';
import { verify } from '../../verifier/dist/index.js';
import {
  Authorship,
  formatEnvelope,
  formatPublicKey,
  MerkleTree,
  nobleEd25519,
  parsePublicKey,
  derivePublicKey,
  readEvidenceLines,
  signedHead,
  signHead,
  weigh,
} from '../dist/index.js';
import { nativeEd25519 } from '../dist/node.js';
import { atMost, machine, median, rounded } from '../../../bench/lib/targets.mjs';
import { relay, relayGroups } from '../../verifier/bench/relay.mjs';

const rounds = Number(process.argv[2] ?? 15);
const wanted = Number(process.argv[3] ?? 20_000);
const CHUNK = 65_536;
const WARM_ROUNDS = 2;
const HEADS = 20;

const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const records = [...relayGroups(wanted, sha256)].flat();
const file = Buffer.concat(records.map((record) => Buffer.from(`${encodeLine(record)}\n`)));
const seed = new Uint8Array(32).fill(7);
const tree = new MerkleTree(sha256);
for (const { record_hash } of records) tree.add(record_hash);
const head = signedHead(orThrow(validateRun(records, { sha256 })), tree.root());
const line = Buffer.from(`${formatEnvelope(signHead(head, seed, nativeEd25519))}\n`);
const trusted = [orThrow(parsePublicKey(formatPublicKey(derivePublicKey(seed, nativeEd25519).bytes)))];
const evidence = (engine) =>
  weigh({ signatures: [readEvidenceLines(line)], proofs: null, trusted, engine, sha256 });
const known = evidence(nativeEd25519);

function* chunks() {
  for (let from = 0; from < file.length; from += CHUNK) yield file.subarray(from, from + CHUNK);
}

function strict(options, authorship) {
  const { document } = verify('bench', chunks(), { sha256, machines: [replayable(relay)], ...options });
  if (document.checks.rederivation.verdict !== 'held' || document.checks.authorship.verdict !== authorship)
    throw new Error(JSON.stringify(document));
}

const CONTENDERS = {
  strict: () => strict({}, 'not_checked'),
  signed: () => strict({ authorship: () => new Authorship(known) }, 'held'),
  tree: () => {
    const alone = new MerkleTree(sha256);
    for (const { record_hash } of records) alone.add(record_hash);
    if (alone.root() !== head.tree_root) throw new Error('another root');
  },
};

const spent = Object.fromEntries(Object.keys(CONTENDERS).map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(CONTENDERS)) {
    const took = timed(run);
    if (round >= 0) spent[name].push(took / records.length);
  }
}
const us = Object.fromEntries(Object.entries(spent).map(([name, values]) => [name, rounded(median(values))]));
/** Within a round, so that what slows the machine for a while slows both. */
const ratio = median(spent.signed.map((value, round) => value / spent.strict[round]));
const engines = Object.fromEntries(
  [
    ['node', nativeEd25519],
    ['noble', nobleEd25519],
  ].map(([name, engine]) => [
    name,
    {
      sign_us: rounded(each(() => signHead(head, seed, engine))),
      verify_us: rounded(each(() => evidence(engine))),
    },
  ]),
);
const targets = [
  atMost(
    'attest-root',
    'strict verification with the tree root of a signed head, against without',
    ratio,
    1.3,
    'times',
  ),
];
console.log(
  JSON.stringify(
    {
      bench: 'attest-root',
      node: process.version,
      machine: machine(),
      rounds,
      records: records.length,
      us_per_record: us,
      ratio: rounded(ratio),
      engines,
      targets,
    },
    null,
    2,
  ),
);

function timed(run) {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e3;
}

function each(run) {
  return median(Array.from({ length: HEADS }, () => timed(run)));
}
