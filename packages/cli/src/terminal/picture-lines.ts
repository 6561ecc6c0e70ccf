/**
 * View data as lines of this command.
 *
 * @module
 */
import type { Picture } from '@assay/kernel/view';
import { drawPicture, type InkLine } from '@assay/views';
import type { Shown } from './shown.js';

/** A picture for the terminal: what is drawn is escaped already. */
export function pictureLines(picture: Picture): readonly Shown[] {
  return drawPicture(picture).map(inked);
}

function inked(line: InkLine): Shown {
  return { parts: line.map(({ text, tone }) => ({ text, style: tone === 'plain' ? null : tone })) };
}
