/**
 * The part of attest that uses Node: the runtime's own Ed25519. The rest is pure: `@assay/attest`.
 *
 * @packageDocumentation
 */
export * from './node/native-ed25519.js';
