/** Goals, what was tried for them, and who answered. Source: explorer/X5. */
import type { Branch, Panel, Tone } from '@assay/kernel/view';
import { sigmaPath, sigmaPpm } from '../machine/finishing.js';
import type { GoalNode } from '../machine/node.js';
import type { PlannerState } from '../machine/state.js';
import type { PlannerFold } from './fold.js';
import { quoted } from './panels.js';

const SHOWN_MAX = 2_000;
const PPM_OF_PERCENT = 10_000;

/** Goals with their state and confidence. */
export function goalsPanel(state: PlannerState): readonly Panel[] {
  if (!state.nodes.has(state.root)) return [];
  const room = { left: SHOWN_MAX };
  const builds = new Map<string, string[]>();
  for (const [key, { kind, parent }] of state.nodes)
    if (kind === 'build' && parent !== null) builds.set(parent, [...(builds.get(parent) ?? []), key]);
  const branch = (key: string): readonly Branch[] => {
    const node = state.nodes.get(key);
    if (node === undefined || room.left === 0) return [];
    room.left -= 1;
    const sigma = sigmaPpm(sigmaPath(state, key));
    const under = [...node.children, ...(builds.get(key) ?? []).toSorted((a, b) => (a < b ? -1 : 1))];
    return [
      {
        record: null,
        label: quoted(node.title),
        tag: node.status.replaceAll('_', ' '),
        tone: chooseTone(node),
        note:
          sigma === null
            ? ''
            : `σ ${percent(node.sigma_ppm ?? 0)}, on the path from the goal ${percent(sigma)}`,
        under: under.flatMap(branch),
      },
    ];
  };
  const roots = branch(state.root);
  return [
    {
      id: 'goals',
      title: 'Goals',
      says: 'Each goal, its result, and how sure it is.',
      page: 'course',
      left_out: Math.max(0, state.nodes.size - (SHOWN_MAX - room.left)),
      block: { t: 'tree', roots },
    },
  ];
}

/** Parts per million in whole percent, rounded down. */
function percent(ppm: number): string {
  return `${Math.floor(ppm / PPM_OF_PERCENT)} %`;
}

function chooseTone({ status }: GoalNode): Tone {
  if (status === 'resolved') return 'good';
  if (status === 'infeasible') return 'bad';
  return status === 'superseded' ? 'faint' : 'open';
}

/** Who answered, and what was tried, built and asked of people. */
export function coursePanels({ answers, growth, dropped }: PlannerFold): readonly Panel[] {
  return [
    {
      id: 'growth',
      title: 'Tried, built, hired, repaired',
      says: 'What followed from each verdict.',
      page: 'course',
      left_out: dropped,
      block: { t: 'table', columns: ['what', 'node', 'detail'], rows: growth },
    },
    {
      id: 'answers',
      title: 'Who answered',
      says: 'Every recorded answer.',
      page: 'course',
      left_out: 0,
      block: { t: 'table', columns: ['what', 'by', 'source', 'not accepted'], rows: answers },
    },
  ];
}
