/**
 * The part of the testing library that reads files. The rest is pure: `@assay/testing`.
 *
 * @packageDocumentation
 */
export { expectReplay, expectSameDecisions, type SameDecisions } from './node/expect-replay.js';
