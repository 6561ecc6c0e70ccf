import {
  admit,
  EDGE_KINDS,
  encodeLine,
  makeRecord,
  nobleSha256,
  orThrow,
  utf8Length,
  FAILURE_CODES,
  isDigest,
  NODE_KINDS,
  RECORD_KINDS,
  SOURCES,
  type Digest,
  type Json,
} from '../../../src/index.js';
import { describe, expect, it } from 'vitest';
import { envelopeBytes, fitsLine, type Place } from '../../../src/ledger/record.js';
import {
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  parseShape,
  table,
  text,
  type Shape,
} from '../../../src/ledger/shape.js';
import { isIntegral, locateTokenFault, tokenFault } from '../../../src/ledger/values.js';
import {
  compareRequestIds,
  isName,
  isProposer,
  isRequestId,
  isRunId,
  isTsBase,
  logicalTime,
  KERNEL_CODES,
} from '../../../src/ledger/names.js';

const HASH = 'ab'.repeat(32) as Digest;
const BLOB = { bytes: 1, media: 'text/plain', sha256: HASH };

describe('closed sets of names', () => {
  it('are those of the format', () => {
    expect(SOURCES).toEqual([
      'live_model',
      'recorded_model',
      'rule',
      'human',
      'tool',
      'retrieval',
      'clock',
      'synthetic',
      'run',
    ]);
    expect(FAILURE_CODES).toEqual([
      'timeout',
      'unavailable',
      'denied',
      'malformed',
      'cancelled',
      'lost',
      'exhausted',
    ]);
    expect(KERNEL_CODES).toEqual([
      'run_closed',
      'inadmissible',
      'proposal_shape',
      'not_open',
      'source_not_accepted',
      'limit_bytes',
    ]);
    expect(RECORD_KINDS).toEqual(['genesis', 'proposal', 'decision', 'rejection', 'artifact', 'close']);
    expect(NODE_KINDS).toEqual(['seed', 'interpretation', 'assumption', 'claim', 'decision', 'artifact']);
    expect(EDGE_KINDS).toEqual(['depends_on', 'refines', 'contradicts']);
  });
});

describe('forms of names', () => {
  it.each<[string, (text: string) => boolean, readonly string[], readonly string[]]>([
    [
      'name',
      isName,
      ['a', 'a0_.-', `a${'b'.repeat(63)}`],
      ['', 'A', '0a', '-a', ' a', 'a ', 'aB', 'é', `a${'b'.repeat(64)}`],
    ],
    [
      'run id',
      isRunId,
      ['a', '0', 'A.b_c~d-e', `a${'b'.repeat(127)}`, 'con1', 'com', 'com10', 'xcon', 'a.con', 'lptx'],
      [
        '',
        '.a',
        '-a',
        '_a',
        'a.',
        'a/b',
        ' a',
        `a${'b'.repeat(128)}`,
        'con',
        'CON',
        'Nul.txt',
        'aux',
        'prn.a.b',
        'com1',
        'LPT9.x',
        'com0',
      ],
    ],
    [
      'proposer',
      isProposer,
      ['a', '0', 'A._~:/@+-9', `a${'b'.repeat(127)}`],
      ['', ':a', '/a', 'a b', ' a', 'é', `a${'b'.repeat(128)}`],
    ],
    [
      'base of time',
      isTsBase,
      ['!', '"', '$', '~', 'x'.repeat(64)],
      ['', ' ', '#', 'a#b', 'a b', '\u007f', 'é', 'x'.repeat(65)],
    ],
    [
      'request id',
      isRequestId,
      ['0.0', '1.0', '999999999999.65535', '10.10'],
      [
        '',
        '0',
        '0.',
        '.0',
        '00.0',
        '0.00',
        '01.1',
        '1.01',
        '1000000000000.0',
        '1.65536',
        '1.100000',
        'a.b',
        '-1.0',
        '1.0.0',
        ' 1.0',
        '1.0 ',
        '1x0',
      ],
    ],
    [
      'digest',
      isDigest,
      [HASH, '0'.repeat(64), 'f'.repeat(64)],
      ['', 'a', HASH.slice(1), `${HASH}a`, HASH.toUpperCase(), 'g'.repeat(64)],
    ],
  ])('%s', (_, isFit, good, bad) => {
    expect(good.filter((text) => !isFit(text))).toEqual([]);
    expect(bad.filter((text) => isFit(text))).toEqual([]);
  });

  it('no digest is anything but text', () =>
    expect([isDigest(null), isDigest(1), isDigest([HASH])]).toEqual([false, false, false]));

  it('request ids are ordered as integers', () => {
    expect(['10.0', '9.1', '9.0', '9.10', '9.2'].sort(compareRequestIds)).toEqual([
      '9.0',
      '9.1',
      '9.2',
      '9.10',
      '10.0',
    ]);
    expect(compareRequestIds('1.1', '1.1')).toBe(0);
  });

  it('logical time has twelve digits', () => {
    expect(logicalTime('t', 7)).toBe('t#000000000007');
    expect(logicalTime('', 123_456_789_012)).toBe('#123456789012');
  });
});

