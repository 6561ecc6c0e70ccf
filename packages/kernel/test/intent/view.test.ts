import { readFileSync } from 'node:fs';
import { intent } from '@assay/kernel/intent';
import { intentView } from '@assay/kernel/intent-view';
import { viewable, type Picture, type Viewer } from '@assay/kernel/view';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../tools/laws.ts';
import { intentArbitraries } from './arbitraries.js';
import { native } from './tools.js';

const options = { sha256: native };

registerLaws({ describe, it }, 'intent', viewLaws(intentView, intent, intentArbitraries(), options), {
  runs: draws(200),
});

const GOLDENS = 'golden-fixtures';
const GOLDEN: readonly string[] = [
  'empty-seed',
  'hostile-text',
  'pin-veto',
  'proposer-gave-up',
  'several-proposers',
  'tie-by-name',
  'unicode',
].map((name) => `intent-${name}`);
const shown = viewable(intentView, intent, options);
const recordsOf = (name: string): readonly EvidenceRecord[] =>
  readFileSync(`${GOLDENS}/${name}/ledger.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
const viewed = (name: string): Viewer => {
  const [genesis, ...rest] = recordsOf(name) as readonly [EvidenceRecord, ...EvidenceRecord[]];
  let viewer = orThrow(shown.begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return viewer;
};
const ids = ({ panels }: Picture): readonly string[] => panels.map(({ id }) => id);

describe('pictures of intent', () => {
  it('golden runs have one, decided or refused as they ended', () => {
    for (const name of GOLDEN) {
      const viewer = viewed(name);
      const { verdict, panels } = viewer.show();
      expect(verdict, name).toBe(viewer.follower.outcome === 'success' ? 'Decided' : 'Refused');
      expect(panels.length, name).toBeGreaterThan(2);
      expect(viewer.files().map(({ json }) => json)).toEqual(Object.values(viewer.follower.artifacts));
    }
  });

  it('a decided run: request, readings, what decided, answers, claims', () => {
    const picture = viewed('intent-contradiction-settled').show();
    expect(ids(picture)).toEqual([
      'request',
      'scores',
      'why',
      'flips',
      'answers',
      'claims',
      'contradictions',
    ]);
  });

  it('a refused run says why, and what would settle it', () => {
    const picture = viewed('intent-below-min-score').show();
    expect([picture.verdict, picture.subject]).toEqual(['Refused', 'below_min_score']);
    expect(ids(picture)).toContain('refusal');
    expect(ids(picture)).toContain('scores');
  });

  it('a knob decides anew: no score reaches a least score of one', () => {
    const tried = orThrow(
      shown.tryOut(recordsOf('intent-clinic-reminders'), [{ id: 'min_score', to: 1_000_000 }]),
    );
    expect([tried.verdict, tried.subject, tried.unknown]).toEqual(['Refused', 'below_min_score', []]);
    expect(shown.tryOut(recordsOf('intent-unicode'), [{ id: 'weights.other', to: 1 }])).toMatchObject({
      left: { code: 'unknown_knob', detail: { id: 'weights.other' } },
    });
  });
});
