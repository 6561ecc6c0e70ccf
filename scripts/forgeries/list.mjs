/**
 * Every forgery and every honest twin, as the files of their folders.
 *
 * @module
 */
import { byteForgeries, largeForgeries } from './bytes.mjs';
import { decisionForgeries, erasedTwins, limitForgeries } from './decisions.mjs';
import { payloadForgeries } from './payloads.mjs';
import { recordForgeries } from './records.mjs';
import { rewriteForgeries, runTwins } from './rewrites.mjs';

/** Where they lie, below the repository's root. */
export const FOLDER = 'golden-fixtures/forgeries';

/**
 * The ledgers that must pass.
 *
 * @returns {readonly { name: string, what: string, bytes: Uint8Array, head?: string }[]}
 */
export function twins() {
  return [...runTwins(), ...erasedTwins()];
}

/**
 * The forgeries that fit the repository.
 *
 * @returns {readonly import('../../test/lib/judge-forgery.ts').Forgery[]}
 */
export function forgeries() {
  return [...recordForgeries(), ...payloadForgeries(), ...byteForgeries(), ...decisionForgeries(), ...limitForgeries(), ...rewriteForgeries()];
}

/** The forgeries made at test time only. */
export { largeForgeries };

/** The files of one forgery or twin: names in its folder and their bytes. */
export function filesOf(item) {
  const expected = item.caught === undefined ? expectedOfTwin(item) : expectedOf(item);
  return { 'ledger.jsonl': item.bytes, ...item.others, 'expected.json': new TextEncoder().encode(`${JSON.stringify(expected, null, 2)}\n`) };
}

/** What a verifier must find in a forgery. */
export function expectedOf({ forged, twin, caught, brought = {}, off, exit }) {
  return { format: 'assay-forgery/0', forged, twin, brought: { head: null, with: [], limits: {}, ...brought }, caught, off, exit };
}

function expectedOfTwin({ what, head = null }) {
  return { format: 'assay-twin/0', what, brought: { head, with: [], limits: {} }, exit: 0 };
}
