/**
 * Forging: what an attacker can do to a copy of a ledger, and which check shows it. For `assay tamper`, for
 * tests and for pages; the digest and the machines are given, and no file is touched.
 *
 * @packageDocumentation
 */
export { chained, fileOf, hashOf, type Draft } from './chain.js';
export { withChanges } from './changes.js';
export { type Edit } from './edit.js';
export { forge, type Attack } from './forge.js';
export { type Forged } from './forged.js';
export { CAUGHT_BY, isAsAnnounced, judgeForged, type Judged } from './judged.js';
export { rerun } from './rederive.js';
