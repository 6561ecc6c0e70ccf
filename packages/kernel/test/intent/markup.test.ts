import { describe, expect, it } from 'vitest';
import { scanSaid, scanText } from '@assay/kernel/intent';
import { cpuTime } from '../../tools/cpu-time.js';

const wordsOf = (text: string): string =>
  scanText(text)
    .tokens.map(({ start, end }) => text.slice(start, end))
    .join(' ');
const saidIn = (text: string): string =>
  scanSaid(scanText(text))
    .tokens.map(({ start, end }) => text.slice(start, end))
    .join(' ');

describe('marks that dress words are no tokens', () => {
  it.each([
    ['must **not** take', 'must not take'],
    ['_must not_ and __no__', 'must not and no'],
    ['***at least*** 9 h, **_two_** bags', 'at least 9 h , two bags'],
    ['use `eval`.', 'use eval .'],
    ['**Must not:** run', 'Must not : run'],
    // Names, products, list items and single marks stay.
    ['max_nodes and __init__.py', 'max_nodes and __init__ . py'],
    ['3 * 4 and 5*6 and 7*8', '3 * 4 and 5 * 6 and 7 * 8'],
    ['* one\n* two', '* one * two'],
    ['price* plus VAT', 'price * plus VAT'],
    ['**open', '* * open'],
    ['*one\n\ntwo*', '* one two *'],
  ])('%s', (text, expected) => {
    expect(wordsOf(text)).toBe(expected);
  });
});

describe('what a text does not say to its reader', () => {
  it.each([
    ['keep ~~30~~ 60 days', 'keep 60 days'],
    ['a <!-- b --> c', 'a c'],
    ['a\n```\nb\n```\nc', 'a c'],
    ['a\n```js\nb', 'a'],
    ['a ~~ b ~~ c', 'a ~ ~ b ~ ~ c'],
    ['a <!-- b', 'a < ! - - b'],
    ['~~a\n\nb~~', '~ ~ a b ~ ~'],
  ])('%s', (text, expected) => {
    expect(saidIn(text)).toBe(expected);
  });

  it('the token behind keeps the line ends of what is left out', () => {
    expect(scanSaid(scanText('a\n~~b~~\nc')).tokens.map(({ lines }) => lines)).toEqual([0, 2]);
  });
});

it('intent/markup-linear: ten times as many marks take no more than a few times ten times the work', () => {
  for (const part of [
    '<!--',
    '~~a ',
    '~~a\n\n',
    '```\n',
    '**a ',
    '_a ',
    '*',
    '`',
    '<!-- a --> ',
    '~~~a~~ ',
  ]) {
    const work = (units: number): number =>
      cpuTime(() => scanSaid(scanText(part.repeat(units / part.length)))).milliseconds;
    // The least of several: a collection of garbage in between is not the scanner's work.
    const least = (units: number): number => Math.min(work(units), work(units), work(units));
    const [small, large] = [least(4_000), least(40_000)];
    expect([part, large < small * 60 + 200]).toEqual([part, true]);
  }
});
