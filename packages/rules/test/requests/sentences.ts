/** Annotated sentences (`test/sentences`): reading them, and what the rules make of each. */
import { outcomeOf as judge, sentencesIn as read } from '../../../../scripts/language/sentences.mjs';
import { commitsIn } from './tools.ts';

export type Sentence = { readonly text: string };
export type Outcome = 'right' | 'asked' | 'lost' | 'wrong' | 'opposite';

const FOLDER = new URL('../sentences/', import.meta.url);

/** The sentences of a folder by file. */
export function sentencesIn(folder: string): ReadonlyMap<string, readonly Sentence[]> {
  return new Map(read(new URL(`${folder}/`, FOLDER)) as [string, Sentence[]][]);
}

/** What the literal reading of a sentence comes to; the README of the sentences says what each outcome means. */
export function outcomeOf(sentence: Sentence): Outcome {
  return judge(sentence as Parameters<typeof judge>[0], commitsIn(sentence.text)) as Outcome;
}
