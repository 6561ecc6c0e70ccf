/**
 * A run whose answers hold tokens, and forgeries of what is kept for them outside of the ledger. The ledger
 * is the honest one each time: only who brings the openings and blobs can see the fraud.
 *
 * @module
 */
import { sha256Hex, utf8Bytes } from '@assay/kernel';
import { sealValue } from '../../packages/verifier/dist/verify/outside.js';
import { fileOf, linesOf, textOf } from './forge.mjs';
import { POLL, poll } from './runs.mjs';

const KEPT = 'kept';
const TWIN = 'twin-kept-outside';
/**
 * In a run that is meant to forget, 32 random bytes; here a fixed hash, so that the collection stays the
 * same.
 */
const SALT = sha256Hex(utf8Bytes('a salt for the tests of sealed values'));
const NAME = { voter: 'Nadezhda', desk: 4 };
const SHEET = utf8Bytes('ballot sheet 1\noption: library\n');

/** The honest run with its openings and blobs, and without any. */
export function outsideTwins() {
  const bytes = sealedPoll();
  return [
    {
      name: TWIN,
      what: 'answers with a sealed value and a blob, both kept beside the ledger',
      bytes,
      others: kept(),
      brought: { folder: KEPT },
    },
    { name: 'twin-kept-nothing', what: 'the same, opening and blob destroyed: no verdict changes', bytes },
  ];
}

/** Openings and blobs that do not fit the tokens of the honest ledger. */
export function outsideForgeries() {
  return [
    forgery(
      'opening-another-value',
      'an opening that shows another voter under the recorded seal',
      kept({ value: { ...NAME, voter: 'Boris' } }),
    ),
    forgery(
      'opening-another-salt',
      'an opening with another salt',
      kept({ salt: sha256Hex(utf8Bytes('another salt')) }),
    ),
    forgery(
      'opening-extra-key',
      'an opening with a key that no hash covers',
      kept({ extra: { note: 'seen by a notary' } }),
    ),
    forgery(
      'blob-edited',
      'a blob of the same length, one word changed',
      kept({ sheet: utf8Bytes('ballot sheet 1\noption: harbour\n') }),
    ),
    forgery('blob-cut', 'a blob cut short', kept({ sheet: SHEET.subarray(0, 15) })),
    forgery(
      'blob-miscounted',
      'a token that gives its blob one byte more',
      kept(),
      sealedPoll(SHEET.length + 1),
    ),
  ];
}

function forgery(name, forged, others, bytes = sealedPoll()) {
  return {
    name,
    forged,
    twin: TWIN,
    bytes,
    others,
    brought: { folder: KEPT },
    caught: { check: 'integrity', verdict: 'failed', code: 'token', record: 2 },
    off: { argument: 'folder' },
    exit: 3,
  };
}

function sealedPoll(length = SHEET.length) {
  const provenance = {
    sheet: { $blob: { bytes: length, media: 'text/plain', sha256: sha256Hex(SHEET) } },
    voter: { $sealed: sealValue(SALT, NAME) },
  };
  const [first, ...rest] = POLL.answers;
  return fileOf(linesOf(poll({ run_id: 'poll-sealed', answers: [{ ...first, provenance }, ...rest] })));
}

function kept({ salt = SALT, value = NAME, sheet = SHEET, extra = {} } = {}) {
  const opening = { salt, seal: sealValue(SALT, NAME), value, ...extra };
  return {
    [`${KEPT}/poll-sealed.openings.jsonl`]: utf8Bytes(`${textOf(opening)}\n`),
    [`${KEPT}/blobs/${sha256Hex(SHEET)}`]: sheet,
  };
}
