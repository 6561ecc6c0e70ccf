/**
 * What would have decided otherwise, in a line for each family of changes.
 *
 * @module
 */
import {
  FLIP_FAMILIES,
  SeedText,
  textOf,
  type Change,
  type FlipFamily,
  type Flips,
  type Grounds,
} from '@assay/kernel/intent';
import { cut } from '../../terminal/cut.js';
import { show, type Shown } from '../../terminal/shown.js';
import { optionsOf } from '../whatif/changes.js';
import { commandLine } from '../../terminal/quote.js';
import type { Suggestion } from './suggestion.js';

const WORDS_POINTS = 60;

/** For each family its smallest flip, or that there is none. Empty where no reading ranks first. */
export function flipLines(
  flips: Flips | null,
  grounds: Grounds,
  families: readonly FlipFamily[] = FLIP_FAMILIES,
): readonly Shown[] {
  if (flips === null)
    return [show`to flip     no reading is left to rank first, so nothing can take its place`];
  return families.map((family, index) => {
    const { flip, tried, searched_all } = flips[family];
    const head = show`${(index === 0 ? 'to flip' : '').padEnd(12)}${family.padEnd(10)}`;
    if (flip === null)
      return show`${head}none${tried === 0 ? '' : `, of ${tried} tried`}${searched_all ? '' : '; there are more, which were not'}`;
    return show`${head}${changeText(flip.change, grounds)}: then "${flip.winner.name}" (${flip.winner.slot}/${flip.winner.index}) ranks first`;
  });
}

/** The command to paste, and what it comes to. Empty without one. */
export function suggestionLines(suggestion: Suggestion | null): readonly Shown[] {
  if (suggestion === null) return [];
  const { words, flip, wins, reasons } = suggestion;
  return [
    show`try         ${commandLine(words)}`,
    wins
      ? show`            it was tried: it commits "${flip.winner.name}"`
      : show`            it was tried: "${flip.winner.name}" ranks first, and the run is refused (${reasons.join(', ')})`,
  ];
}

function changeText(change: Change, grounds: Grounds): Shown {
  switch (change.t) {
    case 'weight':
      return show`${change.criterion} ${change.from} → ${change.to}`;
    case 'pin_removed':
      return show`without the pin ${change.key}`;
    case 'pin_added':
      return show`with ${commandLine(optionsOf(change))}`;
    case 'proposal_removed':
      return show`without the answer of ${change.slot}`;
    case 'commit_removed': {
      const answer = grounds.answers.find(({ slot }) => slot === change.slot);
      const reading = answer?.t === 'answered' ? answer.readings[change.index] : undefined;
      const commit = reading?.commits[change.commit];
      const words = commit === undefined ? '' : textOf(commit, new SeedText(grounds.seedText));
      return show`without commit ${change.slot}/${change.index}/${change.commit} "${cut(words, WORDS_POINTS)}" of "${reading?.name ?? ''}"`;
    }
  }
}
