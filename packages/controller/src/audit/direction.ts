/**
 * What the solver did from round to round: the trend of the distance, and thrashing. Exact figures, never the
 * words of the ledger about them. Source: dec-B3, dec-B4; 003 §R6 "ggs_thrashing".
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { compare, parseRational, ratio, renderRational, type Rational } from '../ggs/rational.js';
import { shown } from './reading.js';
import { anomaly, trended, type Seen } from './window.js';

const BREAK = 'break_symmetry';

/**
 * Hears an evaluation: a directive, and the distance it rests on. `D` is {ppm, exact}. A distance that cannot
 * be read is not known to have decreased: whoever hides it is thrashing no less.
 */
export function evaluated(seen: Seen, directive: string, D: Json): Seen {
  const { run } = seen;
  const now = distanceIn(readText(D, 'exact'));
  const before = run.distance === null ? null : parseRational(run.distance);
  const next = { ...seen, run: { ...run, directive, distance: now === null ? null : renderRational(now) } };
  const moved = now === null || before === null ? null : compare(now, before);
  const told =
    now === null
      ? next
      : trended(next, moved === null || moved === 0 ? 'stable' : moved < 0 ? 'improving' : 'worsening');
  const isThrashing = directive === BREAK && run.directive === BREAK && (moved === null || moved >= 0);
  return isThrashing
    ? anomaly(
        told,
        'ggs_thrashing',
        `${BREAK} twice in a row, and the distance went from ${shown(run.distance ?? 'unknown')} ` +
          `to ${shown(next.run.distance ?? 'unknown')}`,
      )
    : told;
}

/** A distance as another program may have written it: not always in lowest terms. Null for anything else. */
function distanceIn(exact: string): Rational | null {
  const found = /^([0-9]{1,500})\/([1-9][0-9]{0,499})$/.exec(exact);
  return found === null ? null : ratio(BigInt(found[1] ?? '0'), BigInt(found[2] ?? '1'));
}

/** The directive and the distance of a PlanDirective. */
export function directiveIn(body: Json): {
  readonly directive: string;
  readonly D: Json;
  readonly evaluation: Json;
} {
  const evaluation = readField(body, 'evaluation');
  return { directive: readText(evaluation, 'directive'), D: readField(evaluation, 'D'), evaluation };
}
