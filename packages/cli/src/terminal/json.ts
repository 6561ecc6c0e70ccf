/**
 * A value as JSON inside a line.
 *
 * @module
 */
import { safeJson } from '@assay/views';
import { cut } from './cut.js';
import type { Shown } from './shown.js';

/** A value as JSON inside a line, cut to a number of code points. */
export function jsonShown(value: unknown, pointsMax: number = Number.MAX_SAFE_INTEGER): Shown {
  return {
    parts: [
      {
        text: pointsMax === Number.MAX_SAFE_INTEGER ? safeJson(value) : cut(safeJson(value), pointsMax),
        style: null,
      },
    ],
  };
}
