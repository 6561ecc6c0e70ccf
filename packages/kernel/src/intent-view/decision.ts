/**
 * Why this reading: scores, what decided, and what would have decided otherwise.
 *
 * @module
 */
import { hashCanonical } from '../canonical/canonicalize.js';
import { nobleSha256 } from '../hash/sha256.js';
import { textOf } from '../intent/claim.js';
import { explainAnswers, type ExplainedReading, type Explanation } from '../intent/explain.js';
import { FLIP_FAMILIES, rankAnswers, type Change, type Grounds } from '../intent/flip.js';
import { SeedText } from '../intent/seed.js';
import type { IntentState } from '../intent/state.js';
import type { Json } from '../json.js';
import { orThrow } from '../result.js';
import type { Fact, Panel, Piece, StackRow, Text, Tone } from '../view/picture.js';
import type { IntentFold } from './fold.js';
import { phraseOfVeto, type WordsOf } from './vetoes.js';

const hash = (value: Json): ReturnType<typeof nobleSha256> => orThrow(hashCanonical(value, nobleSha256));

/** The panels of the decision page; none while the run is open, or where the request is in another ledger. */
export function decisionPanels(seen: IntentFold, state: IntentState): readonly Panel[] {
  const { setup, answers } = state;
  const { request, runId, status } = seen;
  if (status === null || setup === null || request === null || hash(request) !== setup.seed_hash) return [];
  const grounds: Grounds = {
    seedText: request,
    policy: setup.policy,
    pin: setup.pin,
    answers: answers.sorted().map(([, answer]) => answer),
  };
  const explanation = explainAnswers(grounds, { run_id: runId, hash });
  if (explanation.readings.length === 0) return [];
  return [
    scoresPanel(explanation, grounds, seen, hash),
    whyPanel(explanation, seen),
    flipsPanel(explanation, grounds),
  ];
}

const FATES: Readonly<Record<ExplainedReading['fate'], Tone>> = {
  first: 'good',
  outscored: 'faint',
  pruned: 'faint',
  vetoed: 'bad',
};

function scoresPanel(
  { readings, run_id }: Explanation,
  grounds: Grounds,
  { decidedAt }: IntentFold,
  hashOf: typeof hash,
): Panel {
  const scored = readings.find(({ parts }) => parts.length > 0)?.parts ?? [];
  const parts = scored.filter(({ applicable }) => applicable).map(({ criterion }) => criterion);
  const seed = new SeedText(grounds.seedText);
  const { vetoed } = rankAnswers(grounds, { run_id, hash: hashOf });
  const wordsOf =
    ({ slot, index }: ExplainedReading): WordsOf =>
    (place) => {
      const out = vetoed.find(({ candidate }) => candidate.from.slot === slot && candidate.index === index);
      const claim = out?.candidate.claims[place];
      return claim === undefined ? null : textOf(claim, seed);
    };
  const rows = readings.map(
    (reading): StackRow => ({
      record: decidedAt,
      label: [{ said: reading.name }],
      values: parts.map(
        (criterion) => reading.parts.find((part) => part.criterion === criterion)?.contribution ?? null,
      ),
      total: reading.total,
      tag: reading.fate,
      tone: FATES[reading.fate],
      note: noteOf(reading, wordsOf(reading)),
    }),
  );
  return {
    id: 'scores',
    title: 'Readings',
    says: 'What each criterion brings to the total. A vetoed reading has no score.',
    page: 'decision',
    left_out: 0,
    block: {
      t: 'stack',
      unit: 'ppm',
      parts,
      limits: [{ label: 'min score', at: grounds.policy.min_score }],
      rows,
    },
  };
}

function noteOf(reading: ExplainedReading, wordsOf: WordsOf): Text {
  const { slot, index, proposer, source, vetoes } = reading;
  const by: readonly Piece[] = [
    { said: slot },
    `/${index} by `,
    { said: proposer },
    source === 'synthetic' ? ' (synthetic, written by hand)' : ` (${source})`,
  ];
  return [...by, ...vetoes.flatMap((veto) => [` · ${veto.code}: `, ...phraseOfVeto(veto, wordsOf)])];
}

const TIES: Readonly<Record<Explanation['tie_break'], string>> = {
  none: 'there is no other reading',
  total: 'by its total',
  name: 'equal totals: the first by name',
  commitments: 'equal totals and names: the first by the hash of its commitments',
};

function whyPanel({ readings, margin, tie_break }: Explanation, { decidedAt }: IntentFold): Panel {
  const [first, second] = readings.filter(({ total }) => total !== null);
  const ahead = (first?.parts ?? []).flatMap(({ criterion, contribution }) => {
    const other = second?.parts.find((part) => part.criterion === criterion)?.contribution ?? 0;
    return contribution === other ? [] : [{ criterion, by: contribution - other }];
  });
  const fact = (name: string, value: Fact['value'], tone: Tone = 'plain'): Fact => ({
    record: decidedAt,
    name,
    value,
    tone,
  });
  const rows =
    first === undefined
      ? [fact('first', 'no reading is left: each was vetoed', 'bad')]
      : [
          fact('first', [{ said: first.name }]),
          fact('decided', TIES[tie_break]),
          fact('margin', { n: margin, unit: 'ppm', exact: null }),
          ...(second === undefined
            ? []
            : ahead
                .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))
                .map(({ criterion, by }) => fact(`from ${criterion}`, { n: by, unit: 'ppm', exact: null }))),
        ];
  return {
    id: 'why',
    title: 'What decided',
    says: 'The first reading against the next one.',
    page: 'decision',
    left_out: 0,
    block: { t: 'facts', rows },
  };
}

function flipsPanel({ flips }: Explanation, grounds: Grounds): Panel {
  const rows = FLIP_FAMILIES.flatMap((family): readonly Fact[] => {
    if (flips === null) return [];
    const { flip, tried, searched_all } = flips[family];
    const none = `none${tried === 0 ? '' : ` of ${tried} tried`}${searched_all ? '' : '; not all were tried'}`;
    return [
      {
        record: null,
        name: family,
        value:
          flip === null ? none : [...changeText(flip.change, grounds), ' → ', { said: flip.winner.name }],
        tone: flip === null ? 'faint' : 'open',
      },
    ];
  });
  return {
    id: 'flips',
    title: 'What would have decided otherwise',
    says: 'The smallest change of each kind, found by deciding again.',
    page: 'decision',
    left_out: 0,
    block: { t: 'facts', rows },
  };
}

function changeText(change: Change, { seedText, answers }: Grounds): readonly Piece[] {
  switch (change.t) {
    case 'weight':
      return [`weight of ${change.criterion} ${change.from} → ${change.to}`];
    case 'pin_removed':
      return ['without the pin ', { said: change.key }];
    case 'pin_added':
      return ['with the pin ', { said: Object.keys(change.pin).join(', ') }];
    case 'proposal_removed':
      return ['without the answer of ', { said: change.slot }];
    case 'commit_removed': {
      const answer = answers.find(({ slot }) => slot === change.slot);
      const reading = answer?.t === 'answered' ? answer.readings[change.index] : undefined;
      const commit = reading?.commits[change.commit];
      const words = commit === undefined ? '' : textOf(commit, new SeedText(seedText));
      return ['without claim ', { said: words }, ' of ', { said: reading?.name ?? '' }];
    }
  }
}
