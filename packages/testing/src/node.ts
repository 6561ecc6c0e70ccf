/**
 * The part of the testing library that reads files. The rest is pure: `@assay/testing`.
 *
 * @packageDocumentation
 */
export { expectReplay } from './node/expect-replay.js';
export { expectSameDecisions, type SameDecisions } from './node/expect-same-decisions.js';
