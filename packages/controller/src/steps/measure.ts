/**
 * How long a text is, in units that are stated.
 *
 * @module
 */
import { utf8Length } from '@assay/kernel';

/** Units in which a file is measured. */
export const UNITS = ['lines', 'words', 'characters', 'bytes'] as const;
/** One of {@link UNITS}. */
export type Unit = (typeof UNITS)[number];

/**
 * `lines`: line ends, and one more where the last line has none. `words`: runs of anything but space, tab and
 * line ends of any kind. `characters`: code points. `bytes`: of its UTF-8. Any other unit is a defect.
 */
export function measured(text: string, unit: string): number {
  switch (unit) {
    case 'lines':
      return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
    case 'words':
      return text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '').length;
    case 'characters':
      return Array.from(text).length;
    case 'bytes':
      return utf8Length(text);
    default:
      throw new RangeError(`measured: ${UNITS.join(', ')} expected, got ${unit}`);
  }
}
