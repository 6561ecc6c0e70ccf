/** The least change of one weight that puts another reading first. Source: intent I12. */
import { CRITERIA, type Criterion, type Weights } from './policy.js';
import type { ScorePart } from './score.js';

/** The parts of a score, by criterion. */
type Parts = readonly ScorePart[];

/** The change found. */
export type WeightChange = { readonly criterion: Criterion; readonly from: number; readonly to: number };

type Line = { readonly rest: number; readonly ppm: number };

/**
 * Finds it, or null. Scores are rounded down, so a change may flip the winner, and a slightly larger one flip
 * it back: every weight from the first that could do is tried, and the first that does is given. Of equal
 * differences the criterion first in order, then the lower weight. `readings`: in the order in which ties are broken.
 */
export function smallestWeightChange(
  readings: readonly Parts[],
  weights: Weights,
  max: number,
): WeightChange | null {
  let best: WeightChange | null = null;
  for (const criterion of CRITERIA) {
    const lines = makeLines(readings, criterion);
    if (lines === null) continue;
    const from = weights[criterion];
    const counted = countedWeight(readings, weights) - from;
    const isLast = CRITERIA.every((other) => other === criterion || weights[other] === 0);
    for (const direction of [-1, 1] as const) {
      const bound = best === null ? Infinity : Math.abs(best.to - best.from) - 1;
      const reach = Math.min(bound, direction < 0 ? from - (isLast ? 1 : 0) : max - from);
      const step = firstFlip(lines, counted, from, direction, reach);
      if (step !== null) best = { criterion, from, to: from + direction * step };
    }
  }
  return best;
}

/** Each reading as rest + weight · ppm; null if the criterion does not apply. */
function makeLines(readings: readonly Parts[], criterion: Criterion): readonly Line[] | null {
  const at = CRITERIA.indexOf(criterion);
  if (readings.length < 2 || readings.some((parts) => parts[at]?.applicable !== true)) return null;
  return readings.map((parts) => {
    const rest = parts.reduce(
      (sum, part) => (part.applicable && part.criterion !== criterion ? sum + part.weight * part.ppm : sum),
      0,
    );
    return { rest, ppm: parts[at]?.ppm ?? 0 };
  });
}

/**
 * The weights of all criteria that apply. They apply to all readings or to none, except agreement and
 * confidence.
 */
function countedWeight([first = []]: readonly Parts[], weights: Weights): number {
  return first.reduce((sum, { criterion, applicable }) => (applicable ? sum + weights[criterion] : sum), 0);
}

function firstFlip(
  lines: readonly Line[],
  counted: number,
  from: number,
  direction: 1 | -1,
  reach: number,
): number | null {
  const winner = firstAt(lines, counted, from);
  for (let step = earliest(lines, winner, counted, from, direction); step <= reach; step += 1) {
    if (firstAt(lines, counted, from + direction * step) !== winner) return step;
  }
  // With no weight left that counts every total is 0, which is no limit of the totals before it: the
  // order of ties decides.
  const isEmptied = direction < 0 && counted === 0 && from > 0 && reach >= from;
  return isEmptied && firstAt(lines, 0, 0) !== winner ? from : null;
}

/**
 * The least step at which some rival's total could reach the winner's: rounding down hides less than one part
 * per million.
 */
function earliest(
  lines: readonly Line[],
  winner: number,
  counted: number,
  from: number,
  direction: 1 | -1,
): number {
  const own = lines[winner];
  if (own === undefined) return Infinity;
  const steps = lines.map(({ rest, ppm }, index) => {
    // A rival with the same numbers ties at every weight.
    if (index === winner || (rest === own.rest && ppm === own.ppm)) return Infinity;
    const ahead = own.rest - rest + from * (own.ppm - ppm);
    const room = ahead - (counted + from);
    const gain = direction * (1 - (own.ppm - ppm));
    if (room < 0) return 1;
    return gain <= 0 ? Infinity : Math.floor(room / gain) + 1;
  });
  return Math.min(...steps);
}

function firstAt(lines: readonly Line[], counted: number, weight: number): number {
  const sum = counted + weight;
  let best = 0;
  let top = -1;
  for (const [index, { rest, ppm }] of lines.entries()) {
    const total = sum === 0 ? 0 : Math.trunc((rest + weight * ppm) / sum);
    if (total > top) [best, top] = [index, total];
  }
  return best;
}
