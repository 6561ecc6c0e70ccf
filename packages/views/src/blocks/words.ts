/**
 * Numbers of view data in words.
 *
 * @module
 */
import type { Amount, Cell } from '@assay/kernel/view';

/** An amount in the unit people read: parts per million as a share of one, microseconds as seconds. */
export function amountText({ n, unit }: Pick<Amount, 'n' | 'unit'>): string {
  switch (unit) {
    case 'count':
      return String(n);
    case 'ppm':
      return decimal(n, 6);
    case 'nano':
      return decimal(n, 9);
    case 'us':
      return `${decimal(n, 6)} s`;
    case 'bytes':
      return `${n} B`;
    case 'tokens':
      return `${n} tokens`;
    default:
      return `${decimal(n, 6)} ${unit.slice('micro:'.length)}`;
  }
}

/** An integer with its last digits behind the point, exactly. */
function decimal(n: number, digits: number): string {
  const text = String(Math.abs(n)).padStart(digits + 1, '0');
  return `${n < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** True for a number. */
export function isAmount(cell: Cell): cell is Amount {
  return cell !== null && typeof cell === 'object' && 'unit' in cell;
}
