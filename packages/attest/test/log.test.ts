/** The log of runs, its formats: entries, notes, checkpoints, cosignatures, tiles, proofs of runs. */
import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { orThrow, type Digest, utf8Bytes } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import {
  cosign,
  derivePublicKey,
  formatEntry,
  formatRunProof,
  isSigned,
  judgeLedger,
  judgeRunProof,
  type LedgerFacts,
  type LogEntry,
  makeClosing,
  makeOpening,
  MerkleTree,
  nobleEd25519,
  parseCheckpoint,
  parseEntry,
  parseRunProof,
  readCosignatures,
  RunIndex,
  type RunProof,
  signCheckpoint,
  TiledTree,
  tileNodes,
  tilePath,
} from '../src/index.ts';
import { formatNote, parseNote } from '../src/log/note.ts';
import { tileWidth, type Tile } from '../src/log/tiles.ts';
import { proveSubtree, verifyInclusion } from '../src/merkle/proof.ts';
import { computeRoot } from '../src/merkle/stored.ts';
import { TreeHasher } from '../src/merkle/tree.ts';
import { nativeEd25519 } from '../src/node.ts';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { leaves } from './runs.ts';

const runs = lawRuns('packages/attest/test/log.test.ts');
const crypto = { engine: nativeEd25519, sha256: nativeSha256 };
const [SECRET, WITNESS] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const hash = (text: string): Digest => nativeSha256(utf8Bytes(text));
const facts = (run_id: string, more: Partial<LedgerFacts> = {}): LedgerFacts => ({
  run_id,
  genesis_hash: hash(`genesis of ${run_id}`),
  machine: { name: 'tally', version: 1 },
  count: 11,
  hash: hash(`head of ${run_id}`),
  tree_root: hash(`tree of ${run_id}`),
  outcome: 'success',
  ...more,
});
const opening = (run_id: string): LogEntry =>
  makeOpening(run_id, facts(run_id).genesis_hash, { name: 'tally', version: 1 });
const closing = (run_id: string, opened: number, more: Partial<LedgerFacts> = {}): LogEntry => {
  const end = makeClosing(facts(run_id, more), opened);
  if (end === null) throw new Error('open');
  return end;
};
const abandoned = (run_id: string, opened: number): LogEntry => ({
  t: 'assay.run-abandoned.v1',
  run_id,
  genesis_hash: facts(run_id).genesis_hash,
  opened,
  count: 11,
  hash: facts(run_id).hash,
  by: 'ops',
  code: 'poison',
});

describe('entries', () => {
  test('each kind is one canonical line, read as it was written', () => {
    for (const entry of [opening('r'), closing('r', 0), abandoned('r', 0)])
      expect(orThrow(parseEntry(utf8Bytes(formatEntry(entry))))).toEqual(entry);
    expect(formatEntry(opening('r'))).toBe(
      `{"genesis_hash":"${facts('r').genesis_hash}","machine":{"name":"tally","version":1},"run_id":"r","t":"assay.run-opened.v1"}`,
    );
  });

  test.each([
    ['another order', `{"t":"assay.run-opened.v1",${formatEntry(opening('r')).slice(1, -27)}}`],
    ['a line end', `${formatEntry(opening('r'))}\n`],
    ['another kind', formatEntry(opening('r')).replace('opened', 'started')],
    ['a key more', formatEntry(opening('r')).replace('"run_id"', '"note":1,"run_id"')],
  ])('%s is no entry', (_, line) => {
    expect(parseEntry(utf8Bytes(line))).toEqual({ _tag: 'Left', left: { code: 'entry' } });
  });
});

const root = hash('root');
const signed = signCheckpoint({ size: 7, root }, SECRET, crypto);
const checkpoint = orThrow(parseCheckpoint(signed));
const cosigned = orThrow(parseCheckpoint(signed + cosign(checkpoint, 1_679_315_147, WITNESS, crypto)));

