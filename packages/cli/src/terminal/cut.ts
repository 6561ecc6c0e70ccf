/**
 * Text cut to fit a line. The one escaper for terminals is the verifier's `forTerminal`.
 *
 * @module
 */

/** Text cut to a number of code points, the cut marked by an ellipsis. */
export function cut(text: string, pointsMax: number): string {
  const points = [...text.slice(0, 2 * pointsMax + 2)];
  return points.length <= pointsMax ? text : `${points.slice(0, pointsMax - 1).join('')}…`;
}
