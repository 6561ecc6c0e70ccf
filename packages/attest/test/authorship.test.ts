/**
 * The authorship verdict: its codes on a short run, and laws over who signed what.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { admit, makeRecord, nobleSha256, orThrow, utf8Bytes } from '@assay/kernel';
import {
  formatEnvelope,
  formatProof,
  formatPublicKey,
  judgeLoose,
  nobleEd25519,
  parsePublicKey,
  proveInclusion,
  readEvidenceLines,
  weigh,
  type SignedHead,
} from '../src/index.ts';
import type { Brought } from '../src/authorship/evidence.ts';
import { preAuthEncoding } from '../src/dsse/envelope.ts';
import { recomputes } from '../src/proofs/proof.ts';
import { nativeEd25519 } from '../src/node.ts';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { continued, stored } from './runs.ts';
import { by, code, envelopes, erased, file, headOf, judge, keys, other, run, trusting } from './signers.ts';

const runs = lawRuns('packages/attest/test/authorship.test.ts');
describe('codes', () => {
  const signed = envelopes(by(headOf(run), 0));

  test('a line that is no envelope is a bad signature, whoever is trusted', () => {
    for (const line of ['', '{}', '[1]', 'signed', formatEnvelope(by(headOf(run), 0)).replace(',', ', ')])
      expect(
        judge(run, { signatures: file(formatEnvelope(by(headOf(run), 0)), line), trusted: trusting(0) }),
      ).toMatchObject({ code: 'bad_signature', count: 1 });
  });

  test('a proof among the signatures is no signature, and the other way round', () => {
    const proof = formatProof(
      proveInclusion({ read: stored(run.map(({ record_hash }) => record_hash)) }, 2, run.length),
    );
    const mixed = file(formatEnvelope(by(headOf(run), 0)), proof);
    expect(code(judge(run, { signatures: mixed, proofs: mixed, trusted: trusting(0) }))).toBe('held');
  });

  test('a head of later records is remarked on where this very head is signed, and fails where it is not', () => {
    const early = run.slice(0, 5);
    const both = judge(early, {
      signatures: envelopes(by(headOf(early), 0), by(headOf(run), 0)),
      trusted: trusting(0),
    });
    expect(both).toMatchObject({ verdict: 'held', detail: { remarks: ['later_head_signed'] } });
    expect(judge(early, { signatures: signed, trusted: trusting(0) })).toMatchObject({
      code: 'signed_other',
      record: null,
      count: run.length - 5,
    });
  });

  test('a trusted signature over another history fails, also beside one that fits', () => {
    const forged = {
      ...headOf(run),
      count: 4,
      last_hash: headOf(other).last_hash,
      closed: false,
      summary_hash: null,
    };
    expect(
      judge(run, { signatures: envelopes(by(headOf(run), 0), by(forged, 1)), trusted: trusting(0, 1) }),
    ).toMatchObject({ code: 'signed_other', record: 3 });
  });

  test('the threshold counts keys that signed one head, not those that signed others', () => {
    const list = envelopes(by(headOf(run), 0), by(headOf(run, 5), 1));
    expect(code(judge(run, { signatures: list, trusted: trusting(0, 1), threshold: 2 }))).toBe(
      'below_threshold',
    );
    expect(code(judge(run, { signatures: list, trusted: trusting(0, 1), threshold: 1 }))).toBe('held');
    const earlier = envelopes(by(headOf(run, 5), 0, 1), by(headOf(run, 7), 0));
    expect(judge(run, { signatures: earlier, trusted: trusting(0, 1), threshold: 2 })).toMatchObject({
      code: 'beyond_head',
      record: 5,
      count: run.length - 5,
    });
  });

  test('of several heads before the end, the longest that enough keys signed', () => {
    expect(
      judge(run, {
        signatures: envelopes(by(headOf(run, 5), 0), by(headOf(run, 7), 0)),
        trusted: trusting(0),
      }),
    ).toMatchObject({ code: 'beyond_head', record: 7 });
    expect(
      code(
        judge(run, { signatures: envelopes(by(headOf(run, 5), 0)), trusted: trusting(0, 1), threshold: 2 }),
      ),
    ).toBe('below_threshold');
  });

  test('a foreign chain can be signed: it is never closed', () => {
    const foreign = [
      makeRecord({ ts: 'monday', kind: 'note', parent: null }, orThrow(admit('hello')), nobleSha256),
    ];
    expect(headOf(foreign)).toMatchObject({ count: 1, closed: false, summary_hash: null });
    expect(
      code(judge(foreign, { signatures: envelopes(by(headOf(foreign), 0)), trusted: trusting(0) })),
    ).toBe('held');
  });
});

describe('a continuation', () => {
  const { first, records } = continued();

  test('its head counts the base, its tree does not', () => {
    const head = headOf(records);
    expect(head.count).toBe(first + records.length);
    expect(code(judge(records, { signatures: envelopes(by(head, 0)), trusted: trusting(0) }))).toBe('held');
    expect(
      code(
        judge(records, {
          signatures: envelopes(by({ ...head, count: records.length }, 0)),
          trusted: trusting(0),
        }),
      ),
    ).toBe('signed_other');
  });

  test('without the ledger a proof has its place only where the first record is shown', () => {
    const tree = { read: stored(records.map(({ record_hash }) => record_hash)) };
    const loose = (...proofs: readonly string[]): readonly string[] =>
      judgeLoose(
        weigh({
          signatures: envelopes(by(headOf(records), 0)),
          proofs: file(...proofs),
          trusted: trusting(0),
          engine: nativeEd25519,
        }),
      ).map((result) => result.code ?? result.verdict);
    const begins = formatProof(proveInclusion(tree, 0, records.length, erased(records[0])));
    expect(loose(formatProof(proveInclusion(tree, 1, records.length, records[1])))).toEqual(['no_genesis']);
    expect(loose(formatProof(proveInclusion(tree, 1, records.length)), begins)).toEqual(['held', 'held']);
  });
});

describe('without the ledger', () => {
  const tree = { read: stored(run.map(({ record_hash }) => record_hash)) };
  const proof = formatProof(proveInclusion(tree, 3, run.length));
  const begins = formatProof(proveInclusion(tree, 0, run.length, erased(run[0])));
  const loose = (brought: Partial<Brought>): readonly string[] =>
    judgeLoose(
      weigh({
        signatures: null,
        proofs: file(proof, begins),
        trusted: [],
        engine: nativeEd25519,
        ...brought,
      }),
    ).map((result) => result.code ?? result.verdict);

  test('a size that gives the same path and another place is bad_proof: the signed count says so', () => {
    // Of three leaves the last has the path [root of the first two], as the second of two would.
    const three = run.slice(0, 3);
    const read = stored(three.map(({ record_hash }) => record_hash));
    const moved = formatProof({ ...proveInclusion({ read }, 2, 3), index: 1, size: 2 });
    expect(
      loose({ signatures: envelopes(by(headOf(three), 0)), trusted: trusting(0), proofs: file(moved) }),
    ).toEqual(['no_genesis']);
    expect(
      loose({
        signatures: envelopes(by(headOf(three), 0)),
        trusted: trusting(0),
        proofs: file(moved, formatProof(proveInclusion({ read }, 0, 3, erased(three[0])))),
      }),
    ).toEqual(['bad_proof', 'held']);
  });
});

describe('without the ledger, signers who do not agree', () => {
  // Of seven leaves the last has the path that the last of six would have, and the first one path in both.
  const seven = run.slice(0, 7);
  const tree = { read: stored(seven.map(({ record_hash }) => record_hash)) };
  const own = [proveInclusion(tree, 6, 7), proveInclusion(tree, 0, 7, erased(seven[0]))];
  const moved = [
    { ...proveInclusion(tree, 6, 7), index: 5, size: 6 },
    { ...proveInclusion(tree, 0, 7, erased(seven[0])), size: 6 },
  ];
  const true7 = headOf(run, 7);
  const lie = { ...true7, count: 6 };
  const judged = (
    signatures: Brought['signatures'],
    proofs: typeof own,
    threshold: number,
  ): readonly string[] =>
    judgeLoose(
      weigh({
        signatures,
        proofs: file(...proofs.map(formatProof)),
        trusted: trusting(0, 1, 2),
        threshold,
        engine: nativeEd25519,
      }),
    ).map((result) => result.code ?? result.verdict);

  test('the moved proofs recompute: only what was signed settles the place', () => {
    for (const proof of [...own, ...moved]) expect(recomputes(proof, nobleSha256)).toBe(true);
  });

  test.each([1, 2, 3])(
    'a key that signed the same root with another count helps no proof to its place, in whatever order (threshold %d)',
    (threshold) => {
      for (const list of [
        envelopes(by(true7, 0), by(lie, 1)),
        envelopes(by(lie, 1), by(true7, 0)),
        envelopes(by(true7, 0, 2), by(lie, 1)),
        envelopes(by(lie, 1), by(true7, 0, 2)),
      ]) {
        expect(judged(list, moved, threshold)).toEqual(['bad_proof', 'bad_proof']);
        expect(judged(list, own, threshold)).toEqual(['bad_proof', 'bad_proof']);
      }
    },
  );

  test('the threshold counts keys that signed one head: a lie by a key that nobody trusts changes nothing', () => {
    expect(judged(envelopes(by(lie, 3), by(true7, 0, 1)), own, 2)).toEqual(['held', 'held']);
    expect(judged(envelopes(by(lie, 3), by(true7, 0, 1)), moved, 2)).toEqual(['bad_proof', 'bad_proof']);
    expect(judged(envelopes(by(lie, 3), by(true7, 0)), own, 2)).toEqual([
      'below_threshold',
      'below_threshold',
    ]);
  });
});

describe('laws', () => {
  const signers = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 5 });
  const size = fc.integer({ min: 1, max: run.length });

  it('authorship/held-iff-enough-trusted: held exactly where so many trusted keys signed this very head', () => {
    const counts = { held: 0, open: 0 };
    fc.assert(
      fc.property(
        signers,
        signers,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
        (signed, trusted, threshold, again) => {
          const list =
            signed.length === 0
              ? file()
              : envelopes(
                  by(headOf(run), ...signed),
                  ...again
                    .filter((signer) => signed.includes(signer))
                    .map((signer) => by(headOf(run), signer, signer)),
                );
          const expected = signed.filter((signer) => trusted.includes(signer)).length;
          const { verdict } = judge(run, { signatures: list, trusted: trusting(...trusted), threshold });
          expect(verdict).toBe(expected >= threshold ? 'held' : 'not_checked');
          counts[expected >= threshold ? 'held' : 'open'] += 1;
        },
      ),
      runs,
    );
    expect(Math.min(counts.held, counts.open)).toBeGreaterThan(0);
  });

  it(
    'authorship/prefix: a signed head holds for its own records, is beyond_head for more and ' +
      'signed_other for fewer',
    () => {
      fc.assert(
        fc.property(size, size, (signedSize, fileSize) => {
          const verdict = code(
            judge(run.slice(0, fileSize), {
              signatures: envelopes(by(headOf(run, signedSize), 0)),
              trusted: trusting(0),
            }),
          );
          expect(verdict).toBe(
            signedSize === fileSize ? 'held' : signedSize < fileSize ? 'beyond_head' : 'signed_other',
          );
        }),
        runs,
      );
    },
  );

  it(
    'authorship/one-place: without the ledger no size or index but the own is ever held, of ' +
      'a run or of a continuation, whether the record is shown or not',
    () => {
      const continuation = continued();
      let moved = 0;
      fc.assert(
        fc.property(
          fc.boolean(),
          fc.integer({ min: 1, max: run.length }),
          fc.nat(),
          fc.constantFrom('shown', 'erased', 'hidden'),
          fc.boolean(),
          (isContinued, cut, at, shown, isBegun) => {
            const { first, records } = isContinued
              ? {
                  first: continuation.first,
                  records: continuation.records.slice(
                    0,
                    Math.max(1, cut % (continuation.records.length + 1)),
                  ),
                }
              : { first: 0, records: run.slice(0, cut) };
            const index = at % records.length;
            const record = records[index] ?? expect.fail('no record');
            const tree = { read: stored(records.map(({ record_hash }) => record_hash)) };
            const real = proveInclusion(
              tree,
              index,
              records.length,
              shown === 'hidden' ? null : shown === 'shown' ? record : erased(record),
            );
            const begins = isBegun
              ? [formatProof(proveInclusion(tree, 0, records.length, erased(records[0])))]
              : [];
            const signatures = envelopes(by(headOf(records), 0));
            const isSettled = isBegun || (index === 0 && shown !== 'hidden');
            for (let size = 1; size <= first + records.length + 2; size += 1) {
              for (let place = 0; place < size; place += 1) {
                const claim = { ...real, size, index: place };
                if (!recomputes(claim, nobleSha256)) continue;
                const isOwn = size === records.length && place === index;
                moved += isOwn ? 0 : 1;
                const [result] = judgeLoose(
                  weigh({
                    signatures,
                    proofs: file(formatProof(claim), ...begins),
                    trusted: trusting(0),
                    engine: nativeEd25519,
                  }),
                );
                expect([size, place, result?.code ?? result?.verdict]).toEqual([
                  size,
                  place,
                  !isSettled ? 'no_genesis' : isOwn ? 'held' : 'bad_proof',
                ]);
              }
            }
          },
        ),
        runs,
      );
      expect(moved).toBeGreaterThan(0);
    },
  );

  it(
    'authorship/any-field-of-the-head: a head with any one field changed, signed by a ' +
      'trusted key, is never held',
    () => {
      const head = headOf(run);
      const changed = fc.constantFrom<Partial<SignedHead>>(
        { genesis_hash: headOf(other).genesis_hash },
        { last_hash: headOf(other).last_hash },
        { tree_root: headOf(other).tree_root },
        { closed: false },
        { summary_hash: null },
        { summary_hash: headOf(other).summary_hash },
      );
      fc.assert(
        fc.property(
          fc.oneof(
            changed,
            fc
              .integer({ min: 1, max: 1_000 })
              .filter((count) => count !== head.count)
              .map((count) => ({ count })),
          ),
          (change) => {
            expect(
              judge(run, { signatures: envelopes(by({ ...head, ...change }, 0)), trusted: trusting(0) })
                .verdict,
            ).toBe('failed');
          },
        ),
        runs,
      );
    },
  );

  it(
    'authorship/any-byte-of-the-line: a signed line with any one byte changed is never held ' +
      'and raises nothing',
    () => {
      const line = utf8Bytes(`${formatEnvelope(by(headOf(run), 0))}\n`);
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: line.length - 1 }),
          fc.integer({ min: 1, max: 255 }),
          (at, mask) => {
            const damaged = line.map((byte, index) => (index === at ? byte ^ mask : byte));
            // What stands behind the last byte of the envelope is no part of it.
            if (at === line.length - 1) return;
            expect(
              judge(run, { signatures: [readEvidenceLines(damaged)], trusted: trusting(0) }).verdict,
            ).not.toBe('held');
          },
        ),
        runs,
      );
    },
  );

  it('authorship/engines-agree: the verdict is the same by noble and by the runtime, bytes and all', () => {
    fc.assert(
      fc.property(signers, size, fc.boolean(), (signed, at, isForged) => {
        const head = headOf(run, at);
        const envelope = by(head, ...(signed.length === 0 ? [0] : signed));
        const list = envelopes(
          isForged
            ? {
                ...envelope,
                signatures: envelope.signatures.map(({ keyid, sig }) => ({
                  keyid,
                  sig: sig.with(1, (sig[1] ?? 0) ^ 1),
                })),
              }
            : envelope,
        );
        expect(judge(run, { signatures: list, trusted: keys })).toEqual(
          judge(run, { signatures: list, trusted: keys, engine: nobleEd25519 }),
        );
      }),
      runs,
    );
  });
});

test('what is signed is the encoding, in bytes', () => {
  expect(new TextDecoder().decode(preAuthEncoding('a/\u00fc', utf8Bytes('b c')))).toBe(
    'DSSEv1 4 a/\u00fc 3 b c',
  );
  const [key] = keys;
  expect(orThrow(parsePublicKey(formatPublicKey(key?.bytes ?? new Uint8Array(32)))).id).toBe(key?.id);
});
