/**
 * Searching the records of a file as text, letter case aside.
 *
 * @module
 */
import { utf8Bytes } from '@assay/kernel';
import type { Filter, Listed } from '../data/calls.js';
import type { Lines } from './lines.js';
import type { Rows } from './rows.js';

const FOUND_MAX = 2_000;
const BATCH = 256;
/** Bytes with A to Z as a to z. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** Positions of the rows that a filter lets through. What is searched for is found as it reads, not escaped. */
export function listed(filter: Filter, lines: Lines, rows: Rows): Listed {
  const { kind, source, found } = filter;
  const isOf = (at: number): boolean => rows.isOf(at, kind, source);
  if (found === null || found === '') {
    const positions = Array.from({ length: lines.count }, (_, at) => at);
    const isAll = kind === null && source === null;
    return { positions: Uint32Array.from(isAll ? positions : positions.filter(isOf)), more: false };
  }
  const stands = finder(found, lines);
  const hits: number[] = [];
  for (let from = 0; from < lines.count; from += BATCH) {
    const to = Math.min(lines.count, from + BATCH);
    if (!stands(from, to)) continue;
    for (let at = from; at < to; at += 1) if (isOf(at) && stands(at, at + 1)) hits.push(at);
    if (hits.length >= FOUND_MAX)
      return { positions: Uint32Array.from(hits.slice(0, FOUND_MAX)), more: true };
  }
  return { positions: Uint32Array.from(hits), more: false };
}

/** Tells whether a text stands in some lines. ASCII is looked for in the bytes: decoding them takes far longer. */
function finder(found: string, lines: Lines): (from: number, to: number) => boolean {
  // In a record a quotation mark or a line feed stands escaped, as JSON writes it.
  const inside = JSON.stringify(found).slice(1, -1);
  const wanted = utf8Bytes(inside.toLowerCase());
  if (/^[\x20-\x7e]*$/.test(inside)) return (from, to) => holds(lines.bytes(from, to), wanted);
  const pattern = new RegExp(inside.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
  return (from, to) => pattern.test(lines.text(from, to));
}

function holds(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const first = wanted[0] ?? 0;
  for (let at = 0; at <= bytes.length - wanted.length; at += 1) {
    if (LOWER[bytes[at] ?? 0] !== first) continue;
    let same = 1;
    while (same < wanted.length && LOWER[bytes[at + same] ?? 0] === wanted[same]) same += 1;
    if (same === wanted.length) return true;
  }
  return false;
}
