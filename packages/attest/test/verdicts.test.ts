/**
 * Whole verdicts: every field of them, and the order of what is said where several things are wrong at once.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nobleSha256, utf8Bytes, type Digest } from '@assay/kernel';
import {
  formatProof,
  judgeLoose,
  MerkleTree,
  nobleEd25519,
  parsePublicKey,
  proveConsistency,
  proveInclusion,
  readEvidenceLines,
  weigh,
  type Ed25519,
  type Evidence,
} from '../src/index.ts';
import type { Brought } from '../src/authorship/evidence.ts';
import { parseEnvelopeLine, type Envelope } from '../src/dsse/envelope.ts';
import { verifyStrictly } from '../src/ed25519/strict.ts';
import { HEAD_TYPE } from '../src/head/signed-head.ts';
import { formatSecretKey, keyId, parseSecretKey } from '../src/keys/key.ts';
import { TreeHasher } from '../src/merkle/tree.ts';
import { proveSubtree } from '../src/merkle/proof.ts';
import { storedNodes } from '../src/merkle/stored.ts';
import { formatTreeHeader, parseTreeHeader, storedBytes } from '../src/merkle/stored.ts';
import { recomputes } from '../src/proofs/proof.ts';
import { nativeEd25519 } from '../src/node.ts';
import { fromHex } from '../src/bytes/read.ts';
import { continued, stored } from './runs.ts';
import { by, envelopes, erased, file, headOf, judge, keys, other, run, seeds, trusting } from './signers.ts';

const n = run.length;
const hashesOf = (records: typeof run): readonly Digest[] => records.map(({ record_hash }) => record_hash);
const tree = { read: stored(hashesOf(run)) };
const ids = keys.map(({ id }) => id);
const here = headOf(run);
const early = headOf(run, 5);
const elsewhere = headOf(other);
/** Signed by a trusted key, and no head: of the head's type or of another. */
const odd = (payloadType: string, payload: string): Envelope => {
  const envelope: Envelope = { payloadType, payload: utf8Bytes(payload), signatures: [] };
  const message = utf8Bytes(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} ${payload}`);
  return {
    ...envelope,
    signatures: [
      { keyid: ids[0] ?? ('' as Digest), sig: nativeEd25519.sign(message, seeds[0] ?? new Uint8Array(32)) },
    ],
  };
};
const notChecked = (code: string, detail: object): object => ({
  verdict: 'not_checked',
  code,
  record: null,
  count: 0,
  detail,
});

describe('of a ledger', () => {
  const detail = {
    signatures: 1,
    threshold: 1,
    heads: [{ count: n, is: 'here', keys: [ids[0]] }],
    proofs: 0,
  };

  test('held, and each way of not being checked', () => {
    const signed = envelopes(by(here, 0));
    expect(judge(run, { signatures: signed, trusted: trusting(0) })).toEqual({
      verdict: 'held',
      code: null,
      record: null,
      count: 0,
      detail,
    });
    expect(judge(run, { signatures: signed })).toEqual(notChecked('no_key', { ...detail, heads: [] }));
    expect(judge(run, { signatures: signed, trusted: trusting(1) })).toEqual(
      notChecked('unknown_key', { ...detail, heads: [] }),
    );
    expect(judge(run, { trusted: trusting(1) })).toEqual(
      notChecked('unsigned', { ...detail, signatures: 0, heads: [] }),
    );
    expect(judge(run, { signatures: signed, trusted: trusting(0, 1), threshold: 2 })).toEqual(
      notChecked('below_threshold', { ...detail, threshold: 2 }),
    );
  });

  test('too few at the end is said also where enough signed an earlier head', () => {
    const verdict = judge(run, {
      signatures: envelopes(by(here, 0), by(early, 0, 1)),
      trusted: trusting(0, 1),
      threshold: 2,
    });
    expect(verdict).toEqual(
      notChecked('below_threshold', {
        signatures: 3,
        threshold: 2,
        heads: [
          { count: n, is: 'here', keys: [ids[0]] },
          { count: 5, is: 'earlier', keys: [ids[0], ids[1]] },
        ],
        proofs: 0,
      }),
    );
  });

  test('enough keys on a later head do not stand in for an earlier one', () => {
    const verdict = judge(run.slice(0, 7), {
      signatures: envelopes(by(early, 0), by(here, 0, 1)),
      trusted: trusting(0, 1),
      threshold: 2,
    });
    expect(verdict).toEqual(
      notChecked('below_threshold', {
        signatures: 3,
        threshold: 2,
        heads: [
          { count: 5, is: 'earlier', keys: [ids[0]] },
          { count: n, is: 'later', keys: [ids[0], ids[1]] },
        ],
        proofs: 0,
        remarks: ['later_head_signed'],
      }),
    );
  });

  test('beyond the signed head, also beside a head of another run', () => {
    const heads = [
      { count: 5, is: 'earlier', keys: [ids[0]] },
      { count: other.length, is: 'elsewhere', keys: [ids[0]] },
    ];
    expect(
      judge(run, { signatures: envelopes(by(early, 0), by(elsewhere, 0)), trusted: trusting(0) }),
    ).toEqual({
      verdict: 'not_checked',
      code: 'beyond_head',
      record: 5,
      count: n - 5,
      detail: { signatures: 2, threshold: 1, heads, proofs: 0 },
    });
  });

  test('a head of another run, a later one, and one of another end: what was expected and what was got', () => {
    const end = (head: {
      readonly genesis_hash: string;
      readonly count: number;
      readonly last_hash: string;
    }): object => ({ genesis_hash: head.genesis_hash, count: head.count, last_hash: head.last_hash });
    const of = (is: string, count: number): object => ({
      signatures: 1,
      threshold: 1,
      heads: [{ count, is, keys: [ids[0]] }],
      proofs: 0,
    });
    const failed = (record: number | null, count: number, about: object): object => ({
      verdict: 'failed',
      code: 'signed_other',
      record,
      count,
      detail: about,
    });
    const signing = (head: typeof here): Partial<Brought> => ({
      signatures: envelopes(by(head, 0)),
      trusted: trusting(0),
    });
    expect(judge(run.slice(0, 3), signing(elsewhere))).toEqual(
      failed(null, 1, {
        ...of('elsewhere', other.length),
        expected: end(elsewhere),
        got: end(headOf(run, 3)),
      }),
    );
    expect(judge(run.slice(0, 5), signing(here))).toEqual(
      failed(null, n - 5, {
        ...of('later', n),
        remarks: ['later_head_signed'],
        expected: end(here),
        got: end(early),
      }),
    );
    for (const count of [1, 4, n]) {
      const forged = { ...here, count, last_hash: elsewhere.last_hash };
      expect(judge(run, signing(forged))).toEqual(
        failed(count - 1, 1, { ...of('conflict', count), expected: end(forged), got: end(here) }),
      );
    }
  });

  test('a head of the base that a continuation counts is of no record of it, and takes no mark from the others', () => {
    const { first, records } = continued();
    const own = headOf(records);
    const verdict = judge(records, {
      signatures: envelopes(by(own, 0), by({ ...own, count: first }, 0)),
      trusted: trusting(0),
    });
    expect(verdict).toMatchObject({
      code: 'signed_other',
      record: null,
      count: 1,
      detail: { heads: [{ is: 'here' }, { count: first, is: 'conflict' }] },
    });
  });

  test('what a trusted key signed that is no head', () => {
    expect(judge(run, { signatures: envelopes(odd('text/plain', 'hello')), trusted: trusting(0) })).toEqual({
      verdict: 'failed',
      code: 'signed_other',
      record: null,
      count: 1,
      detail: { signatures: 1, threshold: 1, heads: [], proofs: 0 },
    });
    expect(
      judge(run, { signatures: envelopes(odd('text/plain', 'hello'), by(here, 0)), trusted: trusting(0) }),
    ).toMatchObject({ verdict: 'held' });
    expect(
      judge(run, { signatures: envelopes(odd(HEAD_TYPE, '{}'), by(here, 0)), trusted: trusting(0) }),
    ).toMatchObject({ verdict: 'failed', code: 'bad_proof', record: null, count: 1 });
  });

  test("proofs of this run at other sizes than a head's, and beside proofs of other runs", () => {
    const strange = formatProof(proveInclusion({ read: stored(hashesOf(other)) }, 2, other.length, other[2]));
    const begins = formatProof({
      ...proveInclusion({ read: stored(hashesOf(other)) }, 2, other.length),
      genesis_hash: other[0]?.record_hash ?? here.genesis_hash,
    });
    const ofRun = [proveConsistency(tree, 3, 6), proveInclusion(tree, 2, 4), proveInclusion(tree, 1, 9)].map(
      formatProof,
    );
    const signed = { signatures: envelopes(by(here, 0)), trusted: trusting(0) };
    expect(judge(run, { ...signed, proofs: file(...ofRun) })).toMatchObject({
      verdict: 'held',
      detail: { proofs: 3 },
    });
    expect(judge(run, { ...signed, proofs: file(...ofRun, strange, begins) })).toMatchObject({
      verdict: 'held',
      detail: { proofs: 5 },
    });
    expect(judge(run, { ...signed, proofs: file(strange, begins) })).toMatchObject({
      code: 'bad_proof',
      record: null,
      count: 1,
    });
    expect(judge(run, { ...signed, proofs: file(strange, '{}') })).toMatchObject({
      code: 'bad_proof',
      count: 1,
    });
    expect(judge(run, { ...signed, proofs: file() })).toMatchObject({ code: 'bad_proof', count: 1 });
    expect(judge(run, { ...signed, proofs: null })).toMatchObject({ verdict: 'held' });
  });

  test('a proof that recomputes over another tree is astray, whichever of its trees is the other', () => {
    const mixed = [...hashesOf(run.slice(0, 5)), ...hashesOf(other).slice(5, 9)];
    const astray = [
      proveConsistency({ read: stored(mixed) }, 5, 9),
      proveConsistency({ read: stored(mixed) }, 6, 9),
      proveInclusion({ read: stored(mixed) }, 2, 9),
    ].map((proof) => ({ ...proof, genesis_hash: here.genesis_hash }));
    for (const proof of astray) {
      expect(recomputes(proof, nobleSha256)).toBe(true);
      expect(
        judge(run, {
          signatures: envelopes(by(here, 0)),
          proofs: file(formatProof(proof)),
          trusted: trusting(0),
        }),
      ).toMatchObject({ code: 'bad_proof', count: 1 });
    }
    // Behind the end of the file only a later head that is signed says what tree there is.
    const early5 = run.slice(0, 5);
    const signed = { signatures: envelopes(by(early, 0), by(here, 0)), trusted: trusting(0) };
    expect(
      judge(early5, { ...signed, proofs: file(formatProof(proveConsistency(tree, 5, n))) }),
    ).toMatchObject({ verdict: 'held' });
    const beyond = [
      proveConsistency(tree, 5, n - 1),
      {
        ...proveConsistency(
          { read: stored([...hashesOf(early5), ...hashesOf(other).slice(0, n - 5)]) },
          5,
          n,
        ),
        genesis_hash: here.genesis_hash,
      },
    ];
    for (const proof of beyond)
      expect(judge(early5, { ...signed, proofs: file(formatProof(proof)) })).toMatchObject({
        code: 'bad_proof',
        count: 1,
      });
    expect(
      judge(early5, {
        signatures: envelopes(by(early, 0), by(headOf(run, 3), 0)),
        trusted: trusting(0),
        proofs: file(formatProof(proveConsistency(tree, 5, n))),
      }),
    ).toMatchObject({ code: 'bad_proof', count: 1 });
  });

  test('bad proofs of each kind are counted together', () => {
    const unsound = { ...here, closed: false };
    const bad = { ...proveInclusion(tree, 3, n), index: 4 };
    const astray = {
      ...proveConsistency({ read: stored(hashesOf(other)) }, 3, 6),
      genesis_hash: here.genesis_hash,
    };
    const verdict = judge(run, {
      signatures: envelopes(odd(HEAD_TYPE, '{}'), odd(HEAD_TYPE, '[]'), by(unsound, 0), by(here, 0)),
      proofs: file('{}', formatProof(bad), formatProof(astray), formatProof(proveInclusion(tree, 3, n))),
      trusted: trusting(0),
    });
    expect(verdict).toMatchObject({ verdict: 'failed', code: 'bad_proof', record: null, count: 6 });
    const forged = by(here, 0, 1);
    const swapped = {
      ...forged,
      signatures: forged.signatures.map(({ keyid }, at) => ({
        keyid,
        sig: forged.signatures[1 - at]?.sig ?? new Uint8Array(64),
      })),
    };
    expect(
      judge(run, {
        signatures: file('{}', '', ...[swapped].map((each) => JSON.stringify(each))),
        trusted: trusting(0, 1),
      }),
    ).toMatchObject({ verdict: 'failed', code: 'bad_signature', record: null, count: 3 });
    expect(
      judge(run, { signatures: envelopes(swapped, by(here, 0)), trusted: trusting(0, 1) }),
    ).toMatchObject({ code: 'bad_signature', record: null, count: 2 });
  });
});

describe('what is weighed before there is a ledger', () => {
  const weighed = (brought: Partial<Brought>): Omit<Evidence, 'sha256'> => {
    const { sha256: _, ...rest } = weigh({
      signatures: null,
      proofs: null,
      trusted: [],
      engine: nativeEd25519,
      ...brought,
    });
    return rest;
  };
  const nothing = {
    isSigned: false,
    isTrusting: false,
    threshold: 1,
    signatures: 0,
    forged: 0,
    unreadable: 0,
    otherTypes: 0,
    heads: [],
    proofs: [],
    badProofs: 0,
    isProving: false,
  };

  test('nothing, empty files, and each thing alone', () => {
    expect(weighed({})).toEqual(nothing);
    expect(weighed({ signatures: file(), proofs: file() })).toEqual({ ...nothing, isProving: true });
    expect(weighed({ signatures: file('{}', '[]') })).toEqual({ ...nothing, isSigned: true, forged: 2 });
    expect(weighed({ proofs: [...(file('{}') ?? []), ...(file('{}', '[]') ?? [])] })).toEqual({
      ...nothing,
      isProving: true,
      badProofs: 3,
    });
    expect(
      weighed({ signatures: envelopes(by(here, 0, 1), by(here, 2)), trusted: trusting(0, 2), threshold: 2 }),
    ).toEqual({
      ...nothing,
      isSigned: true,
      isTrusting: true,
      threshold: 2,
      signatures: 3,
      heads: [{ head: here, keys: [ids[0], ids[2]] }],
    });
    expect(
      weighed({
        signatures: envelopes(
          odd('text/plain', 'x'),
          odd('text/html', 'x'),
          odd(HEAD_TYPE, 'x'),
          odd(HEAD_TYPE, '{}'),
        ),
        trusted: trusting(0),
      }),
    ).toEqual({ ...nothing, isSigned: true, isTrusting: true, signatures: 4, otherTypes: 2, unreadable: 2 });
    // Another type is never read as a head, whatever its bytes.
    expect(
      weighed({
        signatures: envelopes(odd('text/plain', new TextDecoder().decode(by(here).payload))),
        trusted: trusting(0),
      }),
    ).toMatchObject({ otherTypes: 1, heads: [] });
  });
});

describe('of a proof without its ledger', () => {
  const proof = proveInclusion(tree, 3, n);
  const begins = proveInclusion(tree, 0, n, erased(run[0]));
  const loose = (brought: Partial<Brought>): readonly object[] =>
    judgeLoose(
      weigh({
        signatures: envelopes(by(here, 0)),
        proofs: file(formatProof(proof), formatProof(begins)),
        trusted: trusting(0),
        engine: nativeEd25519,
        ...brought,
      }),
    );

  test('every answer, whole', () => {
    expect(loose({})).toEqual(
      [proof, begins].map((each) => ({
        proof: each,
        verdict: 'held',
        code: null,
        detail: { counts: [n], first: 0 },
      })),
    );
    const open = (code: string): object => ({ proof, verdict: 'not_checked', code, detail: null });
    expect(loose({ signatures: null })[0]).toEqual(open('unsigned'));
    expect(loose({ trusted: [] })[0]).toEqual(open('no_key'));
    expect(loose({ trusted: trusting(1) })[0]).toEqual(open('unknown_key'));
    expect(loose({ threshold: 2 })[0]).toEqual(open('below_threshold'));
    expect(loose({ proofs: file(formatProof(proof)) })).toEqual([open('no_genesis')]);
    expect(loose({ signatures: envelopes(by(elsewhere, 0)) })[0]).toEqual({
      proof,
      verdict: 'failed',
      code: 'signed_other',
      detail: null,
    });
    expect(loose({ signatures: file('{}', '[]') })).toEqual([
      { proof: null, verdict: 'failed', code: 'bad_signature', detail: { forged: 2 } },
    ]);
    expect(
      loose({
        signatures: envelopes(odd(HEAD_TYPE, '{}'), by(here, 0)),
        proofs: file('{}', '[]', formatProof(begins)),
      }),
    ).toEqual([
      { proof: null, verdict: 'failed', code: 'bad_proof', detail: { bad: 3 } },
      { proof: begins, verdict: 'held', code: null, detail: { counts: [n], first: 0 } },
    ]);
    const bad = (reason: string): object => ({
      proof,
      verdict: 'failed',
      code: 'bad_proof',
      detail: { reason },
    });
    expect(loose({ signatures: envelopes(by(here, 0), by({ ...here, count: 4 }, 0)) })[0]).toEqual(
      bad('trusted keys signed heads over this tree that contradict each other'),
    );
    expect(loose({ signatures: envelopes(by({ ...here, count: n + 1 }, 0)) })[0]).toEqual(
      bad('the size of the tree is not that of the signed head'),
    );
  });

  test(
    'of a consistency proof both trees count: one that is signed twice over, too seldom or ' +
      'with another count is enough to fail it',
    () => {
      const link = proveConsistency(tree, 5, n);
      const judged = (...heads: readonly Envelope[]): readonly object[] =>
        loose({
          proofs: file(formatProof(link), formatProof(begins)),
          signatures: envelopes(...heads, by(here, 1)),
          trusted: trusting(0, 1),
        });
      expect(judged(by(early, 0))[0]).toEqual({
        proof: link,
        verdict: 'held',
        code: null,
        detail: { counts: [5, n], first: 0 },
      });
      expect(judged(by(early, 0), by({ ...early, count: 4 }, 0))[0]).toMatchObject({
        code: 'bad_proof',
        detail: { reason: expect.stringContaining('contradict') },
      });
      expect(judged(by({ ...early, count: 4 }, 0))[0]).toMatchObject({
        code: 'bad_proof',
        detail: { reason: expect.stringContaining('size') },
      });
      const [first] = loose({
        proofs: file(formatProof(link), formatProof(begins)),
        signatures: envelopes(by(early, 0), by(here, 0, 1)),
        trusted: trusting(0, 1),
        threshold: 2,
      });
      expect(first).toMatchObject({ code: 'below_threshold' });
    },
  );

  test('a head of another run over the same tree vouches for nothing', () => {
    expect(
      loose({ signatures: envelopes(by({ ...here, genesis_hash: elsewhere.genesis_hash }, 0)) })[0],
    ).toMatchObject({ code: 'signed_other' });
  });
});

describe('edges', () => {
  const yes: Ed25519 = { ...nobleEd25519, verify: () => true };
  const key = keys[0]?.bytes ?? new Uint8Array(32);
  const order = Uint8Array.from(
    'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'.match(/../g) ?? [],
    (hex) => Number.parseInt(hex, 16),
  );
  const with64 = (s: Uint8Array): Uint8Array => Uint8Array.from([...key, ...s]);

  test(
    'the strict rule is asked before the engine: lengths, a key of small order, and S ' +
      'against L to its last bit',
    () => {
      const message = new Uint8Array(1);
      const small = new Uint8Array(32);
      expect(verifyStrictly(yes, with64(small), message, key)).toBe(true);
      for (const length of [0, 32, 63])
        expect(verifyStrictly(yes, with64(small).subarray(0, length), message, key)).toBe(false);
      expect(verifyStrictly(yes, Uint8Array.from([...with64(small), 0]), message, key)).toBe(false);
      expect(verifyStrictly(yes, with64(small), message, small)).toBe(false);
      expect(verifyStrictly(yes, with64(small), message, key.subarray(0, 31))).toBe(false);
      expect(verifyStrictly(yes, with64(order), message, key)).toBe(false);
      expect(verifyStrictly(yes, with64(order.with(0, (order[0] ?? 0) - 1)), message, key)).toBe(true);
      expect(verifyStrictly(yes, with64(order.with(0, (order[0] ?? 0) + 1)), message, key)).toBe(false);
    },
  );

  test('an engine raises nothing for what is no key or no point, and holds nothing of it', () => {
    const signature = with64(new Uint8Array(32));
    for (const engine of [nobleEd25519, nativeEd25519])
      for (const bytes of [new Uint8Array(32).fill(2, 0, 1), new Uint8Array(5), new Uint8Array(0)])
        expect(engine.verify(signature, new Uint8Array(1), bytes)).toBe(false);
  });

  test('hex is lower case and of the length asked for; a mistake of the caller is raised with its figures', () => {
    expect([
      fromHex('00ff', 2),
      fromHex('00ff', 1),
      fromHex('00ff', 3),
      fromHex('00Ff', 2),
      fromHex('00fg', 2),
    ]).toEqual([Uint8Array.of(0, 255), null, null, null, null]);
    const counted = new MerkleTree(nobleSha256);
    expect(() => counted.root()).toThrow(/^MerkleTree\.root/);
    counted.add(here.tree_root);
    expect(counted.size).toBe(1);
    const hasher = new TreeHasher(nobleSha256);
    expect(() => proveSubtree(storedNodes(tree.read, hasher), hasher, { start: 1, end: 3 }, 8)).toThrow(
      new RangeError('proveSubtree: [1, 3) is no subtree of 8 leaves'),
    );
    expect(() => formatSecretKey(new Uint8Array(31))).toThrow(
      new RangeError('formatSecretKey: expected 32 bytes, got 31'),
    );
  });

  test('the header of a tree: sizes from 1 and both numbers up to 10^12, and nothing behind it', () => {
    const most = 10 ** 12;
    const header = (size: number, first: number): string =>
      `assay-tree:0:${String(size).padStart(13, '0')}:${String(first).padStart(13, '0')}\n`;
    for (const [size, first] of [
      [1, 0],
      [most, most],
    ] as const)
      expect([formatTreeHeader({ size, first }), parseTreeHeader(header(size, first))]).toEqual([
        header(size, first),
        { _tag: 'Right', right: { size, first } },
      ]);
    for (const text of [
      header(0, 0),
      header(most + 1, 0),
      header(1, most + 1),
      `${header(1, 0)}x`,
      ` ${header(1, 0)}`,
      '',
    ])
      expect(parseTreeHeader(text)).toEqual({ _tag: 'Left', left: { code: 'tree_header' } });
    for (const value of [-1, most + 1, 0.5, Number.NaN])
      expect(() => formatTreeHeader({ size: 1, first: value })).toThrow(
        new RangeError(`formatTreeHeader: expected an integer from 0 to ${most}, got ${value}`),
      );
    expect(storedBytes(here.tree_root)).toEqual(Uint8Array.from(Buffer.from(here.tree_root, 'hex')));
  });

  test('no line of a key, of an envelope or of a proof: the code, and nothing raised', () => {
    for (const line of ['', 'assay-public-key:1:', 'x'.repeat(83)])
      expect([parsePublicKey(line), parseSecretKey(line)]).toEqual([
        { _tag: 'Left', left: { code: 'key_line' } },
        { _tag: 'Left', left: { code: 'key_line' } },
      ]);
    for (const line of [
      '',
      '{}',
      'null',
      '7',
      '{"payload":"","payloadType":"x","signatures":[]}',
      '{"payload":"","payloadType":"x","signatures":{}}',
    ]) {
      expect(parseEnvelopeLine(utf8Bytes(line))).toEqual({ _tag: 'Left', left: { code: 'envelope' } });
      expect(readEvidenceLines(utf8Bytes(`${line}\n`))).toEqual({ envelopes: [], proofs: [], unread: 1 });
    }
    const link = formatProof(proveConsistency(tree, 5, n));
    for (const [from, to] of [
      ['assay.consistency.v1', 'assay.consistency.v2'],
      ['"from":{', '"form":{'],
      [/"path":\[[^\]]*\]/, '"path":{}'],
      [/"size":5/, '"size":"5"'],
      [/"size":5/, '"size":0'],
    ] as const)
      expect(readEvidenceLines(utf8Bytes(link.replace(from, to))).unread).toBe(1);
  });
});

test('the id of a key is the SHA-256 of its document, byte for byte', () => {
  const bytes = keys[0]?.bytes ?? new Uint8Array(32);
  const document = `{"public_key":"${Buffer.from(bytes).toString('hex')}","t":"assay.key.v1"}`;
  expect(keyId(bytes)).toBe(createHash('sha256').update(document).digest('hex'));
});
