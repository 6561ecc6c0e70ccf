/** What the machine recorded of its judgement of a plan, as the words of a checked plan take it. */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import type { Text } from '@assay/kernel/view';
import type { RepairSaid } from '../picture/repair.js';
import { coreText, texts, type CoreLine } from '../picture/words.js';
import type { PlannerState } from '../machine/state.js';

/** A bound of a judged plan, and how much it must grow. */
export type Raised = { readonly id: string; readonly to: number; readonly by: number };

/** Each broken constraint in words, with the tasks that break it; empty where none is. */
export function coreWords(judged: JsonObject | null): Text {
  const lines = listObjects(judged?.['before']);
  const said = listObjects(judged?.['cores']).flatMap((core) => {
    const [id] = isArray(core['constraints']) ? core['constraints'] : [];
    const line = lines.find((each) => each['id'] === id);
    return line === undefined ? [] : [coreText(makeLine(line), pairs(core['amounts']))];
  });
  return said.flatMap((text, index) => texts(index === 0 ? '' : '; ', text));
}

function makeLine({ kind, total, slack, id, unit, op, bound }: JsonObject): CoreLine {
  return { kind, total, slack, held: { id, unit, op, bound } } as unknown as CoreLine;
}

/** The repair of a judged plan; null where nothing had to be repaired. */
export function repairSaid({ judged, replans }: PlannerState): RepairSaid | null {
  const repair = judged?.['repair'];
  if (judged === null || repair === undefined || !isObject(repair)) return null;
  const { label, changes, confidence, cost, effort, unfinished = null, bound = null } = repair;
  const best = judged['core_best'];
  return {
    label,
    key: changes === undefined ? null : { changes, confidence, cost, effort },
    unfinished,
    bound,
    next: judged['next'],
    isNextComplete: judged['next_complete'],
    coreBest:
      best !== undefined && isObject(best)
        ? { constraints: best['constraints'], tasks: best['tasks'], isMinimal: best['minimal'] }
        : null,
    isFirst: replans === 0,
  } as unknown as RepairSaid;
}

/** The bounds under which a judged plan fits, where nothing else makes it; empty where it fits. */
export function raisedIn(judged: JsonObject | null): readonly Raised[] {
  const raise = judged?.['least_raise'];
  if (raise === undefined || !isObject(raise)) return [];
  const lines = listObjects(judged?.['before']);
  return pairs(raise['by']).flatMap(([id, by]) => {
    const bound = lines.find((each) => each['id'] === id)?.['bound'];
    return typeof bound === 'number' ? [{ id, to: bound + by, by }] : [];
  });
}

function pairs(value: Json | undefined): readonly (readonly [string, number])[] {
  return (isArray(value) ? value : []) as unknown as readonly (readonly [string, number])[];
}
