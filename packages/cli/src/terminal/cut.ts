/**
 * Text and numbers cut to fit a line.
 *
 * @module
 */

/** Text cut to a number of code points, the cut marked by an ellipsis. */
export function cut(text: string, pointsMax: number): string {
  const points = [...text.slice(0, 2 * pointsMax + 2)];
  return points.length <= pointsMax ? text : `${points.slice(0, pointsMax - 1).join('')}…`;
}

/** Parts per million as a share of one, cut to three places. */
export function points(ppm: number): string {
  return `${Math.floor(ppm / 1_000_000)}.${String(ppm % 1_000_000)
    .padStart(6, '0')
    .slice(0, 3)}`;
}
