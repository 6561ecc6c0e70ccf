/** How the plan of a run differs from that of another, in a sentence. */
import { isArray, type Json, type JsonObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import { parsePlan } from '../plan/parse.js';
import { DAY_HOURS, type Held } from '../plan/plan.js';
import { rollup } from '../rollup/rollup.js';
import { hoursOf } from './story.js';
import { chooseHours, figure, limitText, NAMED_MAX, texts, writeText } from './words.js';

/** `cost at most $700 (was $900)`. */
export function sayBound(
  held: Pick<Held, 'id' | 'unit' | 'op' | 'bound'>,
  was: number,
  day: number = DAY_HOURS,
): string {
  const hours = chooseHours(Math.max(was, held.bound), day);
  return writeText(texts(`${held.id} `, limitText(held, hours), ' (was ', figure(was, held, hours), ')'));
}

/**
 * `venue: castle becomes barn; cost €19,400 (was €21,000); deadline unchanged`, from the artifacts `plan` of two runs.
 */
export function comparePlans(was: JsonObject, now: JsonObject): string {
  const [before, after] = [new Map(pairs(was['choice'])), new Map(pairs(now['choice']))];
  const changes = [
    ...[...after].flatMap(([task, to]) => {
      const from = before.get(task);
      if (from === undefined) return [`${task} is added`];
      return from === to ? [] : [`${task}: ${from} becomes ${to}`];
    }),
    ...[...before.keys()].flatMap((task) => (after.has(task) ? [] : [`${task} is left out`])),
  ];
  const plan = parsePlan(now['file'] ?? null);
  const hours = plan._tag === 'Right' ? hoursOf(plan.right, rollup(plan.right)) : Number.POSITIVE_INFINITY;
  const lines = listObjects(was['lines']);
  const figures = listObjects(now['lines']).flatMap((line) => {
    const held = line as unknown as Pick<Held, 'id' | 'unit'>;
    const [to, from] = [midOf(line), midOf(lines.find(({ id }) => id === held.id))];
    if (to === null || from === null) return [];
    if (to === from) return [`${held.id} unchanged`];
    return [
      writeText(texts(`${held.id} `, figure(to, held, hours), ' (was ', figure(from, held, hours), ')')),
    ];
  });
  const more = changes.length > NAMED_MAX ? [`${changes.length - NAMED_MAX} more changes`] : [];
  const named = changes.length === 0 ? ['no task changes'] : [...changes.slice(0, NAMED_MAX), ...more];
  return [...named, ...figures].join('; ');
}

function midOf(line: JsonObject | undefined): number | null {
  const total = line?.['total'];
  return total !== undefined && isArray(total) && typeof total[1] === 'number' ? total[1] : null;
}

function pairs(value: Json | undefined): readonly (readonly [string, string])[] {
  return (isArray(value) ? value : []) as unknown as readonly (readonly [string, string])[];
}
