/**
 * The language-neutral vectors of the log of runs: `vectors/log.json`. Keys are made from fixed texts; nobody may
 * use them.
 *
 * @module
 */
import {
  cosign,
  formatEntry,
  isSigned,
  makeClosing,
  makeOpening,
  nobleEd25519,
  parseCheckpoint,
  parseEntry,
  readCosignatures,
  signCheckpoint,
  TiledTree,
  tilePath,
} from '../../packages/attest/dist/index.js';
import { nobleSha256, orThrow, sha256Hex, utf8Bytes } from '../../packages/kernel/dist/index.js';

const CRYPTO = { engine: nobleEd25519, sha256: nobleSha256 };
const [LOG, WITNESS] = ['log', 'witness'].map((name) => Buffer.from(sha256Hex(`vector ${name}`), 'hex'));
const FACTS = {
  run_id: 'spring-trip',
  genesis_hash: sha256Hex('genesis'),
  machine: { name: 'tally', version: 1 },
  count: 11,
  hash: sha256Hex('last record'),
  tree_root: sha256Hex('tree'),
  outcome: 'success',
};
const { run_id, genesis_hash, count, hash } = FACTS;
const ENTRIES = [
  makeOpening(run_id, genesis_hash, FACTS.machine),
  makeClosing(FACTS, 0),
  {
    t: 'assay.run-abandoned.v1',
    run_id,
    genesis_hash,
    count,
    hash,
    opened: 0,
    by: 'ops@night',
    code: 'poison',
  },
].map(formatEntry);

/** Lines that are no entries. */
const REFUSED = [
  ENTRIES[0].replace('"run_id":"spring-trip"', '"run_id":"a/b"'),
  ENTRIES[0].replace('opened.v1', 'opened.v2'),
  ENTRIES[0].replace('"version":1', '"version":1.5'),
  ENTRIES[0].replace(',"run_id"', ', "run_id"'),
  ENTRIES[1].replace('"opened":0', '"opened":-1'),
  ENTRIES[1].replace('"outcome":"success"', '"outcome":"open"'),
  ENTRIES[1].replace('"count":11', '"count":0'),
  ENTRIES[2].replace('"by":"ops@night"', '"by":"ops at night"'),
];

const SIZES = [1, 2, 3, 255, 256, 257, 300, 512, 600];

function trees() {
  return SIZES.map((size) => {
    const tree = new TiledTree(nobleSha256);
    const tiles = {};
    const keep = ({ level, place, hashes }) => {
      tiles[tilePath(level, place, hashes.length)] = nobleSha256(Buffer.from(hashes.join(''), 'hex'));
    };
    for (let at = 0; at < size; at += 1) tree.add(sha256Hex(`entry ${at}`)).forEach(keep);
    tree.partial().forEach(keep);
    return { size, root: tree.root(), tiles };
  });
}

function checkpoints() {
  const root = sha256Hex('root');
  const signed = signCheckpoint({ size: 300, root }, LOG, CRYPTO);
  const line = cosign(orThrow(parseCheckpoint(signed)), 1_764_432_000, WITNESS, CRYPTO);
  const other = signCheckpoint({ size: 301, root }, LOG, CRYPTO);
  const signature = (text) => text.slice(text.indexOf('— '));
  const texts = {
    signed,
    cosigned: signed + line,
    'cosigned by a stranger too': `${signed}— example.com/w AAAAAQE=\n${line}`,
    'the signature of another size': signed.replace(signature(signed), signature(other)),
    'the log signs twice': signed + signature(signed),
    'a cosignature of another checkpoint': other + line,
    'the time moved': signed + line.replace(/ (\S{12})(\S+\n)$/, (_, head, rest) => ` ${moved(head)}${rest}`),
    'no signature': signed.slice(0, signed.indexOf('— ')),
    'no last line end': signed.slice(0, -1),
    'an empty tree': signed.replace('\n300\n', '\n0\n'),
    'an extension line': signed.replace('\n\n', '\nmore\n\n'),
    'a line that is no signature': `${signed}hello\n`,
  };
  return Object.entries(texts).map(([name, text]) => {
    const read = parseCheckpoint(text);
    if (read._tag === 'Left') return { name, text, checkpoint: null };
    const { origin, size } = read.right;
    return {
      name,
      text,
      checkpoint: {
        origin,
        size,
        root: read.right.root,
        signed: isSigned(read.right, CRYPTO),
        cosignatures: readCosignatures(read.right, CRYPTO),
      },
    };
  });
}

/** The first nine bytes of a cosignature, with another time in the last of them. */
function moved(base64) {
  const bytes = Buffer.from(base64, 'base64');
  bytes[8] ^= 1;
  return bytes.toString('base64');
}

/**
 * The vectors, by the name of their file.
 *
 * @returns {{ log: {
 *   about: string,
 *   entries: { line: string, digest: string, leaf: string }[],
 *   refused: string[],
 *   trees: { size: number, root: string, tiles: { [path: string]: string } }[],
 *   checkpoints: { name: string, text: string, checkpoint: null | {
 *     origin: string, size: number, root: string, signed: boolean,
 *     cosignatures: readonly { key: string, time: number, isSound: boolean }[] } }[],
 * } }}
 */
export function logVectors() {
  for (const line of REFUSED) if (parseEntry(utf8Bytes(line))._tag === 'Right') throw new Error(line);
  return {
    log: {
      about:
        'Lines of entries with the SHA-256 of each and its leaf; lines that are none. Trees over the digests ' +
        'SHA-256("entry 0"), SHA-256("entry 1"), …: root and tiles, by their path the SHA-256 of their bytes. ' +
        'Texts of checkpoints: what they say, or null.',
      entries: ENTRIES.map((line) => ({
        line,
        digest: sha256Hex(line),
        leaf: nobleSha256(Uint8Array.of(0, ...Buffer.from(sha256Hex(line), 'hex'))),
      })),
      refused: REFUSED,
      trees: trees(),
      checkpoints: checkpoints(),
    },
  };
}
