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
  const encoding = (name, forged, record, bytes) => integrity(name, forged, bytes, 'encoding', record);
  const spaced = edit(AT.ballot, '"v":1}', '"v": 1}');
  const doubled = edit(AT.ballot, '"value":{', '"value":{"option":"harbour",');
  const blank = fileOf([...lines.slice(0, AT.ballot), '', ...lines.slice(AT.ballot)]);
  const cesu8 = unreadable([0xed, 0xa0, 0xbd, 0xed, 0xb3, 0x9a]);
  const unended = whole.slice(0, -1);
  const shorter = whole.slice(0, whole.length - last - 1);
  return [
    encoding(
      'byte-order-mark',
      'a byte order mark before the first record',
      0,
      joined([0xef, 0xbb, 0xbf], whole),
    ),
    encoding('crlf-lines', 'lines ended by CR LF', 0, fileOf(lines.map((line) => `${line}\r`))),
    encoding('blank-line', 'a blank line between two records', AT.ballot, blank),
    encoding('added-spaces', 'a space after a colon', AT.ballot, spaced),
    encoding('duplicate-key', 'a key written twice, the last one as it was', AT.ballot, doubled),
    encoding('exponent-leading-zero', '1e-7 spelled 1e-07', AT.notice, edit(AT.notice, ':1e-7,', ':1e-07,')),
    encoding('cesu-8-text', 'an emoji as two surrogates of three bytes each', AT.notice, cesu8),
    encoding('byte-ff-in-string', 'the byte FF inside a string', AT.notice, unreadable([0xff])),
    encoding('cut-mid-line', 'the file cut inside its last line', AT.close, whole.slice(0, -40)),
    integrity('no-final-newline', 'the last line feed cut off', unended, 'final_newline', AT.close),
    integrity(
      'no-final-newline-cut',
      'the last record cut off whole, and the line feed before it',
      shorter,
      'final_newline',
      AT.result,
    ),
    integrity('empty-file', 'no byte at all', new Uint8Array(0), 'empty', 0),
  ];
}

/**
 * Forgeries too large for the repository: made when they are tested.
 *
 * @returns {readonly import('../../test/lib/judge-forgery.ts').Forgery[]}
 */
export function largeForgeries() {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const long = `"${'a'.repeat(17 * 1_048_576)}"`;
  const many = `[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`;
  return [
    integrity('depth-100000', 'a note nested 100,000 deep', noted(nested), 'depth', AT.notice),
    integrity('line-17-mib', 'a note of 17 MiB', noted(long), 'size', AT.notice),
    integrity('objects-300000', 'a note of 300,000 empty objects', noted(many), 'size', AT.notice),
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
