import { readFileSync } from 'node:fs';
import { intent, rankAnswers, renderAtom, type Grounds } from '@assay/kernel/intent';
import { applyChange } from '../../src/intent/flip.js';
import { intentView, phraseOfVeto } from '@assay/kernel/intent-view';
import { viewable, type Picture, type Viewer } from '@assay/kernel/view';
import { follow, hashCanonical, orThrow, type Digest, type EvidenceRecord, type Json } from '@assay/kernel';
import { registerLaws, viewLaws } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { draws } from '../../tools/laws.ts';
import { intentArbitraries } from './arbitraries.js';
import { native } from './tools.js';
import { pinnable } from '../../src/intent-view/pins.js';

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
const groundsOf = (
  name: string,
): {
  readonly grounds: Grounds;
  readonly context: { readonly run_id: string; readonly hash: typeof hash };
} => {
  const [genesis, ...rest] = recordsOf(name) as readonly [EvidenceRecord, ...EvidenceRecord[]];
  let followed = orThrow(follow(intent, genesis, options));
  for (const record of rest) followed = orThrow(followed.feed(record));
  const { setup, answers } = followed.run.state;
  const { seed_text } = followed.genesis.input as { readonly seed_text: string };
  if (setup === null) throw new Error('not begun');
  const given = answers.sorted().map(([, answer]) => answer);
  return {
    grounds: { seedText: seed_text, policy: setup.policy, pin: setup.pin, answers: given },
    context: { run_id: followed.genesis.run_id, hash },
  };
};
const hash = (value: Json): Digest => orThrow(hashCanonical(value, native));
const ids = ({ panels }: Picture): readonly string[] => panels.map(({ id }) => id);

describe('pictures of intent', () => {
  it('a claim stands with its condition, and its exception, where they stand outside its quote', () => {
    const tree = viewed('intent-clinic-reminders')
      .show()
      .panels.find(({ id }) => id === 'claims')?.block;
    expect(JSON.stringify(tree)).toContain(
      '"the front desk must call once (if: If the patient has not confirmed within 24 hours)"',
    );
  });

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
      'criteria',
      'why',
      'flips',
      'pins',
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

  it('a pin is written as it is read, and no reading that says so conflicts with it', () => {
    for (const name of GOLDEN) {
      const viewer = viewed(name);
      const { grounds, context } = groundsOf(name);
      for (const { key, value, says, by } of pinnable(grounds, context)) {
        const own = pinnable(grounds, context).filter((other) => other.key === key && other.says !== says);
        const { vetoed } = rankAnswers(
          applyChange(grounds, { t: 'pin_added', pin: { [key]: value } }),
          context,
        );
        for (const { slot, index } of by) {
          // A reading that says two things of one key keeps neither pin.
          if (own.some((other) => other.by.some((one) => one.slot === slot && one.index === index))) continue;
          const found = vetoed.find(
            ({ candidate }) => candidate.from.slot === slot && candidate.index === index,
          );
          const against = (found?.vetoes ?? []).filter(
            (veto) => veto.code === 'pin_conflict' && renderAtom(veto.pinned.atom).includes(key),
          );
          expect(against, `${name} ${key}`).toEqual([]);
        }
      }
      expect(viewer.next()[0]).toEqual({ command: 'verify', args: ['{ledger}'] });
    }
  });

  it('a quote that is cut is not called a number that is not there', () => {
    const phrases = (['span', 'cut', 'number'] as const).map((rule) =>
      JSON.stringify(phraseOfVeto({ code: 'ungrounded', claim: 0, rule })),
    );
    expect(new Set(phrases).size).toBe(3);
    expect(phrases[1]).toContain('part of a word');
  });

  it('each flip has the command that tries it, as what is to be set', () => {
    const flips = viewed('intent-pin-veto')
      .show()
      .panels.find(({ id }) => id === 'flips')?.block;
    expect(flips?.t === 'facts' && flips.rows.flatMap(({ move }) => move ?? [])).toEqual([
      { command: 'whatif', args: ['{ledger}', '--set', 'input.pin.no_card_data'] },
    ]);
  });

  it('the panels of one page are those that it has among all', () => {
    const viewer = viewed('intent-pin-veto');
    const { panels } = viewer.show();
    for (const page of ['overview', 'decision', 'course', 'result'] as const)
      expect(viewer.show([page]).panels).toEqual(panels.filter((panel) => panel.page === page));
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