describe('checkpoints', () => {
  test('are signed by their log, and by nobody else; both engines agree on every byte', () => {
    const key = Buffer.from(derivePublicKey(SECRET, nativeEd25519).bytes).toString('hex');
    expect(checkpoint).toMatchObject({ origin: `assay-log/${key}`, size: 7, root });
    expect(isSigned(checkpoint, crypto)).toBe(true);
    expect(signCheckpoint({ size: 7, root }, SECRET, { ...crypto, engine: nobleEd25519 })).toBe(signed);
    expect(isSigned(cosigned, { ...crypto, engine: nobleEd25519 })).toBe(true);
    const other = signCheckpoint({ size: 7, root }, WITNESS, crypto);
    const moved = signed.slice(0, signed.indexOf('— ')) + other.slice(other.indexOf('— '));
    expect(isSigned(orThrow(parseCheckpoint(moved)), crypto)).toBe(false);
  });

  test('are cosigned with a time, which is signed too', () => {
    const key = Buffer.from(derivePublicKey(WITNESS, nativeEd25519).bytes).toString('hex');
    expect(readCosignatures(cosigned, crypto)).toEqual([{ key, time: 1_679_315_147, isSound: true }]);
    expect(readCosignatures(checkpoint, crypto)).toEqual([]);
    const late = cosign(checkpoint, 2 ** 40, WITNESS, crypto);
    expect(readCosignatures(orThrow(parseCheckpoint(signed + late)), crypto)).toEqual([
      { key, time: 2 ** 40, isSound: true },
    ]);
    const [note] = [cosigned.note];
    for (let at = 0; at < 72; at += 1) {
      const signatures = note.signatures.map((one, index) =>
        index === 0
          ? one
          : { ...one, bytes: one.bytes.map((byte, place) => (place === at ? byte ^ 1 : byte)) },
      );
      const [read] = readCosignatures({ ...cosigned, note: { ...note, signatures } }, crypto);
      expect([at, read?.isSound]).toEqual([at, false]);
    }
  });

  test.each([
    ['CRLF', signed.replaceAll('\n', '\r\n')],
    ['a leading zero', signed.replace('\n7\n', '\n07\n')],
    ['another origin', signed.replaceAll('assay-log/', 'example.com/')],
    ['base64 in a second spelling', signed.replace('=\n\n', '\n\n')],
    ['a tab', signed.replace('— ', '—\t')],
  ])('%s is no checkpoint', (_, text) => {
    expect(parseCheckpoint(text)).toEqual({ _tag: 'Left', left: { code: 'checkpoint' } });
  });

  test('a note is read as it was written, signatures of others included', () => {
    const foreign = `${signed}— example.com/w+ abcdabcd\n`;
    expect(parseNote(foreign)._tag).toBe('Left');
    const other = `${signed}— example.com/w AAAAAQE=\n`;
    expect(formatNote(orThrow(parseNote(other)))).toBe(other);
    expect(isSigned(orThrow(parseCheckpoint(other)), crypto)).toBe(true);
    expect(orThrow(parseNote(other)).signatures[1]).toEqual({
      name: 'example.com/w',
      id: '00000001',
      bytes: Uint8Array.of(1),
    });
    expect(parseNote(signed + '— a AAAAAQE=\n'.repeat(64))._tag).toBe('Left');
  });
});

/** A tree of so many leaves, and the tiles that it leaves. */
const LEAVES = leaves(66_000);
function tiled(size: number): { readonly tree: TiledTree; readonly tiles: ReadonlyMap<string, Tile> } {
  const tree = new TiledTree(nativeSha256);
  const tiles = new Map<string, Tile>();
  const keep = (tile: Tile): unknown => tiles.set(tilePath(tile.level, tile.place, tile.hashes.length), tile);
  for (const leaf of LEAVES.slice(0, size)) tree.add(leaf).forEach(keep);
  tree.partial().forEach(keep);
  return { tree, tiles };
}

