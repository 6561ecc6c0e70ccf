/**
 * Every forgery and every honest twin, as the files of their folders.
 *
 * @module
 */
import { byteForgeries, largeForgeries } from './bytes.mjs';
import { continuedForgeries, continuedTwins } from './continued.mjs';
import { decisionForgeries, erasedTwins, limitForgeries } from './decisions.mjs';
import { intentForgeries, intentTwins } from './intent.mjs';
import { controllerForgeries, controllerTwins } from './controller.mjs';
import { memoryForgeries, memoryTwins } from './memory.mjs';
import { outsideForgeries, outsideTwins } from './outside.mjs';
import { payloadForgeries } from './payloads.mjs';
import { recordForgeries } from './records.mjs';
import { rewriteForgeries, runTwins } from './rewrites.mjs';
import { signatureForgeries, signedTwins } from './signatures.mjs';

/** Where they lie, below the repository's root. */
export const FOLDER = 'golden-fixtures/forgeries';

/**
 * The ledgers that must pass.
 *
 * @returns {readonly { name: string, what: string, bytes: Uint8Array, head?: string, others?: { readonly
 *   [name: string]: Uint8Array }, brought?: import('../../test/lib/judge-forgery.ts').Brought }[]}
 */
export function twins() {
  return [
    ...runTwins(),
    ...erasedTwins(),
    ...intentTwins(),
    ...memoryTwins(),
    ...controllerTwins(),
    ...outsideTwins(),
    ...continuedTwins(),
    ...signedTwins(),
  ];
}

/**
 * The forgeries that fit the repository.
 *
 * @returns {readonly import('../../test/lib/judge-forgery.ts').Forgery[]}
 */
export function forgeries() {
  return [
    ...recordForgeries(),
    ...payloadForgeries(),
    ...byteForgeries(),
    ...decisionForgeries(),
    ...limitForgeries(),
    ...rewriteForgeries(),
    ...outsideForgeries(),
    ...continuedForgeries(),
    ...intentForgeries(),
    ...memoryForgeries(),
    ...controllerForgeries(),
    ...signatureForgeries(),
  ];
}

/** The forgeries made at test time only. */
export { largeForgeries };

/** The files of one forgery or twin: names in its folder and their bytes. */
export function filesOf(item) {
  return {
    'ledger.jsonl': item.bytes,
    ...item.others,
    'expected.json': new TextEncoder().encode(`${JSON.stringify(expectedOf(item), null, 2)}\n`),
  };
}

/**
 * `expected.json`: what a verifier must find. A miss is found by no check: completeness says that it was
 * given no head.
 */
function expectedOf({
  forged,
  what,
  head,
  twin = null,
  brought = head === undefined ? {} : { head },
  caught,
  off = null,
  exit = 0,
}) {
  const held = {
    check:
      brought.signature !== undefined ? 'authorship' : head === undefined ? 'rederivation' : 'completeness',
    verdict: 'held',
    code: null,
    record: null,
  };
  const missed = { check: 'completeness', verdict: 'not_checked', code: 'no_head', record: null };
  return {
    about: forged ?? what,
    twin,
    ...(forged === undefined ? held : (caught ?? missed)),
    with: brought,
    off,
    exit,
  };
}
