/**
 * Why this reading: scores, what decided, and what would have decided otherwise. What would have decided
 * otherwise, and the commands that try it. Source: intent I12.
 */
import { hashCanonical } from '../canonical/canonicalize.js';
import { nobleSha256 } from '../hash/sha256.js';
import { readClaimText } from '../intent/claim.js';
import { explainAnswers, type ExplainedReading, type Explanation } from '../intent/explain.js';
import { rankAnswers, type Grounds, FLIP_FAMILIES, type Change, type Flips } from '../intent/flip.js';
import { SeedText } from '../intent/seed.js';
import type { IntentState } from '../intent/state.js';
import type { Json } from '../json.js';
import { orThrow } from '../result.js';
import type { Fact, Panel, Piece, Row, StackRow, Text, Tone, NextMove } from '../view/picture.js';
import type { IntentFold } from './fold.js';
import { pinnable, pinsPanel, writtenOption, writtenPin, writtenValue } from './pins.js';
import { phraseOfVeto, type WordsOf } from './vetoes.js';

const hash = (value: Json): ReturnType<typeof nobleSha256> => orThrow(hashCanonical(value, nobleSha256));

/** The panels of the decision page; none where nothing can be decided again here. */
export function decisionPanels(seen: IntentFold, state: IntentState): readonly Panel[] {
  const grounds = findGrounds(seen, state);
  if (grounds === null) return [];
  const context = { run_id: seen.runId, hash };
  const explanation = explainAnswers(grounds, context);
  if (explanation.readings.length === 0) return [];
  return [
    scoresPanel(explanation, grounds, seen),
    ...criteriaPanel(explanation, seen),
    whyPanel(explanation, seen),
    flipsPanel(explanation.flips, grounds),
    ...pinsPanel(pinnable(grounds, context)),
  ];
}

/** What was decided on; null while the run is open, and where the request is in another ledger. */
function findGrounds({ request, status }: IntentFold, { setup, answers }: IntentState): Grounds | null {
  if (status === null || setup === null || request === null || hash(request) !== setup.seed_hash) return null;
  const given = answers.sorted().map(([, answer]) => answer);
  return { seedText: request, policy: setup.policy, pin: setup.pin, answers: given };
}

const FATES: Readonly<Record<ExplainedReading['fate'], Tone>> = {
  first: 'good',
  outscored: 'faint',
  pruned: 'faint',
  vetoed: 'bad',
};