describe('tiles', () => {
  test('are named as C2SP names them', () => {
    expect(tilePath(0, 1_234_067, 256)).toBe('tile/0/x001/x234/067');
    expect(tilePath(2, 0, 1)).toBe('tile/2/000.p/1');
    expect(tilePath('entries', 999, 256)).toBe('entries/999');
    expect(tilePath('entries', 1_000, 12)).toBe('entries/x001/000.p/12');
    // The example of the specification: a tree of 70,000.
    expect([tileWidth(0, 272, 70_000), tileWidth(0, 273, 70_000), tileWidth(0, 274, 70_000)]).toEqual([
      256, 112, 0,
    ]);
    expect([tileWidth(1, 0, 70_000), tileWidth(1, 1, 70_000), tileWidth(2, 0, 70_000)]).toEqual([256, 17, 1]);
  });

  test('a tree of 66,000: full and partial tiles of three levels, and the root of the plain tree', () => {
    const { tree, tiles } = tiled(66_000);
    const plain = new MerkleTree(nativeSha256);
    for (const leaf of LEAVES) plain.add(leaf);
    expect(tree.root()).toBe(plain.root());
    const widths = [...tiles.values()].map(({ level, hashes }) => `${level}:${hashes.length}`);
    const count = (width: string): number => widths.filter((one) => one === width).length;
    expect([count('0:256'), count('0:208'), count('1:256'), count('1:1'), count('2:1')]).toEqual([
      257, 1, 1, 1, 1,
    ]);
    expect(tiles.size).toBe(261);
  });

  it('log/tiles-are-the-tree: any root and any path comes out of the tiles of any larger tree', () => {
    const hasher = new TreeHasher(nativeSha256);
    const sizes = fc.integer({ min: 1, max: 600 });
    fc.assert(
      fc.property(sizes, sizes, fc.nat(), (one, other, seed) => {
        const [small, size] = [Math.min(one, other), Math.max(one, other)];
        const { tree, tiles } = tiled(size);
        const read = tileNodes(
          (level, place) => tiles.get(tilePath(level, place, tileWidth(level, place, size)))?.hashes ?? [],
          hasher,
        );
        expect(computeRoot(read, hasher, 0, size)).toBe(tree.root());
        expect(computeRoot(read, hasher, 0, small)).toBe(tiled(small).tree.root());
        const index = seed % size;
        const path = proveSubtree(read, hasher, { start: index, end: index + 1 }, size);
        const leaf = hasher.leaf(LEAVES[index] ?? root);
        expect(verifyInclusion(hasher, { index, size }, leaf, path, tree.root())).toBe(true);
      }),
      runs,
    );
  });

  test('a node that no tile has is a mistake of the caller', () => {
    expect(() => tileNodes(() => [], new TreeHasher(nativeSha256))(0, 3)).toThrow(RangeError);
  });
});

describe('the runs of a log', () => {
  test('open once, end once, and an end is of its opening', () => {
    const index = new RunIndex();
    expect(
      [
        opening('a'),
        opening('b'),
        opening('a'),
        closing('a', 0),
        closing('a', 0),
        abandoned('a', 0),
        closing('c', 1),
        closing('b', 0),
        closing('b', 1, { genesis_hash: root }),
        abandoned('b', 1),
      ].map((entry) => index.add(entry, hash(formatEntry(entry)))),
    ).toEqual([
      null,
      null,
      'twice',
      null,
      'twice',
      'twice',
      'head_mismatch',
      'head_mismatch',
      'head_mismatch',
      null,
    ]);
    expect([index.size, index.runs.size]).toEqual([10, 2]);
  });

  test('a ledger is the one that was logged, or a code says what it is', () => {
    const logged = (...entries: readonly LogEntry[]) => {
      const index = new RunIndex();
      for (const entry of entries) index.add(entry, hash(formatEntry(entry)));
      const run = index.runs.get('a');
      if (run === undefined) throw new Error('not there');
      return (changes: Partial<LedgerFacts> = {}) => judgeLedger(run, facts('a', changes), nativeSha256);
    };
    const ended = logged(opening('a'), closing('a', 0));
    expect(ended()).toBeNull();
    for (const change of [
      { count: 12 },
      { hash: root },
      { tree_root: root },
      { genesis_hash: root },
      { outcome: 'refused' },
      { outcome: 'open' },
    ] as const)
      expect(ended(change)).toEqual({ code: 'head_mismatch', isFault: true });
    const open = logged(opening('a'));
    expect(open()).toEqual({ code: 'unclosed', isFault: true });
    expect(open({ outcome: 'open' })).toEqual({ code: 'unclosed', isFault: false });
    expect(open({ genesis_hash: root })).toEqual({ code: 'head_mismatch', isFault: true });
    const lost = logged(opening('a'), abandoned('a', 0));
    expect(lost({ outcome: 'open' })).toBeNull();
    for (const change of [{}, { outcome: 'open', count: 12 }, { outcome: 'open', hash: root }] as const)
      expect(lost(change)).toEqual({ code: 'head_mismatch', isFault: true });
  });
});

