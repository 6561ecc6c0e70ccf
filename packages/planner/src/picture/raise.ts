/** Other limits under which a plan fits. */
import type { Panel, Text } from '@assay/kernel/view';
import type { Held } from '../plan/plan.js';
import type { GrownCap, Raise } from '../question/raise.js';
import { isFit, type RollupLine } from '../rollup/rollup.js';
import type { PlanStory } from './story.js';
import { changesText, fact, figure, grouped, limitText, NAMED_MAX, panel, texts } from './words.js';

/** A limit, and the bound that it needs. */
export type RaisedCap = { readonly held: Held; readonly to: number };

/**
 * What the limits would have to be: those of the least raise where there is one, else those under which the plan
 * fits as it was first planned. Empty where it fits, or where no limit helps.
 */
export function raisedCaps({ plan, first, repair, raise }: PlanStory): readonly RaisedCap[] {
  if (raise !== null)
    return (raise.joint?.caps ?? []).flatMap(({ id, to }) => {
      const held = findCap(plan, id);
      return held === undefined ? [] : [{ held, to }];
    });
  const broken = first.lines.filter((line) => line.held.isHard && !isFit(line));
  const isBroken = (...kinds: readonly RollupLine['kind'][]): boolean =>
    broken.some(({ kind }) => kinds.includes(kind));
  if (repair === null || isBroken('metric', 'coupling')) return [];
  // Shared work is raised by the deadline alone, as it is levelled.
  if (isBroken('work') && !isBroken('deadline')) return [];
  return broken
    .filter(({ kind }) => kind !== 'work')
    .map(({ held, slack }) => ({ held, to: held.bound - (slack ?? 0) + (held.op === '<' ? 1 : 0) }));
}

function findCap({ rows, deadline }: PlanStory['plan'], id: string): Held | undefined {
  return [...rows, ...(deadline === null ? [] : [deadline])].find((cap) => cap.id === id);
}

/** The limits under which a plan fits; none where it does, or where no limit helps. */
export function raisePanel(story: PlanStory): readonly Panel[] {
  const { hours, raise } = story;
  if (raise !== null) return [raisedPanel(story, raise)];
  const rows = raisedCaps(story).map(({ held, to }) =>
    fact(
      held.id,
      texts(limitText({ ...held, bound: to }, hours), ', ', figure(to - held.bound, held, hours), ' more'),
      'open',
    ),
  );
  const says = 'under which it fits as first planned';
  return rows.length === 0 ? [] : [panel('raise', 'Other limits', says, { t: 'facts', rows })];
}

/** A line for each limit alone, one for all together where that is another raise, and what changes with it. */
function raisedPanel({ plan, hours }: PlanStory, { alone, joint }: Raise): Panel {
  const say = ({ id, to, by, share }: GrownCap): Text => {
    const held = { id, unit: '', op: '<=' as const, ...findCap(plan, id), bound: to };
    const more = share === null ? figure(by, held, hours) : sayShare(share);
    return texts(limitText(held, hours), ': ', more, ' more');
  };
  const lines = alone.map((cap) => {
    if (cap.to === null) return fact(cap.id, cap.proven ? 'not by this limit alone' : 'not known', 'open');
    return fact(cap.id, texts(say(cap), cap.proven ? '' : ', not proven the least'), 'open');
  });
  const isSame = alone.length === 1 && joint?.caps.length === 1 && alone[0]?.to === joint.caps[0]?.to;
  const together = (joint?.caps ?? []).flatMap((cap, at) =>
    texts(at === 0 ? '' : '; ', `${cap.id} `, say(cap)),
  );
  const changes = joint?.changes ?? [];
  const words = changes.length > NAMED_MAX ? `${changes.length} changes` : changesText(changes);
  const proven = joint?.proven === false ? 'the best found, not proven' : 'proven';
  return panel('raise', 'Least raise', `each limit alone, then the smallest raise by share: ${proven}`, {
    t: 'facts',
    rows: [
      ...lines,
      ...(isSame || together.length === 0 ? [] : [fact('smallest', together, 'open')]),
      ...(changes.length === 0 ? [] : [fact('with', words)]),
    ],
  });
}

/** A share of a limit in percent, rounded up. */
function sayShare([above, bound]: readonly [number, number]): string {
  const tenths = (BigInt(above) * 1_000n + BigInt(bound) - 1n) / BigInt(bound);
  if (tenths === 0n) return 'less than 0.1 %';
  return `${grouped(tenths / 10n)}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`} %`;
}
