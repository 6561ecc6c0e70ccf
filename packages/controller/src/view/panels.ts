/** The panels of a controller run. */
import { isArray, isObject, type Json } from '@assay/kernel';
import type { Block, Cell, Fact, Knob, Line, Panel, Tone } from '@assay/kernel/view';
import { GGS_ROWS, type GgsPolicy } from '../ggs/policy.js';
import type { Figure } from '../ggs/rational.js';
import { BANDS, findCell, isTerminal, macroState, type Directive } from '../ggs/table.js';
import type { FinalResult } from '../loop/final-result.js';
import { ROLE_NAMES, type Role } from '../protocol/roles.js';
import { blockedBy, LANES, type ControlFold, type Round } from './fold.js';

/** Loss and its parts, round by round. */
export function lossPanel({ rounds }: ControlFold, { delta, theta }: GgsPolicy): Panel {
  const line = (name: string, key: 'L' | 'D' | 'P' | 'Omega', main: boolean): Line => ({
    name,
    main,
    step: false,
    points: rounds.map(({ evaluation }) => [evaluation.round, evaluation[key].ppm] as const),
  });
  return {
    id: 'loss',
    title: 'Progress',
    says: 'Loss by round, and its parts: 0 is done.',
    page: 'overview',
    left_out: 0,
    block: {
      t: 'series',
      x: { label: 'round', unit: 'count' },
      unit: 'ppm',
      lines: [
        line('loss', 'L', true),
        line('distance', 'D', false),
        line('implausibility', 'P', false),
        line('cost', 'Omega', false),
      ],
      limits: [
        { label: 'close enough', at: delta },
        { label: 'abandon', at: theta },
      ],
      marks: rounds.map(({ evaluation, record }) => ({
        record,
        x: evaluation.round,
        label: words(evaluation.directive),
        tone: chooseTone(evaluation.directive),
      })),
    },
  };
}

/** Plans, sub-tasks, calls, criteria and evidence. */
export function workPanel({ plans }: ControlFold): Panel {
  return {
    id: 'work',
    title: 'What was tried',
    says: 'Plans, sub-tasks, calls and criteria, with their evidence.',
    page: 'overview',
    left_out: 0,
    block: { t: 'tree', roots: plans },
  };
}

const SIDES = [false, true].flatMap((far) =>
  [false, true].flatMap((spent) => [false, true].map((logical) => ({ far, spent, logical }))),
);

/** The decision table with the rounds in its cells. */
export function cellsPanel({ rounds }: ControlFold): Panel {
  return {
    id: 'cells',
    title: 'The decision table',
    says: 'The cell of a round decides its directive; the numbers are rounds.',
    page: 'decision',
    left_out: 0,
    block: {
      t: 'grid',
      columns: SIDES.map(
        ({ far, spent, logical }) =>
          `${far ? 'far' : 'near'}, ${spent ? 'spent' : 'budget left'}, ${logical ? 'logical' : 'environmental'}`,
      ),
      rows: BANDS.map((band) => ({
        name: band,
        cells: SIDES.map((side) => {
          const directive = macroState({ band, ...side });
          const cell = findCell({ band, ...side });
          return {
            label: words(directive),
            tone: chooseTone(directive),
            visits: rounds
              .filter(({ evaluation }) => evaluation.cell === cell)
              .map(({ evaluation }) => String(evaluation.round)),
          };
        }),
      })),
    },
  };
}

/** Every round with its figures. */
export function roundsPanel({ rounds }: ControlFold): Panel {
  return {
    id: 'rounds',
    title: 'Rounds',
    says: 'Loss L, its gradient ∇, and its parts: distance D, implausibility P, cost Ω. Shown rounded down.',
    page: 'decision',
    left_out: 0,
    block: {
      t: 'table',
      columns: ['round', 'from', 'directive', 'reason', 'L', '∇', 'D', 'P', 'Ω', 'band', 'cell', 'blocks'],
      rows: rounds.map((round) => ({
        record: round.record,
        cells: roundCells(round),
        tone: chooseTone(round.evaluation.directive),
      })),
    },
  };
}

function roundCells({ evaluation }: Round): readonly Cell[] {
  const { round, prev_directive, directive, reason, L, grad_l, D, P, Omega, band, cell } = evaluation;
  const figure = ({ ppm, exact }: Figure): Cell => ({ n: ppm, unit: 'ppm', exact });
  const blocked = blockedBy(evaluation);
  return [
    { n: round, unit: 'count', exact: null },
    words(prev_directive),
    words(directive),
    words(reason),
    figure(L),
    figure(grad_l),
    figure(D),
    figure(P),
    figure(Omega),
    band,
    { n: cell, unit: 'count', exact: null },
    blocked.length === 0 ? null : blocked,
  ];
}

