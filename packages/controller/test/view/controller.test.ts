import { nativeSha256 } from '@assay/host';
import { controller, roundsIn } from '@assay/controller';
import { controllerView } from '@assay/controller/view';
import { viewable, type Block, type Picture, type Viewer } from '@assay/kernel/view';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { play, policyWith, willing } from '../lib/playing.js';
import { listGoldens, readRecords } from '../../../kernel/tools/goldens.ts';

const options = { sha256: nativeSha256 };

registerLaws(
  { describe, it },
  'controller',
  viewLaws(controllerView, controller, controllerArbitraries(), options),
  { runs: draws(120) },
);

const shown = viewable(controllerView, controller, options);
const viewed = (records: readonly EvidenceRecord[]): Viewer => {
  const [genesis, ...rest] = records as readonly [EvidenceRecord, ...EvidenceRecord[]];
  let viewer = orThrow(shown.begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return viewer;
};
/** The picture of a golden run, folded once. */
const pictures = new Map<string, ReturnType<typeof pictureOf>>();
const pictureOf = (name: string): { readonly picture: Picture; readonly outcome: string | null } => {
  const viewer = viewed(readRecords(name));
  return { picture: viewer.show(), outcome: viewer.follower.outcome };
};
const goldenPicture = (name: string): ReturnType<typeof pictureOf> => {
  const made = pictures.get(name) ?? pictureOf(name);
  pictures.set(name, made);
  return made;
};
const blockOf = ({ panels }: Picture, id: string): Block | undefined =>
  panels.find((panel) => panel.id === id)?.block;

describe('pictures of the controller', () => {
  const names = listGoldens('controller');

  it('every golden run has one, with each round at its record and in its cell', () => {
    for (const name of names) {
      const { picture, outcome } = goldenPicture(name);
      const rounds = roundsIn(readRecords(name));
      expect(picture.verdict, name).toBe(outcome === 'success' ? 'Done' : 'Abandoned');
      const table = blockOf(picture, 'rounds');
      expect(table?.t === 'table' ? table.rows.map(({ record }) => record) : []).toEqual(
        rounds.map(({ record }) => record),
      );
      const grid = blockOf(picture, 'cells');
      const cells = grid?.t === 'grid' ? grid.rows.flatMap((row) => row.cells) : [];
      expect(cells.flatMap(({ visits }, index) => visits.map((round) => [round, index + 1]))).toEqual(
        rounds
          .map(({ round, cell }) => [String(round), cell])
          .toSorted(([a, x], [b, y]) => Number(x) - Number(y) || Number(a) - Number(b)),
      );
    }
  });

  it('shows the evidence on each criterion, in the plan it belongs to', () => {
    const tree = blockOf(goldenPicture('controller-correction').picture, 'work');
    const tags = tree?.t === 'tree' ? tree.roots.flatMap(({ under }) => under.map(({ tag }) => tag)) : [];
    expect(tags).toContain('matched');
    expect(JSON.stringify(tree)).toContain('do it again');
  });

  it('tells every call with what decided it: what was allowed, held, turned away, and what a person said', () => {
    const told = (name: string): string => JSON.stringify(blockOf(goldenPicture(name).picture, 'work'));
    const accepted = told('controller-e2e-accept');
    expect(accepted).toContain('"label":["1 ",{"said":"write_file"}," ",{"said":"report.md"}],"tag":"ok"');
    expect(accepted).toMatch(/"label":\["next: ",\{"said":"find_files"\}\]/);
    expect(accepted).toMatch(/"says done, rests on calls? \d/);
    const unconfirmed = told('controller-unconfirmed');
    expect(unconfirmed).toMatch(/asks a person: /);
    expect(unconfirmed).toMatch(/is (?:not )?allowed","tag":"a person"/);
    const all = names.map(told).join('');
    expect([all.includes('"label":"turned away"'), all.includes('decided by ')]).toEqual([true, true]);
  });

  it.each([
    ['no move at all', { t_us: -1 }, 'executor_exhausted'],
    [
      'a call that it may not make',
      { t: 'call', calls: [{ tool: 'none', input: null }], why: '' },
      'unknown_tool',
    ],
    ['a claim that rests on nothing', { t: 'done', output: '', rests_on: [7] }, 'unknown_call'],
  ])('tells that %s was turned away, the last of its attempts too', (_, value, code) => {
    const { records } = play(policyWith(), { ...willing, step: () => ({ value }) });
    const text = JSON.stringify(blockOf(viewed(records).show(), 'work'));
    expect(text).toContain(`"label":"turned away","tag":"${code}"`);
    expect(text).not.toMatch(/next: |says done/);
  });

  it('a knob decides anew, and what can no longer be known is said', () => {
    const tried = orThrow(
      shown.tryOut(readRecords('controller-c2-loss'), [{ id: 'ggs.delta', to: 999_999 }]),
    );
    expect(tried.verdict).not.toBe('');
    expect(shown.tryOut(readRecords('controller-c2-loss'), [{ id: 'ggs.none', to: 1 }])).toMatchObject({
      left: { code: 'unknown_setting' },
    });
    expect(
      viewed(readRecords('controller-c2-loss'))
        .knobs()
        .map(({ id }) => id),
    ).toContain('ggs.epsilon');
  });
});