describe('free values', () => {
  it.each<[Json, boolean]>([
    [1, true],
    [0.5, false],
    ['a', true],
    [null, true],
    [true, true],
    [[1, 0.5], false],
    [[1, [2]], true],
    [{ a: { b: 0.5 } }, false],
    [{ a: { b: 1 } }, true],
    [[], true],
    [{}, true],
  ])('%j has integers alone: %s', (value, expected) => expect(isIntegral(value)).toBe(expected));

  it.each<[Json, string | null, string]>([
    [1, null, ''],
    [null, null, ''],
    [[], null, ''],
    [{ $other: 1 }, null, ''],
    [{ $sealed: HASH }, null, ''],
    [{ $blob: BLOB }, null, ''],
    [{ $blob: { ...BLOB, bytes: 0, media: '' } }, null, ''],
    [{ $blob: { ...BLOB, media: ` ~${'x'.repeat(126)}` } }, null, ''],
    [{ $sealed: 1 }, 'token', ''],
    [{ $sealed: null }, 'token', ''],
    [{ $blob: null }, 'token', ''],
    [{ $blob: [] }, 'token', ''],
    [{ $blob: { ...BLOB, more: 1 } }, 'token', ''],
    [{ $blob: { ...BLOB, bytes: -1 } }, 'token', ''],
    [{ $blob: { ...BLOB, bytes: 0.5 } }, 'token', ''],
    [{ $blob: { ...BLOB, bytes: '1' } }, 'token', ''],
    [{ $blob: { ...BLOB, media: 1 } }, 'token', ''],
    [{ $blob: { ...BLOB, media: 'é' } }, 'token', ''],
    [{ $blob: { ...BLOB, media: '\u001f' } }, 'token', ''],
    [{ $blob: { ...BLOB, media: 'x'.repeat(129) } }, 'token', ''],
    [{ $blob: { ...BLOB, sha256: 'x' } }, 'token', ''],
    [{ $sealed: HASH, a: 1 }, 'reserved_key', ''],
    [{ $blob: BLOB, $sealed: HASH }, 'reserved_key', ''],
    [[1, { $sealed: 1 }], 'token', '/1'],
    [{ a: [{ $blob: 1 }] }, 'token', '/a/0'],
    [{ 'a/b~c': { $sealed: HASH, x: 1 } }, 'reserved_key', '/a~1b~0c'],
    [{ a: { $sealed: HASH }, b: { $sealed: 1 } }, 'token', '/b'],
    [[{ $sealed: HASH }, { $blob: BLOB }], null, ''],
  ])('%j has the token fault %s at "%s"', (value, code, path) => {
    expect(tokenFault(value)).toBe(code);
    expect(locateTokenFault(value)).toEqual(code === null ? null : { code, path });
  });
});

describe('shapes say where a value departs', () => {
  const one = closed({ a: flag, b: list(integer(1, 3), (items) => items.length < 3) });
  it.each<[string, Shape, Json, string | null]>([
    ['free', free, { a: 1 }, null],
    ['object', freeObject, {}, null],
    ['object', freeObject, [], ''],
    ['object', freeObject, null, ''],
    ['digest', digest, HASH, null],
    ['digest', digest, 'x', ''],
    ['flag', flag, false, null],
    ['flag', flag, 0, ''],
    ['integer', integer(1, 3), 1, null],
    ['integer', integer(1, 3), 3, null],
    ['integer', integer(1, 3), 0, ''],
    ['integer', integer(1, 3), 4, ''],
    ['integer', integer(1, 3), 1.5, ''],
    ['integer', integer(1, 3), '1', ''],
    ['integer', integer(1), 2 ** 53 - 1, null],
    ['text', text((value) => value === 'a'), 'a', null],
    ['text', text((value) => value === 'a'), 'b', ''],
    ['text', text(() => true), 1, ''],
    ['one of', oneOf(['a', 'b']), 'b', null],
    ['one of', oneOf(['a', 'b']), 'c', ''],
    ['nullable', nullable(flag), null, null],
    ['nullable', nullable(flag), true, null],
    ['nullable', nullable(flag), 1, ''],
    ['list', list(flag), [true, false], null],
    ['list', list(flag), [true, 1], '/1'],
    ['list', list(flag), {}, ''],
    ['list', list(nullable(flag)), [null], null],
    ['table', table((key) => key !== 'no', flag), { a: true, b: false }, null],
    ['table', table((key) => key !== 'no', flag), { a: true, no: true }, ''],
    ['table', table((key) => key !== 'no', flag), { a: 1 }, '/a'],
    ['table', table(() => true, flag), [], ''],
    ['closed', one, { a: true, b: [1] }, null],
    ['closed', one, { a: true, b: [1, 2, 3] }, '/b'],
    ['closed', one, { a: true, b: [4] }, '/b/0'],
    ['closed', one, { a: 1, b: [] }, '/a'],
    ['closed', one, { a: true }, ''],
    ['closed', one, { a: true, b: [], c: 1 }, ''],
    ['closed', one, { a: true, c: 1 }, ''],
    ['closed', one, [], ''],
    ['closed', one, null, ''],
  ])('%s', (_, shape, value, path) => expect(shape(value)).toBe(path));

  it('and give the value itself where it fits', () => {
    const value = { a: true, b: [1] };
    expect(parseShape(one, value)).toEqual({ _tag: 'Right', right: value });
    expect(parseShape(one, { ...value, a: 1 })).toEqual({ _tag: 'Left', left: { path: '/a' } });
  });
});

describe('what a line weighs without its payload', () => {
  const places: readonly Place[] = [
    { ts: 't#000000000000', kind: 'note', parent: null },
    { ts: '', kind: 'é"', parent: HASH },
  ];
  it.each(places)('$kind', (place) => {
    const payload = orThrow(admit({ a: 1 }));
    const envelope = envelopeBytes(place);
    expect(envelope).toBe(utf8Length(encodeLine(makeRecord(place, payload, nobleSha256))) - payload.bytes);
    const fits = [0, 1].map((more) => fitsLine(place, { ...payload, bytes: 16_777_216 - envelope + more }));
    expect(fits).toEqual([true, false]);
  });
});
