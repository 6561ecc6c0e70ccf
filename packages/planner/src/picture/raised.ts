/**
 * The bounds under which a plan fits: as it stands, or with the least raise.
 *
 * @module
 */
import type { Held, Plan } from '../plan/plan.js';
import type { PlanReport } from '../report/report.js';

/** A constraint, and the bound that it needs. */
export type RaisedCap = { readonly held: Held; readonly to: number };

/**
 * What the caps would have to be: those of the least raise where there is one, else those under which the plan
 * fits without a change. Empty where it fits, or where no cap helps.
 */
export function raisedCaps(
  { rows, deadline }: Plan,
  { before, repair, raise }: PlanReport,
): readonly RaisedCap[] {
  const caps = [...rows, ...(deadline === null ? [] : [deadline])];
  if (raise !== null)
    return raise.by.flatMap(([id, by]) => {
      const held = caps.find((cap) => cap.id === id);
      return held === undefined ? [] : [{ held, to: held.bound + by }];
    });
  const broken = before.lines.filter(
    ({ held, status }) => held.isHard && status !== 'SAT' && status !== 'TIGHT',
  );
  if (repair === null || broken.some(({ kind }) => kind === 'metric' || kind === 'coupling')) return [];
  return broken.map(({ held, slack }) => ({
    held,
    to: held.bound - (slack ?? 0) + (held.op === '<' ? 1 : 0),
  }));
}
