/**
 * Forging: what an attacker can do to a copy of a ledger, and which check shows it. For `assay tamper`, for
 * tests and for pages; the digest and the machines are given, and no file is touched.
 *
 * @packageDocumentation
 */
export { chained, type Draft, type Edit, encodeFile, type Forged, hashValue, withChanges } from './edit.js';
export { type Attack, CAUGHT_BY, forge, isAsAnnounced, type Judged, judgeForged } from './forge.js';
export { rerun } from './rederive.js';
