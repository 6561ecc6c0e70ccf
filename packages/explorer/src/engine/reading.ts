/** Bytes of a file as they come: from base64 of gzip, a dropped file, or the server that serves the page. */
import type { Given, Refused } from '../data/calls.js';
import { LEDGER_BYTES_MAX, extractPacked, isPage, TWO_ELEMENTS } from '../data/packed.js';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const REPORT_BYTES_MAX = 2 * LEDGER_BYTES_MAX;
const SLICE_BYTES = 65_536;

type Native = { readonly fromBase64?: (text: string) => Uint8Array };

/** Bytes of a base64 text; null for any other text. */
export function fromBase64(text: string): Uint8Array | null {
  const length = (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  if (text.length % 4 !== 0) return null;
  const native = (Uint8Array as unknown as Native).fromBase64;
  if (native !== undefined) {
    try {
      const bytes = native(text);
      // White space, which is let through, gives no bytes.
      return bytes.length === length ? bytes : null;
    } catch {
      return null;
    }
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const values = new Uint8Array(128);
  for (let index = 0; index < DIGITS.length; index += 1) values[DIGITS.charCodeAt(index)] = index;
  const at = (index: number): number => values[text.charCodeAt(index)] ?? 0;
  const bytes = new Uint8Array(length);
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const bits = (at(from) << 18) | (at(from + 1) << 12) | (at(from + 2) << 6) | at(from + 3);
    // What lies behind the end of the bytes is dropped.
    bytes[to] = bits >> 16;
    bytes[to + 1] = (bits >> 8) & 255;
    bytes[to + 2] = bits & 255;
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
      : refused('The server does not give this ledger any more.', 'Start assay report --serve again.');
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

function unpacked(packed: string, bytesMax = LEDGER_BYTES_MAX): AsyncIterable<Uint8Array> | Refused {
  const bytes = fromBase64(packed);
  if (bytes === null || bytes.length === 0)
    return refused('The data of this report is no base64 text.', 'Ask for the report again, or the ledger.');
  // Not by way of a Blob, whose bytes go to another process and back. In slices: each is unpacked whole before
  // its size is looked at.
  let at = 0;
  const slices = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (to) => {
      if (at === bytes.length) return to.close();
      to.enqueue((bytes as Uint8Array<ArrayBuffer>).subarray(at, at + SLICE_BYTES));
      at = Math.min(bytes.length, at + SLICE_BYTES);
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
