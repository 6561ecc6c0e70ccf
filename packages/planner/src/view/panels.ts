/** Money of the run, and what is open. Text of evidence is quoted. Source: explorer/X5. */
import type { Fact, Panel, Text } from '@assay/kernel/view';
import { sayOff } from '../machine/calibrating.js';
import { remaining } from '../machine/node.js';
import type { PlannerState } from '../machine/state.js';
import type { PlannerFold } from './fold.js';

/** Text of evidence. */
export function quoted(text: string): Text {
  return [{ said: text }];
}

/** A number of what a row or the clock counts. */
function count(n: number): { readonly n: number; readonly unit: 'count'; readonly exact: null } {
  return { n, unit: 'count', exact: null };
}

/** Money of the run: spent, held for open requests, left. */
export function budgetPanel(state: PlannerState): readonly Panel[] {
  if (state.units.length === 0) return [];
  const sums = state.units.map(() => ({ spent: 0, reserved: 0, left: 0 }));
  for (const [, { account }] of state.nodes)
    for (const [unit, left] of remaining(account).entries()) {
      const sum = sums[unit];
      if (sum === undefined) continue;
      sum.spent += account.spent[unit] ?? 0;
      sum.reserved += account.reserved[unit] ?? 0;
      sum.left += left;
    }
  return [
    {
      id: 'budget',
      title: 'Budget of this run',
      says: 'What was granted is spent, reserved or left.',
      page: 'overview',
      left_out: 0,
      block: {
        t: 'stack',
        unit: 'count',
        parts: ['spent', 'reserved', 'left'],
        limits: [],
        rows: state.units.map((unit, at) => {
          const { spent = 0, reserved = 0, left = 0 } = sums[at] ?? {};
          return {
            record: null,
            label: quoted(unit),
            values: [spent, reserved, Math.max(0, left)],
            total: spent + reserved + left,
            tag: '',
            tone: left < 0 ? ('bad' as const) : ('plain' as const),
            note: left < 0 ? 'overdrawn' : '',
          };
        }),
      },
    },
  ];
}

/** Open questions and what nobody checks; none where nothing is open. */
export function resultPanel(state: PlannerState, { report }: PlannerFold): readonly Panel[] {
  const record = report?.record ?? null;
  const { unchecked = [] } = state.plans.get(state.root) ?? {};
  const { calibrated = [] } = state.nodes.get(state.root) ?? {};
  const counted = (name: string, n: number): readonly Fact[] =>
    n === 0 ? [] : [{ record, name, value: count(n), tone: 'plain' }];
  const listed = (name: string, all: readonly string[]): readonly Fact[] =>
    all.map((text) => ({ record, name, value: quoted(text), tone: 'open' }));
  const rows = [
    ...counted('planned again', state.replans),
    ...counted('calls over their bound', state.overruns),
    ...listed('estimates of alike goals', calibrated.map(sayOff)),
    ...listed('not checked', unchecked),
    ...listed('question', state.questions),
  ];
  if (rows.length === 0) return [];
  const [title, says] = ['Also', 'Questions, what nothing checks, and how often it was planned again.'];
  return [{ id: 'result', title, says, page: 'result', left_out: 0, block: { t: 'facts', rows } }];
}