function scoresPanel({ readings, run_id }: Explanation, grounds: Grounds, { decidedAt }: IntentFold): Panel {
  const scored = readings.find(({ parts }) => parts.length > 0)?.parts ?? [];
  const parts = scored.filter(({ applicable }) => applicable).map(({ criterion }) => criterion);
  const seed = new SeedText(grounds.seedText);
  const { vetoed } = rankAnswers(grounds, { run_id, hash });
  const findWords =
    ({ slot, index }: ExplainedReading): WordsOf =>
    (place) => {
      const out = vetoed.find(({ candidate }) => candidate.from.slot === slot && candidate.index === index);
      const claim = out?.candidate.claims[place];
      return claim === undefined ? null : readClaimText(claim, seed);
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
      note: renderNote(reading, findWords(reading)),
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

/** What each criterion found, and what it weighs. Empty where nothing was scored. */
function criteriaPanel({ readings }: Explanation, { decidedAt }: IntentFold): readonly Panel[] {
  const rows = readings.flatMap(({ name, parts }) =>
    parts
      .filter(({ applicable }) => applicable)
      .map(
        ({ criterion, ppm, num, den, weight }): Row => ({
          record: decidedAt,
          cells: [
            [{ said: name }],
            criterion,
            { n: ppm, unit: 'ppm', exact: criterion === 'agreement' ? null : `${num}/${den}` },
            { n: weight, unit: 'count', exact: null },
          ],
          tone: 'plain',
        }),
      ),
  );
  return rows.length === 0
    ? []
    : [
        {
          id: 'criteria',
          title: 'Criteria',
          says: 'The share each reading reached, and the weight of the criterion in the policy.',
          page: 'decision',
          left_out: 0,
          block: { t: 'table', columns: ['reading', 'criterion', 'share', 'weight'], rows },
        },
      ];
}

function renderNote(reading: ExplainedReading, wordsOf: WordsOf): Text {
  const { slot, index, proposer, source, vetoes, supporters } = reading;
  const others = supporters.filter((other) => other !== slot);
  const by: readonly Piece[] = [
    { said: slot },
    `/${index} by `,
    { said: proposer },
    source === 'synthetic' ? ' (synthetic, written by hand)' : ` (${source})`,
  ];
  return [
    ...by,
    ...others.flatMap((other, at): readonly Piece[] => [at === 0 ? ', and by ' : ', ', { said: other }]),
    ...vetoes.flatMap((veto) => [` · ${veto.code}: `, ...phraseOfVeto(veto, wordsOf)]),
  ];
}

/** The criterion and the blueprint count coverage differently. Source: intent I4, I10, I16. */
const COVERAGE =
  'The first reading against the next one. Coverage scores quantities, dates, "must" and "not" that claims ' +
  'take up; the blueprint counts every unit that a claim or a question quotes.';

const TIES: Readonly<Record<Explanation['tie_break'], string>> = {
  none: 'there is no other reading',
  total: 'by its total',
  demands: 'equal totals: by fewer demands',
  name: 'equal totals and demands: by name',
  commitments: 'equal totals, demands and names: by the hash of its commitments',
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
    says: COVERAGE,
    page: 'decision',
    left_out: 0,
    block: { t: 'facts', rows },
  };
}

/** For each family its smallest flip with the command that tries it, or that there is none. */
export function flipsPanel(flips: Flips | null, grounds: Grounds): Panel {
  const rows =
    flips === null
      ? []
      : FLIP_FAMILIES.map((family): Fact => {
          const { flip, tried, searched_all } = flips[family];
          const move = flip === null ? null : describeMove(flip.change);
          const none = `none${tried === 0 ? '' : ` of ${tried} tried`}${searched_all ? '' : '; not all were tried'}`;
          return {
            record: null,
            name: family,
            value:
              flip === null
                ? none
                : [...changeText(flip.change, grounds), ' → ', { said: flip.winner.name }, ' ranks first'],
            tone: flip === null ? 'faint' : 'open',
            ...(move === null ? {} : { move }),
          };
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

/** The command that tries a change; none takes out a claim. */
function describeMove(change: Change): NextMove | null {
  const args = listArguments(change);
  return args === null ? null : { command: 'whatif', args: ['{ledger}', ...args] };
}

function listArguments(change: Change): readonly string[] | null {
  switch (change.t) {
    case 'weight':
      return ['--set', `policy.weights.${change.criterion}=${change.to}`];
    case 'pin_removed':
      return ['--set', `input.pin.${change.key}`];
    case 'pin_added':
      return Object.entries(change.pin).flatMap(([key, value]) => [
        '--set',
        `input.pin.${key}=${writtenValue(writtenPin(key, value))}`,
      ]);
    case 'proposal_removed':
      return ['--without', change.slot];
    case 'commit_removed':
      return null;
  }
}

function changeText(change: Change, { seedText, answers }: Grounds): readonly Piece[] {
  switch (change.t) {
    case 'weight':
      return [`weight of ${change.criterion} ${change.from} → ${change.to}`];
    case 'pin_removed':
      return ['without the pin ', { said: change.key }];
    case 'pin_added':
      return [
        'with the pin ',
        {
          said: Object.entries(change.pin)
            .map(([key, value]) => writtenOption(key, writtenPin(key, value)))
            .join(', '),
        },
      ];
    case 'proposal_removed':
      return ['without the answer of ', { said: change.slot }];
    case 'commit_removed': {
      const answer = answers.find(({ slot }) => slot === change.slot);
      const reading = answer?.t === 'answered' ? answer.readings[change.index] : undefined;
      const commit = reading?.commits[change.commit];
      const words = commit === undefined ? '' : readClaimText(commit, new SeedText(seedText));
      return ['without claim ', { said: words }, ' of ', { said: reading?.name ?? '' }];
    }
  }
}
