/**
 * Openings and blobs beside a ledger: absent ones fail nothing, wrong ones fail `token` where their token
 * stands.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize, orThrow, utf8Bytes, type Digest, type Json, type JsonObject } from '@assay/kernel';
import { admittedJson } from '@assay/testing';
import { readOpenings, verify, type Outside, type VerifyDocument } from '../src/index.ts';
import { sealValue } from '../src/verify/outside.ts';
import { erase, reforge } from '../../kernel/tools/ledger-builder.js';
import { fileOf, here, machines, sha256, start, tell } from '../tools/runs.js';
import { draws } from '../../kernel/tools/laws.ts';

const SALT = '5'.repeat(64) as Digest;
const RAW = utf8Bytes('the raw bytes of a scan');
const bytesOf = (value: Json): Uint8Array => orThrow(canonicalize(value));
const lines = (...values: readonly Json[]): Uint8Array =>
  utf8Bytes(values.map((value) => `${new TextDecoder().decode(bytesOf(value))}\n`).join(''));
const opening = (
  value: Json,
  salt: Digest = SALT,
): { readonly salt: Digest; readonly seal: Digest; readonly value: Json } => ({
  salt,
  seal: sealValue(salt, value),
  value,
});
const blobs = (...kept: readonly (readonly [Digest, Uint8Array])[]): Outside['blob'] => {
  const table = new Map(kept);
  return (hash) => {
    const raw = table.get(hash);
    return raw === undefined ? null : { bytes: raw.length, sha256: sha256(raw) };
  };
};
const none: Outside = { openings: new Map(), blob: () => null };
const openings = (...files: readonly Uint8Array[]): Outside => ({
  ...none,
  openings: readOpenings(files, sha256).openings,
});
const token = (raw: Uint8Array, more: object = {}): Json => ({
  $blob: { bytes: raw.length, media: 'text/plain', sha256: sha256(raw), ...more },
});
/** A run whose second record is an answer with this provenance. */
const run = (provenance: { readonly [key: string]: Json }): ReturnType<typeof tell> =>
  tell(start(), { ...here, provenance });
const judged = (provenance: { readonly [key: string]: Json }, outside?: Outside): VerifyDocument =>
  verify('f', fileOf(run(provenance).records), {
    machines,
    sha256,
    ...(outside === undefined ? {} : { outside }),
  }).document;
const integrity = (document: VerifyDocument): object => ({
  verdict: document.checks.integrity.verdict,
  code: document.checks.integrity.code,
  record: document.checks.integrity.record,
});
const HELD = { verdict: 'held', code: null, record: null };
const TOKEN = { verdict: 'failed', code: 'token', record: 2 };

