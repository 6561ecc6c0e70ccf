import { describe, expect, it } from 'vitest';
import { ANSWER_MAX, Framing, LOGIN_MAX, type Fault } from '../src/framing.js';
import { message, READY } from './tools/scripted.js';

const column = Buffer.concat([Buffer.from('run\0'), Buffer.alloc(18)]);
const heading = message('T', Buffer.concat([Buffer.from([0, 1]), column]));
const row = message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 2]), Buffer.from('ab')]));
const none = message('D', Buffer.from([0, 1, 255, 255, 255, 255]));
const done = message('C', Buffer.from('SELECT 2\0'));
const ready = message('Z', Buffer.from('I'));

/** A login and what statements are answered with: every message that is taken. */
const SESSION: readonly Buffer[] = [
  message('R', Buffer.from([0, 0, 0, 10, ...Buffer.from('SCRAM-SHA-256\0\0')])),
  message('R', Buffer.from([0, 0, 0, 11, ...Buffer.from('r=x,s=y,i=1')])),
  message('R', Buffer.from([0, 0, 0, 12, ...Buffer.from('v=z')])),
  message('R', Buffer.alloc(4)),
  message('S', Buffer.from('TimeZone\0UTC\0')),
  message('K', Buffer.alloc(8)),
  message('N', Buffer.from('SNOTICE\0\0')),
  ready,
  ...['1', '2'].map((letter) => message(letter, Buffer.alloc(0))),
  heading,
  row,
  none,
  done,
  ready,
  message('2', Buffer.alloc(0)),
  message('n', Buffer.alloc(0)),
  message('C', Buffer.from('INSERT 0 1\0')),
  ready,
  message('E', Buffer.from('SERROR\0C23505\0Mtaken\0\0')),
  message('Z', Buffer.from('E')),
  message('I', Buffer.alloc(0)),
  message('3', Buffer.alloc(0)),
  message('A', Buffer.from('\0\0\0\x01assay\0run\0')),
  ready,
];

/** All that is handed on, and what ends it. */
function fed(chunks: Iterable<Buffer>): { readonly whole: Buffer; readonly fault: Fault | null } {
  const framing = new Framing();
  const wholes: Buffer[] = [];
  for (const chunk of chunks) {
    const { whole, fault } = framing.push(chunk);
    wholes.push(whole);
    if (fault !== null) return { whole: Buffer.concat(wholes), fault };
  }
  return { whole: Buffer.concat(wholes), fault: null };
}

function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('the messages of a server', () => {
  it('are handed on whole, however they arrive: byte by byte, in pieces, at once', () => {
    const bytes = Buffer.concat(SESSION);
    const ends = SESSION.reduce<number[]>((all, part) => [...all, (all.at(-1) ?? 0) + part.length], []);
    const framing = new Framing();
    let handed = 0;
    for (const byte of inPieces(bytes, 1)) {
      handed += framing.push(byte).whole.length;
      expect(handed === 0 || ends.includes(handed)).toBe(true);
    }
    for (const size of [1, 2, 3, 7, 64, bytes.length])
      expect(fed(inPieces(bytes, size))).toEqual({ whole: bytes, fault: null });
  });

  it('are handed on up to the first that is malformed, however they arrive', () => {
    const bytes = Buffer.concat([
      READY,
      heading,
      row,
      message('D', Buffer.from([0, 1, 0, 0, 0, 9, 1])),
      done,
      ready,
    ]);
    for (const size of [1, 5, bytes.length])
      expect(fed(inPieces(bytes, size))).toEqual({
        whole: Buffer.concat([READY, heading, row]),
        fault: 'EPROTO',
      });
  });

  it('are malformed where one body is a byte shorter or longer than it should be', () => {
    const judged = SESSION.slice(0, 8).filter((part) => !'RK'.includes(part.toString('latin1', 0, 1)));
    for (const part of [
      ...judged,
      heading,
      row,
      none,
      done,
      message('E', Buffer.from('SERROR\0C23505\0\0')),
      message('A', Buffer.from('\0\0\0\x01a\0b\0')),
      message('n', Buffer.alloc(0)),
    ]) {
      const letter = part.toString('latin1', 0, 1);
      const before = 'SN'.includes(letter)
        ? []
        : letter === 'Z'
          ? [message('R', Buffer.alloc(4))]
          : [READY, heading];
      const body = part.subarray(5);
      expect(fed([...before, part]).fault).toBeNull();
      expect([
        letter,
        fed([...before, message(letter, Buffer.concat([body, Buffer.from('x')]))]).fault,
      ]).toEqual([letter, 'EPROTO']);
      if (body.length > 0)
        expect([letter, fed([...before, message(letter, body.subarray(0, -1))]).fault]).toEqual([
          letter,
          'EPROTO',
        ]);
    }
  });

  it('are refused by their head alone where they are too long', () => {
    const head = (letter: string, size: number): Buffer => {
      const bytes = message(letter, Buffer.alloc(0));
      bytes.writeUInt32BE(size + 4, 1);
      return bytes;
    };
    expect(fed([head('N', LOGIN_MAX)]).fault).toBeNull();
    expect(fed([head('N', LOGIN_MAX + 1)]).fault).toBe('EPROTO');
    expect(fed([READY, heading, head('D', ANSWER_MAX)]).fault).toBeNull();
    expect(fed([READY, heading, head('D', ANSWER_MAX + 1)]).fault).toBe('EMSGSIZE');
    expect(fed([READY, heading, row, head('D', ANSWER_MAX)]).fault).toBe('EMSGSIZE');
    // The next answer begins anew.
    expect(fed([READY, heading, row, done, ready, heading, head('D', ANSWER_MAX)]).fault).toBeNull();
  });

  it('that are any bytes at all end in a fault or wait for more, and nothing is thrown (seed 20261122)', () => {
    let state = 20_261_122;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let faults = 0;
    for (let round = 0; round < 5_000; round += 1) {
      // A session with some bytes changed, from a random place on, in random pieces.
      const bytes = Buffer.from(Buffer.concat(SESSION));
      for (let changes = random(6); changes >= 0; changes -= 1) bytes[random(bytes.length)] = random(256);
      const { whole, fault } = fed(inPieces(bytes, 1 + random(40)));
      expect(bytes.subarray(0, whole.length).equals(whole)).toBe(true);
      if (fault !== null) faults += 1;
    }
    expect(faults).toBeGreaterThan(1_000);
    expect(faults).toBeLessThan(5_000);
  });
});
