import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { viewable, type Block, type Picture, type View } from '@assay/kernel/view';
import { openPoll, tally, tallyLedger, type TallyState } from '@assay/testing';
import { tallyView } from '@assay/testing/tally-view';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('viewable', () => {
  const many = (t: Block['t']): Block => {
    const rows = Array.from({ length: 2_500 }, (_, n) => ({ record: null, tone: 'plain' as const, n }));
    switch (t) {
      case 'series':
        return {
          t,
          x: { label: 'x', unit: 'count' },
          unit: 'count',
          lines: [
            {
              name: 'l',
              main: true,
              step: false,
              points: Array.from({ length: 9_000 }, (_, x) => [x, x === 4_567 ? 9 : 0]),
            },
          ],
          limits: [],
          marks: [],
        };
      case 'tree':
        return {
          t,
          roots: rows.map(({ n, ...at }) => ({
            ...at,
            label: `${n}`,
            tag: '',
            note: '',
            under: [{ ...at, label: '', tag: '', note: '', under: [] }],
          })),
        };
      default:
        return {
          t: 'facts',
          rows: rows.map(({ n, ...at }) => ({ ...at, name: `${n}`, value: 'x'.repeat(5_000) })),
        };
    }
  };
  const shownWith = (t: Block['t']): Picture => {
    const view: View<TallyState, null> = {
      ...tallyView,
      start: () => null,
      fold: () => null,
      describe: () => ({ text: '', tone: 'plain' }),
      show: () => ({
        ...tallyView.show({ rows: [], status: null }, { ...emptyState }, []),
        panels: Array.from({ length: 18 }, (_, n) => ({
          id: `${n}`,
          title: '',
          says: '',
          page: 'overview',
          block: many(t),
          left_out: 1,
        })),
      }),
      knobs: () => [],
      files: () => [],
      next: () => [],
    };
    return orThrow(viewable(view, tally).begin(genesis)).show();
  };
  const opened = openPoll({ voters: 1, quorum: 1 });
  const emptyState = opened.run.state;
  const [genesis] = opened.records as readonly [EvidenceRecord];

  it('holds every picture to the bounds, and counts what it leaves out', () => {
    const facts = shownWith('facts');
    expect(facts.panels).toHaveLength(16);
    expect(facts.panels.map(({ left_out }) => left_out)).toEqual([...Array<number>(15).fill(501), 503]);
    const { block } = facts.panels[0] ?? {};
    expect(block?.t === 'facts' && block.rows.length === 2_000 && block.rows[0]?.value).toHaveLength(4_000);
    const tree = shownWith('tree').panels[0];
    expect(tree?.left_out).toBe(3_001);
  });

  it('keeps the peaks of a line', () => {
    const block = shownWith('series').panels[0]?.block;
    const points = block?.t === 'series' ? (block.lines[0]?.points ?? []) : [];
    expect(points).toHaveLength(2_000);
    expect(points.filter(([, y]) => y === 9)).toEqual([[4_567, 9]]);
  });

  it('shows what was erased and is derived again', () => {
    const records = fc.sample(tallyLedger({ isClosed: true }), { numRuns: 1, seed: 7 })[0]?.records ?? [];
    const whole = records.map((record) => {
      const { payload: _, ...rest } = record;
      return record.kind === 'decision' ? rest : record;
    });
    const pictureOf = (ledger: readonly EvidenceRecord[]): Picture => {
      const [first, ...rest] = ledger as readonly [EvidenceRecord, ...EvidenceRecord[]];
      let viewer = orThrow(viewable(tallyView, tally).begin(first));
      for (const record of rest) viewer = orThrow(viewer.feed(record));
      return viewer.show();
    };
    expect(pictureOf(whole)).toEqual(pictureOf(records));
  });

  it('says what can no longer be known under another policy', () => {
    const { tryOut } = viewable(tallyView, tally);
    expect(tryOut(opened.records, [{ id: 'quorum', to: 0 }])._tag).toBe('Left');
    expect(tryOut(opened.records, [{ id: 'other', to: 1 }])).toMatchObject({
      left: { code: 'unknown_knob' },
    });
    expect(orThrow(tryOut(opened.records, [{ id: 'quorum', to: 1 }])).unknown).toEqual([
      'ballot (1.0)',
      'notice (1.1)',
    ]);
  });
});
