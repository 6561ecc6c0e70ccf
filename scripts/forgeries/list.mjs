/**
 * Every forgery and every honest twin, as the files of their folders.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byteForgeries, largeForgeries } from './bytes.mjs';
import { citedForgeries, citedTwins } from './cited.mjs';
import { continuedForgeries, continuedTwins } from './continued.mjs';
import { decisionForgeries, erasedTwins, limitForgeries } from './decisions.mjs';
import { intentForgeries, intentTwins } from './intent.mjs';
import { gateForgeries, gateTwins } from './gate.mjs';
import { outsideForgeries, outsideTwins } from './outside.mjs';
import { recipeForgeries, recipeTwins } from './recipes.mjs';
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
    ...recipeTwins(),
    ...gateTwins(),
    ...outsideTwins(),
    ...continuedTwins(),
    ...citedTwins(),
    ...signedTwins(),
  ];
}

/**
 * Every forgery of a size that fits a file.
 *
 * @returns {readonly import('../../test/lib/judge-forgery.ts').Forgery[]}
 */
export function forgeries() {
  return [
    ...recordForgeries(),
    ...recipeForgeries(),
    ...byteForgeries(),
    ...decisionForgeries(),
    ...limitForgeries(),
    ...rewriteForgeries(),
    ...outsideForgeries(),
    ...continuedForgeries(),
    ...citedForgeries(),
    ...intentForgeries(),
    ...gateForgeries(),
    ...signatureForgeries(),
  ];
}

/** The forgeries too large for any repository. */
export { largeForgeries };

/** Read by path in a guide and in tests of the command. */
const BY_PATH = new Set([
  'ballot-changed',
  'blob-cut',
  'blob-edited',
  'controller-loss-lowered',
  'full-rewrite',
  'memory-potential-raised',
  'opening-another-value',
  'policy-changed',
  'twin-due',
  'twin-kept-outside',
  'twin-open',
  'twin-poll',
  'twin-refused',
]);

/**
 * What the repository holds: the first forgery of each check and code, the first miss, what is read by path,
 * and the twins of all these. The others are made where they are tested.
 *
 * @returns {readonly { name: string }[]}
 */
export function committed() {
  const said = ({ caught }) => `${caught?.check} ${caught?.verdict} ${caught?.code}`;
  const seen = new Set();
  const isFirst = (forgery) => seen.size < seen.add(said(forgery)).size;
  const kept = forgeries().filter((forgery) => isFirst(forgery) || BY_PATH.has(forgery.name));
  const names = new Set([...BY_PATH, ...kept.map(({ twin }) => twin)]);
  return [...twins().filter(({ name }) => names.has(name)), ...kept];
}

/**
 * Writes each into a folder of its name below `folder`.
 *
 * @param {string} folder
 * @param {readonly { name: string }[]} items
 */
export function writeItems(folder, items) {
  for (const item of items)
    for (const [name, bytes] of Object.entries(filesOf(item))) {
      const path = join(folder, item.name, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
}

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
