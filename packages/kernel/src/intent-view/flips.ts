/**
 * What would have decided otherwise, and the commands that try it. Source: intent I12.
 *
 * @module
 */
import { readClaimText } from '../intent/claim.js';
import { FLIP_FAMILIES, type Change, type Flips, type Grounds } from '../intent/flip.js';
import { SeedText } from '../intent/seed.js';
import type { Fact, NextMove, Panel, Piece } from '../view/picture.js';
import { writtenOption, writtenPin, writtenValue } from './pins.js';

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
