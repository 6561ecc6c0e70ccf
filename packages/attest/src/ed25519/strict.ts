/**
 * One verification rule for every engine. Libraries differ in what they let through: keys and points spelled
 * in a second way, S above the order, points of small order, the equation with or without the cofactor. A
 * signature that one accepts and another refuses is a way to show two people two things, so the strictest
 * reading is ours:
 *
 * - S < L; the y of A and of R below p: each value has one spelling (RFC 8032 §5.1.7, §5.1.3);
 * - neither A nor R of small order: for such a key one signature fits nearly every message;
 * - the equation without the cofactor, R compared as bytes.
 */
import { fromHex, toHex } from '../bytes/read.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** 2^255 − 19, little endian. */
const FIELD = parseHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');
/** The order of the base point, little endian. */
const ORDER = parseHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/**
 * y of the eight points of small order, sign bit off: orders 4, 1, 2, and 8 twice. With either sign, each
 * names such a point or none.
 */
const SMALL_ORDER_Y: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

/**
 * True for 32 bytes that can be the public key of someone who signs: spelled canonically, not of small order.
 * Whether they are a point, the engine finds.
 */
export function isSoundKey(publicKey: Uint8Array): boolean {
  return publicKey.length === KEY_BYTES && isSoundPoint(publicKey);
}

/** Verifies by the rule above, whatever the engine. False for anything malformed; never raises. */
export function verifyStrictly(
  engine: Ed25519,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES || !isSoundKey(publicKey)) return false;
  if (!isSoundPoint(signature.subarray(0, KEY_BYTES)) || !isBelow(signature.subarray(KEY_BYTES), ORDER))
    return false;
  return engine.verify(signature, message, publicKey);
}

function isSoundPoint(point: Uint8Array): boolean {
  const y = Uint8Array.from(point);
  y[KEY_BYTES - 1] = (y[KEY_BYTES - 1] ?? 0) & 0x7f;
  return isBelow(y, FIELD) && !SMALL_ORDER_Y.includes(toHex(y));
}

/** Numbers of 32 bytes, little endian. Nothing here is secret, so the time may show where they differ. */
function isBelow(value: Uint8Array, bound: Uint8Array): boolean {
  for (let at = KEY_BYTES - 1; at >= 0; at -= 1) {
    const [one, other] = [value[at] ?? 0, bound[at] ?? 0];
    if (one !== other) return one < other;
  }
  return false;
}

function parseHex(hex: string): Uint8Array {
  return fromHex(hex, KEY_BYTES) ?? new Uint8Array(KEY_BYTES);
}

/**
 * An Ed25519 implementation. Secret keys are seeds of 32 bytes, public keys 32, signatures 64. It keeps none
 * of them.
 */
export type Ed25519 = {
  /** The public key of a seed. */
  readonly publicKey: (secret: Uint8Array) => Uint8Array;
  /** The signature of a message: the same bytes for the same message and seed. */
  readonly sign: (message: Uint8Array, secret: Uint8Array) => Uint8Array;
  /**
   * Whether [S]B − [k]A is, byte for byte, the R of the signature; never raises. Callers use
   * `verifyStrictly`.
   */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
};
