/**
 * SHA-256 for a page. The runtime's own answers only later and is slow on the short texts that a ledger is made
 * of; the pure one of the kernel takes three times as long in Chromium. Source: FIPS 180-4, §6.2.
 */
import type { Digest } from '@assay/kernel';

/** Cube roots of the first 64 primes: the first 32 bits behind the point. */
const ROUNDS = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
/** Square roots of the first 8 primes. */
const START = Int32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const BLOCK = 64;
/** Bytes for the length, at the end of the last block. */
const LENGTH = 8;
const TWO_32 = 4_294_967_296;

// Used again by each call, which leaves nothing behind that another one reads. Signed, since the compiler
// computes with signed words.
const words = new Int32Array(64);
const state = new Int32Array(8);
const last = new Uint8Array(2 * BLOCK);
const lastView = new DataView(last.buffer);

/** SHA-256 of bytes, as the kernel takes it. */
export function pageSha256(bytes: Uint8Array): Digest {
  const { length } = bytes;
  state.set(START);
  let at = 0;
  for (; at + BLOCK <= length; at += BLOCK) compress(bytes, at);
  last.fill(0);
  for (let index = at; index < length; index += 1) last[index - at] = bytes[index] ?? 0;
  last[length - at] = 0x80;
  const end = length - at + 1 + LENGTH <= BLOCK ? BLOCK : 2 * BLOCK;
  lastView.setUint32(end - 8, Math.floor((length * 8) / TWO_32));
  lastView.setUint32(end - 4, length * 8);
  for (let block = 0; block < end; block += BLOCK) compress(last, block);
  let text = '';
  for (let index = 0; index < 8; index += 1) {
    const part = word(index);
    text += renderHex(part >>> 24) + renderHex(part >>> 16) + renderHex(part >>> 8) + renderHex(part);
  }
  return text as Digest;
}

function renderHex(part: number): string {
  return HEX[part & 255] ?? '';
}

function compress(bytes: Uint8Array, from: number): void {
  for (let index = 0, at = from; index < 16; index += 1, at += 4)
    words[index] =
      ((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0);
  for (let index = 16; index < 64; index += 1) {
    const x = words[index - 15] ?? 0;
    const y = words[index - 2] ?? 0;
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[index] = ((words[index - 16] ?? 0) + low + (words[index - 7] ?? 0) + high) | 0;
  }
  let a = word(0);
  let b = word(1);
  let c = word(2);
  let d = word(3);
  let e = word(4);
  let f = word(5);
  let g = word(6);
  let h = word(7);
  for (let index = 0; index < 64; index += 1) {
    const sigma = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + sigma + (g ^ (e & (f ^ g))) + (ROUNDS[index] ?? 0) + (words[index] ?? 0)) | 0;
    const other = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (other + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  add(0, a);
  add(1, b);
  add(2, c);
  add(3, d);
  add(4, e);
  add(5, f);
  add(6, g);
  add(7, h);
}

function word(at: number): number {
  return state[at] ?? 0;
}

function add(at: number, more: number): void {
  state[at] = word(at) + more;
}
