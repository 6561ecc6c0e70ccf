/**
 * The part of attest that uses Node: the runtime's own Ed25519, key files and stored trees. Digest and
 * durable writing are given to it. The rest is pure: `@assay/attest`.
 *
 * @packageDocumentation
 */
export { nativeEd25519 } from './node/native-ed25519.js';
export {
  makeKeyFiles,
  readSecretKey,
  readTrusted,
  type KeyDraft,
  type NewKey,
  type SecretKeyFault,
} from './node/key-files.js';
export {
  leadsToRoot,
  treeOf,
  type LastRecord,
  type OpenTree,
  type TreeFault,
  type TreeMaking,
  type TreeOrigin,
} from './node/tree-file.js';
