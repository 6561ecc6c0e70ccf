/**
 * The part of the testing library that reads files. The rest is pure: `@assay/testing`.
 *
 * @packageDocumentation
 */
export { type ExpectReplayOptions, type Replayed, expectReplay } from './node/expect-replay.js';
