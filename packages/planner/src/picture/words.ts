/**
 * Numbers, units and choices of a plan in words.
 *
 * @module
 */
import type { Piece, Text } from '@assay/kernel/view';
import type { Held, Plan } from '../plan/plan.js';

const MILLION = 1_000_000n;
/** A unit of these is shown as it is; others are quoted. */
const PLAIN_UNIT = /^[A-Za-z][A-Za-z ]{0,19}$/;

/** `58500` as `58,500`. */
export function grouped(n: number | bigint): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A figure with the unit of its constraint; a unit that is the constraint's own name is left out. */
export function figure(n: number, { id, unit }: Pick<Held, 'id' | 'unit'>): readonly Piece[] {
  if (unit === '' || unit === id) return [grouped(n)];
  return PLAIN_UNIT.test(unit) ? [`${grouped(n)} ${unit}`] : [`${grouped(n)} `, { said: unit }];
}

/** A confidence in ppm as a share of one. */
export function share(ppm: number): string {
  const digits = String(BigInt(ppm) % MILLION)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${ppm === 1_000_000 ? 1 : 0}.${digits}`;
}

/** `t8.a and t7.b`. */
export function changesText(changes: readonly (readonly [string, string])[]): string {
  const names = changes.map((change) => change.join('.'));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** How many choices a plan has. */
export function combinationsOf({ tasks }: Plan): bigint {
  return tasks.reduce((count, { approaches }) => count * BigInt(approaches.length), 1n);
}

/** Pieces joined. */
export function texts(...parts: readonly Text[]): readonly Piece[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [part] : part));
}
