/** The view of the planner: the laws of views, and what a person must see when it does not fit. */
import { readFileSync } from 'node:fs';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { viewable } from '@assay/kernel/view';
import { nativeSha256 } from '@assay/host';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { planner } from '../../src/index.js';
import { plannerView } from '../../src/view/index.js';
import { plannerArbitraries } from '../../tools/arbitraries.js';

const options = { sha256: nativeSha256 };

registerLaws({ describe, it }, 'planner', viewLaws(plannerView, planner, plannerArbitraries(), options), {
  runs: draws(80),
});

function shown(name: string) {
  const [genesis, ...rest] = readFileSync(`golden-fixtures/planner-${name}/ledger.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord) as [EvidenceRecord, ...EvidenceRecord[]];
  let viewer = orThrow(viewable(plannerView, planner, options).begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return viewer.show();
}

describe('pictures of a plan', () => {
  it('a repaired plan: tasks in time, core, the repair and what comes next', () => {
    const { verdict, panels } = shown('e1-agent');
    expect(verdict).toBe('It fits');
    expect(panels.map(({ id }) => id)).toEqual([
      'gantt',
      'lines',
      'core',
      'repair',
      'tasks',
      'goals',
      'growth',
      'answers',
      'result',
    ]);
    const repair = panels.find(({ id }) => id === 'repair')?.block;
    expect(repair?.t === 'facts' && repair.rows.slice(0, 3).map(({ value }) => value)).toEqual([
      [{ said: 't8.a' }],
      'exact',
      [{ said: 't8.b' }, ' for 40500'],
    ]);
    const core = panels.find(({ id }) => id === 'core')?.block;
    expect(core?.t === 'table' && core.rows[0]?.cells[1]).toEqual([
      { said: 't8 33000 + t7 9000 + t5 6000 + t4 4000' },
    ]);
  });

  it('a refused plan says so, with the least raise', () => {
    const { verdict, panels } = shown('e1c-hopeless');
    expect(verdict).toBe('Refused');
    const repair = panels.find(({ id }) => id === 'repair')?.block;
    expect(repair?.t === 'facts' && repair.rows.map(({ name, value }) => [name, value])).toEqual([
      ['repair', 'none, proven'],
      ['least raise', [{ said: 'cost 36501' }]],
    ]);
  });
});
