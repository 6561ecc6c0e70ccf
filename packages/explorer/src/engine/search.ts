/**
 * Searching the records of a file as text, letter case aside.
 *
 * @module
 */
import type { Filter, Listed } from '../data/calls.js';
import type { Lines } from './lines.js';
import type { Rows } from './rows.js';

const FOUND_MAX = 2_000;
const BATCH = 256;

/** Positions of the rows that a filter lets through. What is searched for is found as it reads, not escaped. */
export function listed(filter: Filter, lines: Lines, rows: Rows): Listed {
  const { kind, source, found } = filter;
  const isOf = (at: number): boolean => rows.isOf(at, kind, source);
  if (found === null || found === '') {
    const positions = Array.from({ length: lines.count }, (_, at) => at);
    const isAll = kind === null && source === null;
    return { positions: Uint32Array.from(isAll ? positions : positions.filter(isOf)), more: false };
  }
  // In a record a quotation mark or a line feed stands escaped, as JSON writes it.
  const inside = JSON.stringify(found).slice(1, -1);
  const pattern = new RegExp(inside.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
  const hits: number[] = [];
  for (let from = 0; from < lines.count; from += BATCH) {
    const to = Math.min(lines.count, from + BATCH);
    if (!pattern.test(lines.text(from, to))) continue;
    for (let at = from; at < to; at += 1) if (isOf(at) && pattern.test(lines.text(at))) hits.push(at);
    if (hits.length >= FOUND_MAX)
      return { positions: Uint32Array.from(hits.slice(0, FOUND_MAX)), more: true };
  }
  return { positions: Uint32Array.from(hits), more: false };
}
