/** Other limits under which a plan fits. */
import type { Panel } from '@assay/kernel/view';
import type { Held } from '../plan/plan.js';
import type { PlanStory } from './story.js';
import { changesText, fact, figure, grouped, limitText, NAMED_MAX, panel, texts } from './words.js';

/** A limit, and the bound that it needs. */
export type RaisedCap = { readonly held: Held; readonly to: number };

/**
 * What the limits would have to be: those of the least raise where there is one, else those under which the plan
 * fits as it was first planned. Empty where it fits, or where no limit helps.
 */
export function raisedCaps({ plan, first, repair, raise }: PlanStory): readonly RaisedCap[] {
  const caps = [...plan.rows, ...(plan.deadline === null ? [] : [plan.deadline])];
  if (raise !== null)
    return raise.by.flatMap(([id, by]) => {
      const held = caps.find((cap) => cap.id === id);
      return held === undefined ? [] : [{ held, to: held.bound + by }];
    });
  const broken = first.lines.filter(
    ({ held, status }) => held.isHard && status !== 'SAT' && status !== 'TIGHT',
  );
  if (repair === null || broken.some(({ kind }) => kind === 'metric' || kind === 'coupling')) return [];
  return broken.map(({ held, slack }) => ({
    held,
    to: held.bound - (slack ?? 0) + (held.op === '<' ? 1 : 0),
  }));
}

/** The limits under which a plan fits; none where it does, or where no limit helps. */
export function raisePanel(story: PlanStory): readonly Panel[] {
  const caps = raisedCaps(story);
  if (caps.length === 0) return [];
  const { plan, hours, raise } = story;
  const rows = caps.map(({ held, to }) =>
    fact(
      held.id,
      texts(limitText({ ...held, bound: to }, hours), ', ', figure(to - held.bound, held, hours), ' more'),
      'open',
    ),
  );
  const others = (raise?.named ?? []).filter(
    ([id, approach]) => plan.tasks.find((task) => task.id === id)?.approaches[0]?.id !== approach,
  );
  const changed =
    others.length === 0
      ? []
      : [fact('with', others.length > NAMED_MAX ? `${others.length} changes` : changesText(others))];
  const says =
    raise === null
      ? 'under which it fits as first planned'
      : raise.isProven
        ? `the least, proven: ${grouped(raise.total)} in all`
        : `the least found: ${grouped(raise.total)} in all; at least ${grouped(raise.bound)}`;
  const title = raise === null ? 'Other limits' : 'Least raise';
  return [panel('raise', title, says, { t: 'facts', rows: [...rows, ...changed] })];
}
