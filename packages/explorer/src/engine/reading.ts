/** Bytes of a file as they come: from base64 of gzip, a dropped file, or the server that serves the page. */
import type { Given, Refused } from '../data/calls.js';
import { LEDGER_BYTES_MAX, extractPacked, isPage, TWO_ELEMENTS } from '../data/packed.js';

const REPORT_BYTES_MAX = 2 * LEDGER_BYTES_MAX;
/** Digits that are unpacked at once: whole groups of four. */
const SLICE_DIGITS = 65_536;
const ENCODER = new TextEncoder();

/** What each digit of base64 stands for; -1 for all other bytes. */
const VALUES = new Int8Array(256).fill(-1);
for (const [value, digit] of ENCODER.encode(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries())
  VALUES[digit] = value;

/** Bytes of a base64 text; null for any other text. */
export function fromBase64(text: string): Uint8Array | null {
  const digits = ENCODER.encode(text);
  const end = digitsEnd(digits);
  return end === null ? null : decodeDigits(digits, 0, end);
}

/** Where the digits of a base64 text end, before what fills its last group; null for any other text. */
function digitsEnd(digits: Uint8Array): number | null {
  const { length } = digits;
  let end = length;
  while (end > length - 2 && digits[end - 1] === 0x3d) end -= 1;
  let all = length % 4 === 0 ? 0 : -1;
  for (let index = 0; index < end; index += 1) all |= VALUES[digits[index] ?? 0] ?? -1;
  return all < 0 ? null : end;
}

/** The bytes of some digits, which begin a group of four. What lies behind the last whole byte is dropped. */
function decodeDigits(digits: Uint8Array, from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4));
  const at = (index: number): number => (index < to ? (VALUES[digits[index] ?? 0] ?? 0) : 0);
  for (let index = from, next = 0; index < to; index += 4, next += 3) {
    const bits = (at(index) << 18) | (at(index + 1) << 12) | (at(index + 2) << 6) | at(index + 3);
    bytes[next] = bits >> 16;
    bytes[next + 1] = (bits >> 8) & 255;
    bytes[next + 2] = bits & 255;
  }
  return bytes;
}

/** The chunks of a file, or why it cannot be read. Raises {@link Unreadable} where reading breaks off. */
export async function readChunks(given: Given): Promise<AsyncIterable<Uint8Array> | Refused> {
  if (given.t === 'packed')
    return given.packed.length > 1 ? refused(...TWO_ELEMENTS) : unpacked(given.packed[0] ?? '');
  if (given.t === 'url') {
    const response = await fetch(given.url);
    return response.ok && response.body !== null
      ? chunks(response.body, LEDGER_BYTES_MAX)
      : refused('The server no longer has this ledger.', 'Start assay report --serve again.');
  }
  if (isPage(await given.bytes.slice(0, 256).text())) {
    if (given.bytes.size > REPORT_BYTES_MAX)
      return refused('This page is larger than a report can be.', 'Drop the ledger itself.');
    const packed = extractPacked(await given.bytes.text());
    return packed._tag === 'Left' ? refused(...packed.left) : unpacked(packed.right);
  }
  if (given.bytes.size > LEDGER_BYTES_MAX)
    return refused(
      `This file has ${given.bytes.size} bytes; a page reads at most ${LEDGER_BYTES_MAX}.`,
      'Run assay verify on it.',
    );
  return chunks(given.bytes.stream(), LEDGER_BYTES_MAX);
}

/** Why a stream broke off. */
export class Unreadable extends Error {
  readonly refused: Refused;

  constructor(says: string, next: string) {
    super(says);
    this.refused = refused(says, next);
  }
}

/** A refusal in words. */
export function refused(says: string, next: string): Refused {
  return { t: 'refused', says, next };
}

/** All the bytes of base64 of gzip. Raises {@link Unreadable} where there are more than `bytesMax`, or none. */
export async function unpackBytes(packed: string, bytesMax: number): Promise<Uint8Array> {
  const read = unpacked(packed, bytesMax);
  if ('t' in read) throw new Unreadable(read.says, read.next);
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of read) all.push(chunk as Uint8Array<ArrayBuffer>);
  return new Uint8Array(await new Blob(all).arrayBuffer());
}

function unpacked(
  packed: string | Uint8Array,
  bytesMax = LEDGER_BYTES_MAX,
): AsyncIterable<Uint8Array> | Refused {
  const digits = typeof packed === 'string' ? ENCODER.encode(packed) : packed;
  const end = digitsEnd(digits);
  if (end === null || end === 0)
    return refused('The data of this report is no base64 text.', 'Ask for the report again, or the ledger.');
  // Not by way of a Blob, whose bytes go to another process and back. In slices: each is unpacked whole before
  // its size is looked at.
  let at = 0;
  const slices = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (to) => {
      if (at === end) return to.close();
      const next = Math.min(end, at + SLICE_DIGITS);
      to.enqueue(decodeDigits(digits, at, next));
      at = next;
    },
  });
  return chunks(slices.pipeThrough(new DecompressionStream('gzip')), bytesMax);
}

async function* chunks(stream: ReadableStream<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
      if (size > bytesMax)
        throw new Unreadable(`This ledger is larger than ${bytesMax} bytes.`, 'Run assay verify on it.');
      yield value;
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(
      `The data breaks off at byte ${size}: it cannot be unpacked.`,
      'Ask for the file again.',
    );
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
