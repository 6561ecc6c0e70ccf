import type { Block, Picture } from '@assay/kernel/view';
import { registerLaws, tally, viewLaws, type TallyState } from '@assay/testing';
import { tallyView } from '@assay/testing/tally-view';
import { describe, expect, it } from 'vitest';
import { LAW_DRAWS } from '../../../kernel/tools/laws.ts';
import { native } from './native.js';
import { tallyArbitraries } from '../../src/machines/tally-arbitraries.js';
import { VIEW_LAW_NAMES } from '../../src/laws/law.js';

const lawsOf = (view: typeof tallyView): ReturnType<typeof viewLaws> =>
  viewLaws(view, tally, tallyArbitraries(), { sha256: native });

registerLaws({ describe, it }, 'tally keeps every law of a view', lawsOf(tallyView), { runs: LAW_DRAWS });

/** The law that a broken view breaks first. */
const brokenLaw = (view: typeof tallyView): string | undefined =>
  lawsOf(view).find(({ check }) => {
    try {
      check(20);
      return false;
    } catch {
      return true;
    }
  })?.name;

const changed = (change: (picture: Picture, state: TallyState) => Picture): typeof tallyView => ({
  ...tallyView,
  show: (fold, state, pages) => change(tallyView.show(fold, state, pages), state),
});

describe('viewLaws', () => {
  it('lists every law of a view', () => {
    expect(lawsOf(tallyView).map(({ name }) => name)).toEqual(VIEW_LAW_NAMES);
  });

  it('finds a view that throws', () => {
    const view: typeof tallyView = {
      ...tallyView,
      describe: (record, fold) => {
        if (record.kind === 'close') throw new RangeError('a close');
        return tallyView.describe(record, fold);
      },
    };
    expect(brokenLaw(view)).toBe('view/total');
  });

  it('finds a picture whose parts do not fit', () => {
    const block: Block = { t: 'table', columns: [], rows: [{ record: null, cells: [null], tone: 'plain' }] };
    expect(
      brokenLaw(
        changed((picture) => ({ ...picture, panels: picture.panels.map((one) => ({ ...one, block })) })),
      ),
    ).toBe('view/bounded');
  });

  it('finds a view that remembers', () => {
    let calls = 0;
    expect(brokenLaw(changed((picture) => ({ ...picture, verdict: `shown ${(calls += 1)} times` })))).toBe(
      'view/split-equals-whole',
    );
  });

  it('finds evidence that passes for ours', () => {
    expect(brokenLaw(changed((picture, { question }) => ({ ...picture, subject: question })))).toBe(
      'view/said-is-marked',
    );
  });

  it('finds a knob that says another number than the run has', () => {
    expect(
      brokenLaw({
        ...tallyView,
        knobs: (fold, state) => tallyView.knobs(fold, state).map((knob) => ({ ...knob, at: knob.at + 1 })),
      }),
    ).toBe('tryOut/no-change-is-the-same');
  });
});
