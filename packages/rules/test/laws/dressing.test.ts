import { describe, expect, it } from 'vitest';
import { scanText } from '@assay/kernel/intent';
import { sentencesIn } from '../requests/sentences.ts';
import { commitsIn } from '../requests/tools.ts';

const MARKS: readonly string[] = ['**', '_', '`', '***'];
const texts = [...sentencesIn('first').values()]
  .flat()
  .map(({ text }) => text)
  .filter((text) => !/[*_~`<#]/.test(text));

/** What a text commits to, without its words. */
function commitmentsOf(text: string): readonly string[] {
  return commitsIn(text).map(({ kind, modality, atom }) => `${kind} ${modality} ${JSON.stringify(atom)}`);
}

/** A text with one of its words in marks; which words, and which marks, goes round. */
function dressed(text: string, turn: number): string {
  const words = scanText(text).tokens.filter(({ kind, glued }) => kind === 'word' && !glued);
  const word = words[turn % words.length];
  const mark = MARKS[turn % MARKS.length] ?? '';
  return word === undefined
    ? text
    : `${text.slice(0, word.start)}${mark}${text.slice(word.start, word.end)}${mark}${text.slice(word.end)}`;
}

describe('laws of the rules', () => {
  it('rules/dressing-neutral: a word in marks of emphasis or code changes no commitment', () => {
    expect(texts.length).toBeGreaterThan(150);
    for (const text of texts) {
      const plain = commitmentsOf(text);
      for (let turn = 0; turn < 12; turn += 1)
        expect([dressed(text, turn), commitmentsOf(dressed(text, turn))]).toEqual([
          dressed(text, turn),
          plain,
        ]);
    }
  });
});