describe('a sealed value', () => {
  const { seal } = opening('Ada');
  const sealed = { name: { $sealed: seal } };

  it('holds without its opening, with it, and says how many were at hand', () => {
    expect(judged(sealed).checks.integrity.detail).not.toHaveProperty('outside');
    expect(judged(sealed, none).checks.integrity).toMatchObject({
      verdict: 'held',
      detail: { outside: { opened: 0, sealed: 1, blobs: 0, absent_blobs: 0 } },
    });
    expect(
      judged({ ...sealed, again: [sealed] }, openings(lines(opening('Ada')))).checks.integrity,
    ).toMatchObject({ verdict: 'held', detail: { outside: { opened: 2, sealed: 0 } } });
    expect(judged({}, openings(lines(opening('Ada')))).checks.integrity.detail).not.toHaveProperty('outside');
  });

  it.each<readonly [string, Json]>([
    ['another value', { ...opening('Ada'), value: 'Eve' }],
    ['another salt', { ...opening('Ada'), salt: '6'.repeat(64) }],
    ['a salt that is none', { ...opening('Ada'), salt: 'five' }],
    ['no salt', { seal, value: 'Ada' }],
    ['no value', { salt: SALT, seal }],
    ['a key beside the three', { ...opening('Ada'), note: 1 }],
  ])('fails where its token stands with an opening of %s', (_, wrong) => {
    const document = judged(sealed, openings(lines(wrong)));
    expect(integrity(document)).toEqual(TOKEN);
    expect(document.checks.integrity.detail).toEqual({
      path: '/payload/provenance/name',
      expected: 'an opening that fits the seal',
      got: seal,
    });
    expect(document.checks.rederivation).toMatchObject({ verdict: 'not_checked', code: 'integrity' });
  });

  it('of several openings each must fit, in any order and in any file', () => {
    const wrong = lines({ ...opening('Ada'), value: 'Eve' });
    const right = lines(opening('Ada'));
    for (const files of [
      [wrong, right],
      [right, wrong],
    ])
      expect(integrity(judged(sealed, openings(...files)))).toEqual(TOKEN);
    expect(integrity(judged(sealed, openings(right, right)))).toEqual(HELD);
  });

  it('is not concerned by openings of other seals, nor by lines that are none', () => {
    const other = lines({ ...opening('Bob'), value: 'Eve' });
    const { openings: read, unread } = readOpenings(
      [utf8Bytes('no JSON\n{ "seal": 1 }\n[]\n'), other, utf8Bytes('{"salt":1}')],
      sha256,
    );
    expect(unread).toEqual([0, 1, 2, 4]);
    expect(integrity(judged(sealed, { ...none, openings: read }))).toEqual(HELD);
  });

  it('in an erased payload is not looked for', () => {
    const { records } = run(sealed);
    const bytes = fileOf(erase(records, [2]));
    expect(
      integrity(
        verify('f', bytes, {
          machines,
          sha256,
          outside: openings(lines({ ...opening('Ada'), value: 'Eve' })),
        }).document,
      ),
    ).toMatchObject({ verdict: 'held' });
  });

  it('hash-only reads no payload, and says nothing of openings', () => {
    const { checks } = verify('f', fileOf(run(sealed).records), {
      sha256,
      hashOnly: true,
      outside: openings(lines({ ...opening('Ada'), value: 'Eve' })),
    }).document;
    expect(checks.integrity).toMatchObject({ verdict: 'held' });
    expect(checks.integrity.detail).not.toHaveProperty('outside');
  });

  it('law: any admitted value opens under its own seal and no other value does', () => {
    const salts = fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
      .map((digits) => digits.join('') as Digest);
    fc.assert(
      fc.property(admittedJson(), admittedJson(), salts, (value, other, salt) => {
        const honest = opening(value, salt);
        const read = (line: Json): boolean | undefined =>
          readOpenings([lines(line)], sha256).openings.get(honest.seal);
        const isSame = Buffer.compare(bytesOf(value), bytesOf(other)) === 0;
        return read(honest) === true && read({ ...honest, value: other }) === isSame;
      }),
      { seed: 20261122, numRuns: draws(1_000) },
    );
  });
});

describe('a blob', () => {
  it('holds without its bytes and with them', () => {
    expect(judged({ scan: token(RAW) }, none).checks.integrity).toMatchObject({
      verdict: 'held',
      detail: { outside: { blobs: 0, absent_blobs: 1 } },
    });
    expect(
      judged({ scan: token(RAW) }, { ...none, blob: blobs([sha256(RAW), RAW]) }).checks.integrity,
    ).toMatchObject({ verdict: 'held', detail: { outside: { blobs: 1, absent_blobs: 0 } } });
  });

  it('fails for every single changed byte, a byte more and a byte less', () => {
    const wrong = [...RAW.keys()].map((at) => RAW.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    for (const raw of [...wrong, RAW.subarray(1), Uint8Array.of(...RAW, 0), new Uint8Array()]) {
      expect(integrity(judged({ scan: token(RAW) }, { ...none, blob: blobs([sha256(RAW), raw]) }))).toEqual(
        TOKEN,
      );
    }
  });

  it('fails where the token miscounts it, though its hash fits', () => {
    const { checks } = judged(
      { 'a/b': [token(RAW, { bytes: RAW.length + 1 })] },
      { ...none, blob: blobs([sha256(RAW), RAW]) },
    );
    expect(checks.integrity).toMatchObject({
      code: 'token',
      record: 2,
      detail: {
        path: '/payload/provenance/a~1b/0',
        expected: { bytes: RAW.length + 1 },
        got: { bytes: RAW.length },
      },
    });
  });
});

it('a fault of a token comes after payload_shape and number of its record, and before its hashes', () => {
  const { records } = run({ name: { $sealed: opening('Ada').seal } });
  const wrong = openings(lines({ ...opening('Ada'), value: 'Eve' }));
  const forged = (change: (payload: JsonObject) => Json): object =>
    integrity(
      verify('f', fileOf(reforge(records, (payload, index) => (index === 2 ? change(payload) : undefined))), {
        machines,
        sha256,
        outside: wrong,
      }).document,
    );
  expect(forged((payload) => ({ ...payload, source: 'ghost' }))).toEqual({ ...TOKEN, code: 'payload_shape' });
  expect(
    forged((payload) => ({ ...payload, failure: { code: 'lost', final: true, detail: 0.5 }, value: null })),
  ).toEqual({ ...TOKEN, code: 'number' });
  expect(forged((payload) => ({ ...payload, proposal_hash: SALT }))).toEqual(TOKEN);
  expect(forged((payload) => ({ ...payload, request_id: '9.9' }))).toEqual(TOKEN);
});
