/**
 * Forgeries of bytes: the same record in other bytes, files cut short, lines too large. What a lenient
 * reader would take without a word.
 *
 * @module
 */
import { sha256Hex, utf8Bytes } from '@assay/kernel';
import { chain, changed, draftsOf, fileOf, linesOf, proposed } from './forge.mjs';
import { integrity, put } from './records.mjs';
import { AT, poll } from './runs.mjs';

/** U+FFFD in UTF-8: what a lenient decoder makes of each byte it cannot read. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** Forgeries of encoding and of a file's end. */
export function byteForgeries() {
  const honest = poll();
  const lines = linesOf(honest);
  const whole = fileOf(lines);
  const edit = (index, from, to) =>
    fileOf(lines.map((line, at) => (at === index ? put(line, from, to) : line)));
  const last = utf8Bytes(lines.at(-1)).length + 1;
  return [
    integrity(
      'byte-order-mark',
      'a byte order mark before the first record',
      joined([0xef, 0xbb, 0xbf], whole),
      'encoding',
      0,
      ['encoding'],
    ),
    integrity('crlf-lines', 'lines ended by CR LF', fileOf(lines.map((line) => `${line}\r`)), 'encoding', 0, [
      'encoding',
    ]),
    integrity(
      'blank-line',
      'a blank line between two records',
      fileOf([...lines.slice(0, AT.ballot), '', ...lines.slice(AT.ballot)]),
      'encoding',
      AT.ballot,
      ['encoding'],
    ),
    integrity(
      'added-spaces',
      'a space after a colon',
      edit(AT.ballot, '"v":1}', '"v": 1}'),
      'encoding',
      AT.ballot,
      ['encoding'],
    ),
    integrity(
      'duplicate-key',
      'a key written twice, the last one as it was',
      edit(AT.ballot, '"value":{', '"value":{"option":"harbour",'),
      'encoding',
      AT.ballot,
      ['encoding'],
    ),
    integrity(
      'exponent-leading-zero',
      '1e-7 spelled 1e-07',
      edit(AT.notice, ':1e-7,', ':1e-07,'),
      'encoding',
      AT.notice,
      ['encoding'],
    ),
    integrity(
      'cesu-8-text',
      'an emoji as two surrogates of three bytes each',
      unreadable([0xed, 0xa0, 0xbd, 0xed, 0xb3, 0x9a]),
      'encoding',
      AT.notice,
      ['encoding'],
    ),
    integrity('byte-ff-in-string', 'the byte FF inside a string', unreadable([0xff]), 'encoding', AT.notice, [
      'encoding',
    ]),
    integrity(
      'cut-mid-line',
      'the file cut inside its last line',
      whole.slice(0, whole.length - 40),
      'encoding',
      AT.close,
      ['encoding'],
    ),
    integrity(
      'no-final-newline',
      'the last line feed cut off',
      whole.slice(0, whole.length - 1),
      'final_newline',
      AT.close,
      ['final_newline'],
    ),
    integrity(
      'no-final-newline-cut',
      'the last record cut off whole, and the line feed before it',
      whole.slice(0, whole.length - last - 1),
      'final_newline',
      AT.result,
      ['final_newline'],
    ),
    integrity('empty-file', 'no byte at all', new Uint8Array(0), 'empty', 0, ['empty']),
  ];
}

/**
 * Forgeries too large for the repository: made when they are tested.
 *
 * @returns {readonly import('../../test/lib/judge-forgery.ts').Forgery[]}
 */
export function largeForgeries() {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  return [
    integrity('depth-100000', 'a note nested 100,000 deep', noted(nested), 'depth', AT.notice, ['depth']),
    integrity(
      'line-17-mib',
      'a note of 17 MiB',
      noted(`"${'a'.repeat(17 * 1_048_576)}"`),
      'size',
      AT.notice,
      ['size'],
    ),
    integrity(
      'objects-300000',
      'a note of 300,000 empty objects',
      noted(`[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`),
      'size',
      AT.notice,
      ['size'],
    ),
  ];
}

/**
 * The poll with the text of its notice replaced, every hash computed over the replacement characters that
 * a lenient decoder would read, and then those bytes written instead.
 */
function unreadable(bytes) {
  const drafts = changed(draftsOf(poll()), AT.notice, (payload) =>
    proposed({ ...payload, value: { note: 'six \ufffd'.padEnd(4 + bytes.length, '\ufffd') } }),
  );
  const file = fileOf(chain(drafts));
  const from = find(file, REPLACEMENT);
  return joined(file.slice(0, from), bytes, file.slice(from + REPLACEMENT.length * bytes.length));
}

/** The poll with a note of any JSON text, every hash computed over that text. */
function noted(text) {
  const mark = '"the note stands here"';
  const drafts = changed(draftsOf(poll()), AT.notice, (payload) => ({
    ...payload,
    value: { note: JSON.parse(mark) },
  }));
  const { source, confidence } = JSON.parse(drafts[AT.notice].text);
  const value = `{"note":${text}}`;
  const written = drafts[AT.notice].text.replace(mark, () => text);
  const hash = sha256Hex(
    `{"confidence":${JSON.stringify(confidence)},"source":"${source}","value":${value}}`,
  );
  drafts[AT.notice] = {
    ...drafts[AT.notice],
    text: written.replace(/"proposal_hash":"[0-9a-f]{64}"/, `"proposal_hash":"${hash}"`),
  };
  return fileOf(chain(drafts));
}

function find(bytes, sequence) {
  for (let from = 0; from < bytes.length; from += 1)
    if (sequence.every((byte, index) => bytes[from + index] === byte)) return from;
  throw new Error('the bytes are not in the file');
}

function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
