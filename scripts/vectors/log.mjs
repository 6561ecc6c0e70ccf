/**
 * The language-neutral vectors of the log of runs: `vectors/log.json`. Keys are made from fixed texts; nobody may
 * use them.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import {
  cosign,
  formatEntry,
  isSigned,
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
function trees(given) {
  return given.map(({ size }) => {
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

function checkpoints(given) {
  const [signed, cosigned] = given.map(({ text }) => text);
  const anew = signCheckpoint({ size: 300, root: sha256Hex('root') }, LOG, CRYPTO);
  const line = cosign(orThrow(parseCheckpoint(anew)), 1_764_432_000, WITNESS, CRYPTO);
  if (signed !== anew || cosigned !== anew + line) throw new Error('other signatures than those committed');
  return given.map(({ name, text }) => {
    const read = parseCheckpoint(text);
    if (read._tag === 'Left') return { name, text, checkpoint: null };
    const { origin, size, root } = read.right;
    const cosignatures = readCosignatures(read.right, CRYPTO);
    return {
      name,
      text,
      checkpoint: { origin, size, root, signed: isSigned(read.right, CRYPTO), cosignatures },
    };
  });
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
  const url = new URL('../../vectors/log.json', import.meta.url);
  const given = JSON.parse(readFileSync(url, 'utf8'));
  for (const { line } of given.entries)
    if (formatEntry(orThrow(parseEntry(utf8Bytes(line)))) !== line) throw new Error(line);
  for (const line of given.refused) if (parseEntry(utf8Bytes(line))._tag === 'Right') throw new Error(line);
  return {
    log: {
      about: given.about,
      entries: given.entries.map(({ line }) => ({
        line,
        digest: sha256Hex(line),
        leaf: nobleSha256(Uint8Array.of(0, ...Buffer.from(sha256Hex(line), 'hex'))),
      })),
      refused: given.refused,
      trees: trees(given.trees),
      checkpoints: checkpoints(given.checkpoints),
    },
  };
}
