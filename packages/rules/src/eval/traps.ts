/**
 * Traps: what a program must not find.
 *
 * @module
 */
import type { Trap } from './annotation.js';
import { isSameWriting } from './atoms.js';
import { isHalf } from './overlap.js';
import type { Read } from './reading.js';

/** True where what was read holds what the trap names. */
export function hasFired(trap: Trap, read: Read): boolean {
  switch (trap.kind) {
    case 'quantity':
      return (
        read.quantities.some(
          ({ value, unit }) => typeof value === 'object' && isSameWriting(trap, { value, unit }),
        ) ||
        read.atoms.some(
          ({ atom }) =>
            atom !== null &&
            typeof atom.value === 'object' &&
            isSameWriting(trap, { value: atom.value, unit: atom.unit }),
        )
      );
    case 'any_quantity':
      return (
        read.quantities.some(({ value }) => typeof value === 'object') ||
        read.atoms.some(({ atom }) => typeof atom?.value === 'object')
      );
    case 'claim':
      return read.claims.some(
        ({ modality, quote, scope }) =>
          modality === trap.modality &&
          trap.places.some((place) => isHalf(place, quote)) &&
          !(trap.isWithoutException && scope.exception !== null),
      );
    case 'policy':
      return !read.isPolicyKept;
    case 'contradiction':
      return read.contradictions.length > 0;
    case 'date':
      return read.atoms.some(({ atom }) => atom?.unit === 'date' || atom?.unit === 'datetime');
  }
}

/** A trap in words. */
export function trapName(trap: Trap): string {
  switch (trap.kind) {
    case 'quantity':
      return `quantity ${trap.value.n}e-${trap.value.scale} ${trap.unit ?? '(no unit)'}`;
    case 'claim':
      return (
        `${trap.modality}${trap.isWithoutException ? ' without its exception' : ''} at ` +
        `${trap.places.map(({ start, end }) => `${start}-${end}`).join(', ')}`
      );
    case 'any_quantity':
      return 'any quantity';
    case 'policy':
      return 'the policy changed by words of the request';
    case 'contradiction':
      return 'any derived contradiction';
    case 'date':
      return 'any calendar date';
  }
}
