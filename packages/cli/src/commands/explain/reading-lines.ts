/**
 * Each reading of a run for people: its criteria, or its vetoes.
 *
 * @module
 */
import { rankAnswers, SeedText, textOf, type ExplainedReading, type Explanation } from '@assay/kernel/intent';
import { phraseOfVeto, type Phrase, type WordsOf } from '@assay/kernel/intent-view';
import type { DerivedRun } from './derived.js';
import { cut } from '../../terminal/cut.js';
import { padded, show, styled, type Shown } from '../../terminal/shown.js';
import { sourceNote } from '../../terminal/proposal-lines.js';

const WORDS_POINTS = 80;
const FATES = { first: 'good', outscored: 'faint', pruned: 'faint', vetoed: 'bad' } as const;

/** The lines of every reading, best first, the vetoed ones last. */
export function readingLines(run: DerivedRun, { readings }: Explanation): readonly Shown[] {
  const wordsOf = vetoWords(run);
  return readings.flatMap((reading) => [
    headOf(reading),
    ...partLines(reading),
    ...vetoLines(reading, wordsOf(reading)),
  ]);
}

function headOf({ name, slot, index, proposer, source, supporters, fate, total }: ExplainedReading): Shown {
  const others = supporters.filter((other) => other !== slot);
  const by = show`${slot}/${index}, by ${proposer} (${source}${sourceNote(source)})${others.length === 0 ? '' : `, and by ${others.join(', ')}`}`;
  return show`${padded(show`reading`, 12)}${styled('strong', show`"${name}"`)}   ${styled(FATES[fate], show`${fate}`)}${total === null ? '' : `   ${share(total)}`}   ${by}`;
}

function partLines({ parts }: ExplainedReading): readonly Shown[] {
  const out = parts.filter(({ applicable }) => !applicable).map(({ criterion }) => criterion);
  return [
    ...parts
      .filter(({ applicable }) => applicable)
      .map(
        ({ criterion, weight, num, den, ppm, contribution }) =>
          show`  ${criterion.padEnd(14)}${share(ppm)} of weight ${String(weight).padStart(7)}   brings ${share(contribution)}   (${criterion === 'agreement' ? 'mean overlap' : `${num} of ${den}`})`,
      ),
    ...(out.length === 0 ? [] : [styled('faint', show`  ${'does not apply'.padEnd(14)} ${out.join(', ')}`)]),
  ];
}

function vetoLines({ vetoes }: ExplainedReading, wordsOf: WordsOf): readonly Shown[] {
  return vetoes.map(
    (veto, index) =>
      show`  ${padded(show`${veto.code}`, 20)}${phraseShown(phraseOfVeto(veto, wordsOf))}${index === 0 && vetoes.length > 1 ? '   (decides)' : ''}`,
  );
}

/** A phrase for the terminal, what evidence says in quotes. */
export function phraseShown(phrase: Phrase): Shown {
  return phrase.reduce(
    (line: Shown, part) =>
      typeof part === 'string' ? show`${line}${part}` : show`${line}"${cut(part.said, WORDS_POINTS)}"`,
    show``,
  );
}

/** The words of each reading's distinct claims: what vetoes point at. */
export function vetoWords({
  grounds,
  context,
}: DerivedRun): (reading: Pick<ExplainedReading, 'slot' | 'index'>) => WordsOf {
  const seed = new SeedText(grounds.seedText);
  const { vetoed } = rankAnswers(grounds, context);
  return ({ slot, index }) => {
    const found = vetoed.find(({ candidate }) => candidate.from.slot === slot && candidate.index === index);
    return (place) => {
      const claim = found?.candidate.claims[place];
      return claim === undefined ? null : textOf(claim, seed);
    };
  };
}

/** Parts per million as a share of one, exactly. */
export function share(ppm: number): string {
  return `${Math.trunc(ppm / 1_000_000)}.${String(ppm % 1_000_000).padStart(6, '0')}`;
}
