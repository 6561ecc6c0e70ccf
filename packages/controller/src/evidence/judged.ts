/**
 * What a judge reads of a sub-task. Source: calls/C6.
 *
 * @module
 */
import { callsIn, type SubTaskEvidence } from './evidence.js';
import { callLine, callText, WHOLE_UNITS } from './shown.js';

/** Units of calls that are shown with their outputs. */
const IN_ALL = 12_000;

/**
 * The calls of a sub-task as text: those that the last claim rests on with their outputs, 4,000 units each
 * and 12,000 in all, then the newest of the others as long as there is room; every other in one line. In the
 * order in which they were made.
 */
export function judged(of: SubTaskEvidence): string {
  const calls = callsIn(of);
  const claim = of.items.findLast((item) => item.t === 'claim');
  const rests_on = new Set(claim?.t === 'claim' ? claim.rests_on : []);
  const first = [
    ...calls.filter(({ n }) => rests_on.has(n)),
    ...calls.filter(({ n }) => !rests_on.has(n)).toReversed(),
  ];
  const shown = new Map<number, string>();
  let left = IN_ALL;
  for (const call of first) {
    const text = callText(call, WHOLE_UNITS);
    if (text.length > left) continue;
    shown.set(call.n, text);
    left -= text.length;
  }
  return calls.map((call) => shown.get(call.n) ?? callLine(call)).join('\n\n');
}