/** Why each round was followed by its directive. */
export function reasonsPanel({ rounds }: ControlFold): Panel {
  return {
    id: 'reasons',
    title: 'Why each directive',
    says: 'The steps of each decision.',
    page: 'decision',
    left_out: 0,
    block: {
      t: 'facts',
      rows: rounds.map(({ evaluation, record }) => ({
        record,
        name: `round ${evaluation.round}`,
        value: [{ said: evaluation.rationale }],
        tone: chooseTone(evaluation.directive),
      })),
    },
  };
}

/** Every message between roles. */
export function busPanel({ arrows, dropped }: ControlFold): Panel {
  return {
    id: 'bus',
    title: 'Who said what to whom',
    says: 'Every message between roles, in order.',
    page: 'course',
    left_out: dropped,
    block: {
      t: 'lanes',
      axis: { label: 'record', unit: 'record' },
      lanes: LANES.map((party) => ({ name: party, note: isRole(party) ? ROLE_NAMES[party] : '' })),
      spans: [],
      arrows,
    },
  };
}

/** Every recorded answer. */
export function answersPanel({ answers }: ControlFold): Panel {
  return {
    id: 'answers',
    title: 'Who answered',
    says: 'Every recorded answer except the clock.',
    page: 'course',
    left_out: 0,
    block: { t: 'table', columns: ['role', 'asked to', 'by', 'source', 'not accepted'], rows: answers },
  };
}

/** The final result; none while the run is open. */
export function resultPanels({ result }: ControlFold): readonly Panel[] {
  return result === null
    ? []
    : [
        {
          id: 'result',
          title: 'Final result',
          says: 'What was done, what is not met, what to do next, and which role failed.',
          page: 'result',
          left_out: 0,
          block: resultBlock(result.content, result.record),
        },
      ];
}

/** A final result as facts. */
export function resultBlock(result: FinalResult, record: number): Block {
  const { summary, output, partial, unmet, next_moves, accountable, costs } = result;
  const fact = (name: string, value: Cell, tone: Tone = 'plain'): Fact => ({ record, name, value, tone });
  return {
    t: 'facts',
    rows: [
      fact('summary', [{ said: summary }]),
      fact('output', output === null ? null : [{ said: jsonText(output) }]),
      ...partial.map(({ intent, status, output: brought }) =>
        fact('partial', [`${status}: `, { said: intent }, ' · ', { said: brought }], 'open'),
      ),
      ...unmet.map(({ text, verdict, hard, evidence }) =>
        fact(
          verdict === 'none' || verdict === 'not_run' ? 'not judged' : 'not met',
          [{ said: text }, ` · ${words(verdict)}${hard ? ' · hard' : ''} · `, { said: evidence }],
          'bad',
        ),
      ),
      ...next_moves.map(({ text }) => fact('next move', [{ said: text }])),
      ...accountable.map(({ role, failure }) =>
        fact('failed', `${role} ${ROLE_NAMES[role]}: ${words(failure)}`),
      ),
      fact('role calls', { n: costs.calls, unit: 'count', exact: null }),
      fact('longest chain', { n: costs.sequential_calls, unit: 'count', exact: null }),
      fact('tool calls', { n: costs.tool_calls, unit: 'count', exact: null }),
    ],
  };
}

/** JSON as text for people: keys in order, strings in quotes. */
function jsonText(value: Json): string {
  if (typeof value === 'string') return value;
  if (isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}: ${jsonText(item)}`)
    .join(', ')}}`;
}

/** The numbers of the goal gradient, as the policy has them. */
export function listKnobs(policy: GgsPolicy): readonly Knob[] {
  const knob = (
    name: 'epsilon' | 'delta' | 'rho' | 'theta' | 'max_replans' | 'law2_rounds',
    label: string,
    unit: 'ppm' | 'count' = 'ppm',
  ): readonly Knob[] => {
    const { form } = GGS_ROWS[name][1];
    if (form?.is !== 'integer') return [];
    const { min, max } = form;
    return [
      { id: `ggs.${name}`, label, unit, at: policy[name], min, max, step: unit === 'ppm' ? 10_000 : 1 },
    ];
  };
  return [
    knob('delta', 'distance that is close enough'),
    knob('theta', 'cost at which to abandon'),
    knob('rho', 'implausibility that is logical'),
    knob('epsilon', 'smallest change that counts'),
    knob('max_replans', 'directives', 'count'),
    knob('law2_rounds', 'worsening rounds', 'count'),
  ].flat();
}

/** A code in words. */
export function words(code: string): string {
  return code.replaceAll('_', ' ');
}

function chooseTone(directive: Directive): Tone {
  return directive === 'abandon' ? 'bad' : isTerminal(directive) ? 'good' : 'open';
}

function isRole(party: string): party is Role {
  return Object.hasOwn(ROLE_NAMES, party);
}
