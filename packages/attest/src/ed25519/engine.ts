/**
 * What signs and verifies, injected like the digest. Source: RFC 8032 §5.1; issue 5, "Signed heads".
 *
 * @module
 */

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
