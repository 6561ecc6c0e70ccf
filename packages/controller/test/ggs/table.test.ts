/**
 * The decision table against the printed one and against a second computation in Python's exact fractions
 * (tools/ggs_goldens.py). Source: 002 §R7 "Full 24-cell enumeration"; law-G2, law-G3, law-G15; dec-G1,
 * dec-G2.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { literalGgsPolicy } from '../../src/index.js';
import type { GgsEvaluation } from '../../src/ggs/evaluation.js';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import type { GgsInput } from '../../src/ggs/input.js';
import { defaultGgsPolicy } from '../../src/ggs/policy.js';
import { parseRational, ratio, type Rational } from '../../src/ggs/rational.js';
import { BANDS, findCell, macroState, findPlace, type Place } from '../../src/ggs/table.js';
import { criteria, follow, round } from '../../tools/ggs-rounds.js';

type CellRow = readonly [cell: number, band: string, d: string, p: string, omega: string, directive: string];
type GridRow = readonly [
  gradient: string,
  d: string,
  p: string,
  omega: string,
  cell: number,
  directive: string,
];
type Expected = Readonly<
  Record<'D' | 'P' | 'Omega' | 'L' | 'grad_l' | 'grad_task' | 'epsilon' | 'band' | 'directive', string>
> & { readonly worsening_count: number; readonly cell: number; readonly reason: string | null };
type Trace = {
  readonly title: string;
  readonly policy: 'default' | 'literal';
  readonly rounds: readonly (readonly [
    total: number,
    logical: number,
    environmental: number,
    elapsed: number,
  ])[];
  readonly expected: readonly Expected[];
};

function golden(name: string): string {
  return readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8');
}

const cells: readonly CellRow[] = JSON.parse(golden('ggs-cells.json'));
const grid: readonly GridRow[] = JSON.parse(golden('ggs-grid.json'));
const traces: readonly Trace[] = JSON.parse(golden('ggs-traces.json'));

function exact(text: string): Rational {
  const value = parseRational(text);
  if (value === null) throw new RangeError(text);
  return value;
}

function placed([, band, d, p, omega]: CellRow): Place {
  const known = BANDS.find((name) => name === band);
  if (known === undefined) throw new RangeError(band);
  return {
    band: known,
    far: d === 'above delta',
    logical: p === 'above rho',
    spent: omega === 'at least theta',
  };
}

/**
 * A round that lies in a cell, from verdicts and stamps: the past is set so that the gradient comes out
 * right.
 */
function roundIn({ band, far, logical, spent }: Place): GgsInput {
  const d = far
    ? logical
      ? criteria(10, 10, 0)
      : criteria(10, 0, 10)
    : logical
      ? criteria(10, 1, 0)
      : criteria(10, 0, 1);
  const first = evaluateGgs(defaultGgsPolicy, round({ criteria: d }));
  const before =
    band === 'improving' ? '2/1' : band === 'worsening' ? '-1/1' : (first.history.last?.task ?? '');
  const history = {
    ...first.history,
    last: { loss: '0/1', task: before, distance: '1/1', band: 'plateau' as const },
  };
  return round({ criteria: d, history, replan_count: spent ? 3 : 1 });
}

describe('law-G2 ggs/printed-cells: the 24 cells, and each boundary on either side', () => {
  it('has the 24 printed cells', () => {
    expect(cells.map(([cell]) => cell)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    for (const row of cells)
      expect([findCell(placed(row)), macroState(placed(row))]).toEqual([row[0], row[5]]);
  });

  it('is reached cell by cell from verdicts and stamps', () => {
    for (const row of cells) {
      const evaluation = evaluateGgs(defaultGgsPolicy, roundIn(placed(row)));
      expect([evaluation.cell, evaluation.directive], String(row)).toEqual([row[0], row[5]]);
    }
  });

  it('puts every boundary and one part per million on either side of it where a second computation puts them', () => {
    expect(grid).toHaveLength(7 * 3 * 3 * 3);
    for (const [gradient, d, p, omega, cell, directive] of grid) {
      const place = findPlace(
        exact(gradient),
        ratio(1, 10),
        exact(d),
        exact(p),
        exact(omega),
        defaultGgsPolicy,
      );
      expect([findCell(place), macroState(place)], `${gradient} ${d} ${p} ${omega}`).toEqual([
        cell,
        directive,
      ]);
    }
  });
});

describe('law-G3 ggs/cell-counts', () => {
  it('are 12 abandon, 6 success, 1 break_symmetry, 2 change_approach, 1 change_path, 2 refine', () => {
    const counts = new Map<string, number>();
    for (const row of cells)
      counts.set(macroState(placed(row)), (counts.get(macroState(placed(row))) ?? 0) + 1);
    expect([...counts].toSorted()).toEqual([
      ['abandon', 12],
      ['break_symmetry', 1],
      ['change_approach', 2],
      ['change_path', 1],
      ['refine', 2],
      ['success', 6],
    ]);
  });
});

describe('dec-G13: the threshold of signal by the number of criteria', () => {
  it.each([
    [2, '1/10', '1/10'],
    [3, '1/10', '1/10'],
    [4, '3/40', '1/10'],
    [10, '3/100', '1/10'],
  ])('%i criteria: %s per criterion, %s fixed', (total, per, fixed) => {
    const input = round({ criteria: criteria(total, 0, total) });
    expect(evaluateGgs(defaultGgsPolicy, input).epsilon_effective.exact).toBe(per);
    expect(evaluateGgs({ ...defaultGgsPolicy, epsilon_mode: 'fixed' }, input).epsilon_effective.exact).toBe(
      fixed,
    );
  });

  it('one of ten criteria is signal per criterion and none when fixed', () => {
    const rounds = [{ criteria: criteria(10, 0, 10) }, { criteria: criteria(10, 0, 9) }];
    expect(follow(defaultGgsPolicy, rounds).at(-1)?.band).toBe('improving');
    expect(follow({ ...defaultGgsPolicy, epsilon_mode: 'fixed' }, rounds).at(-1)?.band).toBe('plateau');
  });
});

describe('law-G15 ggs/literal-numbers: traces, default and literal, as a second computation has them', () => {
  it.each(traces.map((trace) => [`${trace.title}, ${trace.policy}`, trace] as const))(
    '%s',
    (_name, { policy, rounds, expected }) => {
      const inputs = rounds.map(([total, logical, environmental, elapsed_us]) => ({
        criteria: criteria(total, logical, environmental),
        elapsed_us,
      }));
      const evaluations = follow(policy === 'literal' ? literalGgsPolicy : defaultGgsPolicy, inputs);
      expect(evaluations.map(figures)).toEqual(
        expected.map((one) => ({ ...one, reason: one.reason ?? 'action' })),
      );
    },
  );
});

/** An evaluation as the traces write it. */
function figures({
  D,
  P,
  Omega,
  L,
  grad_l,
  grad_task,
  epsilon_effective,
  band,
  worsening_count,
  cell,
  directive,
  reason,
}: GgsEvaluation): Expected {
  const isAction = /^(?:stuck|signal)_/.test(reason);
  return {
    D: D.exact,
    P: P.exact,
    Omega: Omega.exact,
    L: L.exact,
    grad_l: grad_l.exact,
    grad_task: grad_task.exact,
    epsilon: epsilon_effective.exact,
    band,
    worsening_count,
    cell,
    directive,
    reason: isAction ? 'action' : reason,
  };
}