describe('the proof of a run', () => {
  const hasher = new TreeHasher(nativeSha256);
  const entries = [opening('a'), opening('b'), closing('b', 1), closing('a', 0)];
  const tree = new TiledTree(nativeSha256);
  for (const entry of entries) tree.add(hash(formatEntry(entry)));
  const nodes = tileNodes(() => tree.partial()[0]?.hashes ?? [], hasher);
  const text = signCheckpoint({ size: 4, root: tree.root() }, SECRET, crypto);
  const line = cosign(orThrow(parseCheckpoint(text)), 1_700_000_000, WITNESS, crypto);
  const placed = (index: number): never =>
    ({
      index,
      entry: entries[index],
      path: proveSubtree(nodes, hasher, { start: index, end: index + 1 }, 4),
    }) as never;
  const proof: RunProof = {
    t: 'assay.log-proof.v1',
    checkpoint: text + line,
    opened: placed(1),
    end: placed(2),
  };
  const trust = {
    trusted: [derivePublicKey(SECRET, nativeEd25519)],
    witnesses: [derivePublicKey(WITNESS, nativeEd25519)],
  };
  const judge = (given: RunProof | null, more: Partial<LedgerFacts> = {}, by = trust) =>
    judgeRunProof(given, facts('b', more), by, crypto);
  const codes = (...given: Parameters<typeof judge>) => {
    const { completeness, time } = judge(...given);
    return [completeness && `${completeness.verdict} ${completeness.code}`, `${time.verdict} ${time.code}`];
  };

  test('is one line, read as it was written', () => {
    const bytes = utf8Bytes(`${formatRunProof(proof)}\n`);
    expect(orThrow(parseRunProof(bytes))).toEqual(proof);
    for (const other of ['', '{}', formatRunProof(proof).replace('log-proof', 'log-poof')])
      expect(parseRunProof(utf8Bytes(other))).toEqual({ _tag: 'Left', left: { code: 'proof' } });
  });

  test('of a run that is there: its head is the one to compare with, and the time is no later than', () => {
    expect(judge(proof)).toMatchObject({
      completeness: null,
      time: { verdict: 'held', code: null, detail: { not_later_than: 1_700_000_000, witnesses: 1 } },
    });
    expect(codes({ ...proof, end: null })).toEqual(['not_checked unclosed', 'not_checked unclosed']);
  });

  test('each line of the table', () => {
    expect(codes(null)).toEqual(['failed unlogged', 'not_checked no_witness']);
    expect(codes(proof, { genesis_hash: root })).toEqual(['failed unlogged', 'not_checked no_witness']);
    expect(codes({ ...proof, checkpoint: 'x' })).toEqual(['failed bad_proof', 'not_checked no_witness']);
    const bad = ['failed bad_proof', 'not_checked no_witness'];
    expect(codes({ ...proof, opened: { ...proof.opened, index: 0 } })).toEqual(bad);
    expect(codes({ ...proof, end: placed(3) })).toEqual(bad);
    expect(codes({ ...proof, opened: { ...proof.opened, path: [] } })).toEqual(bad);
    expect(codes(proof, {}, { ...trust, trusted: [] })).toEqual([
      'not_checked no_key',
      'not_checked no_witness',
    ]);
    expect(codes(proof, {}, { ...trust, trusted: trust.witnesses })[0]).toBe('not_checked unknown_key');
    const unsigned = { ...proof, checkpoint: text.replace(/— .*\n/, line) };
    expect(codes(unsigned)[0]).toBe('failed bad_signature');
    expect(codes({ ...proof, checkpoint: text })).toEqual([null, 'not_checked no_witness']);
    expect(codes(proof, {}, { ...trust, witnesses: [] })).toEqual([null, 'not_checked no_authority']);
    const badly = {
      ...proof,
      checkpoint: text + cosign(orThrow(parseCheckpoint(signed)), 1, WITNESS, crypto),
    };
    expect(codes(badly)).toEqual([null, 'failed bad_witness']);
    expect(codes(proof, { hash: root })).toEqual([null, 'failed witnessed_other']);
  });
});
