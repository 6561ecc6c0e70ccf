/**
 * Ed25519 for a page, in place of `@noble/curves`, which would be a tenth of every report: it checks signatures,
 * and signs with the throw-away key of Break it. No secret worth keeping is given to it. Source: RFC 8032, §5.1.
 */
import { sha512 } from '@noble/hashes/sha2.js';
import type { Ed25519 } from '@assay/attest';

/** x, y, z and t of extended coordinates. */
type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];

const BYTES = 32;
const FIELD = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
const D = reduce(-121_665n * power(121_666n, FIELD - 2n));
const ROOT = power(2n, (FIELD - 1n) / 4n);
const ZERO: Point = [0n, 1n, 1n, 0n];
const BASE = decode(Uint8Array.from({ length: BYTES }, (_, at) => (at === 0 ? 0x58 : 0x66))) ?? ZERO;

/** The engine that shells take for the one of `@assay/attest`. */
export const nobleEd25519: Ed25519 = {
  publicKey: (secret) => encode(multiply(BASE, expand(secret).scalar)),
  sign: (message, secret) => {
    const { scalar, prefix } = expand(secret);
    const nonce = hash(prefix, message);
    const r = encode(multiply(BASE, nonce));
    const k = hash(r, encode(multiply(BASE, scalar)), message);
    return joined(r, numberBytes((nonce + k * scalar) % ORDER));
  },
  verify: (signature, message, publicKey) => {
    const [r, s] = [signature.subarray(0, BYTES), readNumber(signature.subarray(BYTES))];
    const key = publicKey.length === BYTES ? decode(publicKey) : null;
    if (key === null || s >= ORDER || r.length !== BYTES) return false;
    const [x, y, z, t] = multiply(key, hash(r, publicKey, message));
    const bytes = encode(add(multiply(BASE, s), [FIELD - x, y, z, FIELD - t]));
    return r.every((byte, at) => byte === bytes[at]);
  },
};

/** True for 32 bytes that name a point of the curve. */
export function isPoint(bytes: Uint8Array): boolean {
  return bytes.length === BYTES && decode(bytes) !== null;
}

function reduce(value: bigint): bigint {
  const rest = value % FIELD;
  return rest < 0n ? rest + FIELD : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % FIELD;
    square = (square * square) % FIELD;
  }
  return result;
}

/** Complete: for any two points, equal ones too. */
function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = reduce((y1 - x1) * (y2 - x2));
  const b = reduce((y1 + x1) * (y2 + x2));
  const c = reduce(2n * t1 * D * t2);
  const d = reduce(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [reduce(e * f), reduce(g * h), reduce(f * g), reduce(e * h)];
}

function multiply(point: Point, scalar: bigint): Point {
  let [result, twice] = [ZERO, point];
  for (let left = scalar; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = add(result, twice);
    twice = add(twice, twice);
  }
  return result;
}

function encode([x, y, z]: Point): Uint8Array {
  const inverse = power(z, FIELD - 2n);
  return numberBytes(reduce(y * inverse) | ((reduce(x * inverse) & 1n) << 255n));
}

/** The point that 32 bytes spell; null where they spell none. */
function decode(bytes: Uint8Array): Point | null {
  const number = readNumber(bytes);
  const [y, isOdd] = [number & (2n ** 255n - 1n), number >> 255n];
  if (y >= FIELD) return null;
  const [u, v] = [reduce(y * y - 1n), reduce(D * y * y + 1n)];
  const cube = (v * v * v) % FIELD;
  const root = reduce(u * cube * power((u * cube * cube * v) % FIELD, (FIELD - 5n) / 8n));
  const square = reduce(v * root * root);
  const found = square === u ? root : square === reduce(-u) ? reduce(root * ROOT) : null;
  if (found === null || (found === 0n && isOdd === 1n)) return null;
  const x = (found & 1n) === isOdd ? found : FIELD - found;
  return [x, y, 1n, reduce(x * y)];
}

function expand(secret: Uint8Array): { readonly scalar: bigint; readonly prefix: Uint8Array } {
  const all = sha512(secret);
  const scalar = (readNumber(all.subarray(0, BYTES)) & (2n ** 254n - 8n)) | (2n ** 254n);
  return { scalar, prefix: all.subarray(BYTES) };
}

function hash(...parts: readonly Uint8Array[]): bigint {
  return readNumber(sha512(joined(...parts))) % ORDER;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Little endian. */
function readNumber(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function numberBytes(value: bigint): Uint8Array {
  return Uint8Array.from({ length: BYTES }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
}
