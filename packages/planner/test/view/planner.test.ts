/** The view of the planner: the laws of views, and what a person must see when it does not fit. */
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { viewable } from '@assay/kernel/view';
import { nativeSha256 } from '@assay/host';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { planner } from '../../src/index.js';
import { plannerView } from '../../src/view/index.js';
import { plannerArbitraries } from '../../tools/arbitraries.js';
import { readRecords } from '../../../kernel/tools/goldens.ts';

const options = { sha256: nativeSha256 };

registerLaws({ describe, it }, 'planner', viewLaws(plannerView, planner, plannerArbitraries(), options), {
  runs: draws(80),
});

function shown(name: string) {
  const [genesis, ...rest] = readRecords(`planner-${name}`) as unknown as [
    EvidenceRecord,
    ...EvidenceRecord[],
  ];
  let viewer = orThrow(viewable(plannerView, planner, options).begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return viewer.show();
}

describe('pictures of a plan', () => {
  it('a repaired plan: what it comes to, its limits, the repair and what comes next', () => {
    const { verdict, because, panels } = shown('e1-agent');
    expect(verdict).toBe('Fits with 1 change');
    expect(panels.map(({ id }) => id)).toEqual([
      'gantt',
      'limits',
      'repair',
      'raise',
      'schedule',
      'tasks',
      'growth',
      'answers',
    ]);
    const repair = panels.find(({ id }) => id === 'repair')?.block;
    expect(repair?.t === 'facts' && repair.rows.slice(0, 4).map(({ name, value }) => [name, value])).toEqual([
      ['t8', ['base becomes a']],
      ['confidence', '0.55 at least, of what changes'],
      ['cost', ['44,500 cents']],
      ['why not', ['t8.b for ', '40,500 cents', ': its confidence is 0.35, not 0.55']],
    ]);
    expect((because as readonly string[]).join('')).toMatch(
      /^as first planned, cost is 58,500 cents, 8,500 cents over: t8 /,
    );
    const tasks = panels.find(({ id }) => id === 'tasks')?.block;
    expect(tasks?.t === 'table' && tasks.rows.map(({ cells }) => cells[0])).toEqual(
      't1 t2 t3 t4 t5 t6 t7 t8 t9'.split(' '),
    );
  });

  it('a refused plan says so, with the least raise', () => {
    const { verdict, panels } = shown('e1c-hopeless');
    expect(verdict).toBe('Does not fit');
    const facts = (name: string) => {
      const block = panels.find(({ id }) => id === name)?.block;
      return block?.t === 'facts' ? block.rows.map((row) => [row.name, row.value]) : [];
    };
    expect(facts('repair')).toEqual([
      ['repair', 'none among 3 recorded combinations'],
      ['core', 'cost with t8, each at its best; none of them can be left out'],
    ]);
    expect(facts('raise')).toHaveLength(2);
  });
});
